import type { CedarEntity, EntityUid, PolicyRequest } from '@freehold/frame/cedar'

/** The most requests of one BatchIsAuthorized. */
export const requestsMax = 30
/** An authorization request is at most 1 MB. The rest is for what is around entities and contexts. */
const bytesMax = 900_000

/** Requests that are sent together, and the entities of all. */
export interface RequestGroup {
  readonly requests: readonly PolicyRequest[]
  readonly entities: readonly CedarEntity[]
}

const textOf = ({ type, id }: EntityUid) => JSON.stringify([type, id])
const sizeOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value))

/** The entities that a value refers to. */
function referred(value: unknown, found: Set<string>): void {
  if (typeof value !== 'object' || value === null) return
  const { type, id } = value as Partial<EntityUid>
  if (typeof type === 'string' && typeof id === 'string') found.add(textOf({ type, id }))
  for (const part of Object.values(value)) referred(part, found)
}

interface Prepared {
  readonly request: PolicyRequest
  readonly tenant: string
  readonly own: ReadonlyMap<string, string>
  readonly refers: ReadonlySet<string>
  readonly bytes: number
}

function prepared(request: PolicyRequest, named: readonly EntityUid[]): Prepared {
  const refers = new Set(named.map(textOf))
  referred([request.context, request.entities, request.action], refers)
  const own = new Map(request.entities.map((entity): [string, string] => [textOf(entity.uid), JSON.stringify(entity)]))
  return { request, tenant: JSON.stringify(request.context.tenant), own, refers, bytes: sizeOf(request) }
}

class Group {
  readonly members: Prepared[] = []
  readonly own = new Map<string, string>()
  readonly refers = new Set<string>()
  bytes = 0

  /**
   * Whether a request may be decided beside these. A batch shares its entities, so that no request may see another's: all are of one tenant, have the
   * same entities under the same names, and refer to none that only another brings. AWS wants one principal or one resource.
   */
  takes({ request, tenant, own, refers, bytes }: Prepared): boolean {
    const [first] = this.members
    if (first === undefined) return true
    if (this.members.length >= requestsMax || this.bytes + bytes > bytesMax || tenant !== first.tenant) return false
    const isShared = (part: 'principal' | 'resource') =>
      this.members.every((member) => textOf(member.request[part]) === textOf(request[part]))
    if (!isShared('principal') && !isShared('resource')) return false
    for (const [name, entity] of own) if ((this.own.get(name) ?? entity) !== entity) return false
    return (
      [...own.keys()].every((name) => this.own.has(name) || !this.refers.has(name)) &&
      [...this.own.keys()].every((name) => own.has(name) || !refers.has(name))
    )
  }

  add(one: Prepared): void {
    this.members.push(one)
    for (const [name, entity] of one.own) this.own.set(name, entity)
    for (const name of one.refers) this.refers.add(name)
    this.bytes += one.bytes
  }
}

/**
 * Groups requests so that each is decided as if it were alone.
 * @param named the entities that policies name: they may read their attributes
 */
export function requestGroups(requests: readonly PolicyRequest[], named: readonly EntityUid[]): readonly RequestGroup[] {
  const groups: Group[] = []
  for (const request of requests) {
    const one = prepared(request, named)
    const group = groups.find((each) => each.takes(one)) ?? new Group()
    if (group.members.length === 0) groups.push(group)
    group.add(one)
  }
  return groups.map(({ members }) => {
    const entities = new Map(
      members.flatMap(({ request }) => request.entities.map((entity): [string, CedarEntity] => [textOf(entity.uid), entity])),
    )
    return { requests: members.map(({ request }) => request), entities: [...entities.values()] }
  })
}
