import { type LoadResult, type Records, type Unusable, wanted } from '../../decision/record.ts'
import { placeBefore, placeOf } from '../../decision/sources.ts'
import { asText, type Fields, hasValues } from '../link.ts'
import type { Reads } from '../reads.ts'
import type { ScopedAsked } from './need.ts'
import { type Path, type Scope, scopeText } from './scope-chain.ts'
import type { Root } from './scope-cursor.ts'
import { areFound, nodesAt, type ScopeFacts } from './scope-nodes.ts'
import type { Scoped } from './scoped.ts'

// Every decision reads these at any consistency (spec rule 18): subjects, assignments, the scope chain, and what else a scope needs.

/** An assignment, by the meaning of its attributes. */
export interface Assignment extends Scope {
  readonly role_id: string
  readonly role_owner: string | undefined
  /** The outermost scope that it lies in. */
  readonly within: string | undefined
  readonly from: string | undefined
  readonly until: string | undefined
  readonly item: Fields
}

export function assignmentOf({ assigned, chain }: Scoped, item: Fields): Assignment {
  const { type, id, role, owner, from, until } = assigned
  return {
    scope_type: String(item[type]),
    scope_id: String(item[id]),
    role_id: String(item[role]),
    role_owner: owner === undefined ? undefined : asText(item[owner]),
    within: asText(item[chain.levels[0]?.name ?? '']),
    from: from === undefined ? undefined : asText(item[from]),
    until: until === undefined ? undefined : asText(item[until]),
    item,
  }
}

/** The scope of an assignment, where a list begins. */
export const rootOf = ({ scope_type, scope_id, within = '' }: Assignment): Root => ({ scope_type, scope_id, within })

export interface Situation {
  readonly scope: ScopeFacts
  readonly subject_id: string
  readonly subject: LoadResult<Fields>
  /** The subject's assignments in the scope chain of the scope. */
  readonly assignments: Records<Assignment>
}

const nothing: readonly never[] = []

/** A scope as it was read; undefined until it is. */
export function scopeAt({ chain, need }: Scoped, reads: Reads, path: Path, asked: ScopedAsked): ScopeFacts | undefined {
  const found = nodesAt(chain, reads, path)
  const needed = need?.isAsked(asked) === true ? need.itemsAt(reads, path, asked) : nothing
  return found && needed && { needed, ...found }
}

/** All records of a scope, for what is wrong with them. */
export const recordsOf = ({ nodes, needed }: ScopeFacts): readonly LoadResult<unknown>[] => [...nodes, ...needed]

/** True if the item has the values with which it counts. */
export const isLive = ({ where }: Scoped, entity: string, item: Fields): boolean => hasValues(item, where[entity])

/** True if all nodes of the scope are there and count, and none is being deleted. */
export function isLiveScope(declared: Scoped, scope: ScopeFacts): boolean {
  return (
    areFound(scope) &&
    scope.nodes.every(
      (node, index) => node.state === 'found' && isLive(declared, declared.chain.levels[index]?.entity.name ?? '', node.item),
    )
  )
}

export const isMet = ({ need }: Scoped, scope: ScopeFacts, asked: ScopedAsked, now: string): boolean =>
  need === undefined || !need.isAsked(asked) || need.metBy(scope, asked, now) !== undefined

type Presence = Pick<Situation, 'subject' | 'assignments'>

type Ranges = readonly (Records<Fields> | undefined)[]

/** A subject with the assignments in these ranges. A guest without any is not there. */
function presentIn(declared: Scoped, { fact }: Reads, subject_id: string, ranges: Ranges): Presence | undefined {
  const { entity, id } = declared.subject
  const [found, unusable]: [Assignment[], Unusable[]] = [[], []]
  for (const range of ranges) {
    // A range that is not read yet is asked for beside the subject.
    if (range === undefined) return void fact(entity, { [id]: subject_id })
    for (const each of range.found) found.push(assignmentOf(declared, each))
    for (const each of range.unusable) unusable.push(each)
  }
  const subject: LoadResult<Fields> | undefined = fact(entity, { [id]: subject_id }, found.length + unusable.length === 0)
  return subject && { subject, assignments: { found, unusable } }
}

/** The key of an assignment. */
export const keyOf = (
  { assigned: { subject, type, id, role } }: Scoped,
  subject_id: string,
  { scope_type, scope_id, role_id }: Scope & { readonly role_id: string },
) => ({
  ...{ [subject]: subject_id, [type]: scope_type, [id]: scope_id, [role]: role_id },
})

export const wantedAssignment = (declared: Scoped, subject_id: string, at: Scope & { readonly role_id: string }) =>
  wanted(declared.assigned.entity, keyOf(declared, subject_id, at))

/** One round trip, and one more for each further 1,000 roles of the subject at one scope: its assignments elsewhere are not read. */
export function situationAt(declared: Scoped, reads: Reads, subject_id: string, path: Path, asked: ScopedAsked): Situation | undefined {
  const { entity, role } = declared.assigned
  const ranges = declared.chain
    .scopesOf(path)
    .map((scope) =>
      reads.facts(entity, scopeText(scope), () => placeBefore(entity, keyOf(declared, subject_id, { ...scope, role_id: '-' }), role)),
    )
  const present = presentIn(declared, reads, subject_id, ranges)
  const scope = scopeAt(declared, reads, path, asked)
  return present && scope && { scope, subject_id, ...present }
}

/** A subject with all its assignments. One round trip, and one more for each further 1,000 of them. */
export function presenceOf(declared: Scoped, reads: Reads, subject_id: string): Presence | undefined {
  const { entity, subject } = declared.assigned
  return presentIn(declared, reads, subject_id, [reads.facts(entity, subject_id, () => placeOf(entity, { [subject]: subject_id }))])
}

/** Decides once all that it asks for is read. */
export async function settled<T>(reads: Reads, decide: () => T | undefined): Promise<T> {
  const decided = await reads.settle(decide)
  if (decided === undefined) throw new Error('A decision lacks something that it did not ask for.')
  return decided
}
