import type { Evidence } from '../../decision/decision.ts'
import { type Fields, hasValues } from '../link.ts'
import type { Scoped } from './scoped.ts'
import type { Assignment } from './situation.ts'

/** Why an assignment does not count now; undefined if it does. */
export interface Flaw {
  readonly code: string
  readonly state: Evidence['state']
  readonly message: string
}

/** True for a subject of the outermost scope, and for one who is of none. */
export function isOf({ of, unless }: Scoped, subject: Fields, outermost: string): boolean {
  if (of === undefined) return true
  const own = subject[of]
  if (own !== undefined) return own === outermost
  return hasValues(subject, unless)
}

/** An assignment as it counts in this outermost scope: another program does not say where it is, but its scope does. */
export const within = (assignment: Assignment, outermost: string): Assignment =>
  assignment.within === undefined ? { ...assignment, within: outermost } : assignment

/**
 * An assignment counts where subject, scope and role owner are of one outermost scope, except roles and subjects of none, and from its beginning until just
 * before its end.
 * @param outermost that of the scope, as it was verified
 * @param now as it is stored: ISO 8601 in UTC with milliseconds, which sorts as time does
 */
export function flawOf(declared: Scoped, assignment: Assignment, subject: Fields, outermost: string, now: string): Flaw | undefined {
  const { role_owner, from, until } = assignment
  const first = declared.chain.levels[0]?.type ?? ''
  const { name, capital } = declared.assignment
  const foreign = (message: string): Flaw => ({ code: `Foreign${capital}`, state: 'denies', message })
  const isElsewhere = assignment.scope_type === first && assignment.scope_id !== outermost
  if (isElsewhere || assignment.within !== outermost) return foreign(`The ${name} is of another ${first} than its scope.`)
  if (!isOf(declared, subject, outermost)) return foreign(`The ${declared.subject.field} is of another ${first} than the scope.`)
  if (role_owner !== undefined && !declared.roles.isOwnerIn(role_owner, outermost))
    return foreign(`The role is of another ${first} than the scope.`)
  if (from !== undefined && from > now)
    return { code: `${capital}NotStarted`, state: 'inactive', message: `The ${name} starts at ${from}.` }
  if (until !== undefined && until <= now)
    return { code: `${capital}Expired`, state: 'expired', message: `The ${name} expired at ${until}.` }
  return undefined
}

/** Assignments of which only the items were read, those of which it is known where they are, with the reason why each does not count, if any. */
export function judgedEverywhere(declared: Scoped, assignments: readonly Assignment[], subject: Fields, now: string) {
  const [first] = declared.chain.levels
  return assignments.flatMap((each) => {
    // Unless it says so itself, a subject of an outermost scope has roles in that alone.
    const said = each.within ?? (each.scope_type === first?.type ? each.scope_id : undefined)
    const own = said ?? (declared.of === undefined ? undefined : subject[declared.of])
    if (typeof own !== 'string') return []
    const assignment = within(each, own)
    return [{ assignment, outermost: own, flaw: flawOf(declared, assignment, subject, own, now) }]
  })
}
