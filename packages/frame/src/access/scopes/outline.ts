import type { AccessOutline } from '../outline.ts'
import type { Scoped } from './scoped.ts'

/** The column of a grid of permissions, if they have such a part. */
const action = 'action'

/** The declaration as data for a console: one way, from the innermost scope up, since a role counts beneath the scope at which it is assigned. */
export function outlineOf({ subject, chain: { levels }, patterns: { parts }, assigned, declaredRoles }: Scoped): AccessOutline {
  const { entity, list, above, linked } = declaredRoles
  const column = parts.includes(action) ? action : parts.at(-1)
  const others = Object.entries(linked?.where ?? {}).flatMap(([name, value]) => {
    const values = (entity.attributes[name]?.kind.domain?.values ?? []).filter((other) => other !== value)
    return values.length === 1 ? values.map((other) => [name, other] as const) : []
  })
  const links = linked && {
    ...{ links: linked.links.name, catalogue: linked.catalogue.name, listed: Object.fromEntries(others) },
    ...(linked.dangerous === undefined ? {} : { dangerous: linked.dangerous }),
  }
  const roles = {
    ...{ entity: entity.name, ...(above && { parent: above.attribute }), list, ...links },
    ...{ rows: parts.filter((part) => part !== column), ...(column === undefined ? {} : { column }) },
  }
  const { role, from, until } = assigned
  return Object.freeze({
    ...{ subject: subject.entity.name, place: levels.at(-1)?.entity.name ?? '', actions: [], needs: [] },
    ways: [
      {
        within: Object.fromEntries([...levels.slice(0, -1)].reverse().map(({ name, entity: outer }) => [name, outer.name])),
        grants: [{ entity: assigned.entity.name, role, from, until, roles }],
      },
    ],
  })
}
