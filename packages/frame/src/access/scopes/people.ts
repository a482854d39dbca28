import type { PeopleOutline } from '../../module/people-outline.ts'
import type { Scoped } from './scoped.ts'

/** The declaration as data for a console. */
export function peopleIn({ subject, chain: { levels }, assigned, declaredRoles: { entity, list, above, linked } }: Scoped): PeopleOutline {
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
