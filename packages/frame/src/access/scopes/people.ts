import type { Scoped } from './scoped.ts'

/** Who are people, what are scopes and how they contain each other, what is a role, and what grants it until when: as data for a console. */
export interface ScopedPeople {
  readonly person: string
  readonly places: readonly { readonly entity: string; readonly within?: string }[]
  readonly grants: readonly {
    readonly entity: string
    readonly role: string
    readonly from?: string | undefined
    readonly until?: string | undefined
  }[]
  readonly role: {
    readonly entity: string
    readonly parent?: string
    readonly permissions: { readonly list: string; readonly entity?: string; readonly catalogue?: string }
  }
}

export function peopleIn({ subject, chain: { levels }, assigned, declaredRoles: { entity, list, above, linked } }: Scoped): ScopedPeople {
  const { entity: grant, role, from, until } = assigned
  const links = linked === undefined ? {} : { entity: linked.links.name, catalogue: linked.catalogue.name }
  return {
    person: subject.entity.name,
    places: levels.map((level, index) => ({
      entity: level.entity.name,
      ...(index === 0 ? {} : { within: levels[index - 1]?.name ?? '' }),
    })),
    grants: [{ entity: grant.name, role, from, until }],
    role: { entity: entity.name, ...(above && { parent: above.attribute }), permissions: { list, ...links } },
  }
}
