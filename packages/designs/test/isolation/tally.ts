import { accountManagement } from '../../src/account-management/design.ts'
import { type Aim, aims } from './choose-step.ts'
import type { Outcome } from './perform.ts'
import type { Step } from './step.ts'

const keyOf = ({ kind, subject }: Aim) => `${kind} ${subject}`

/** Something was found, allowed or done. */
function isFruitful({ kind }: Step, { gives, code }: Outcome): boolean {
  if (code !== undefined) return false
  if (gives === null || typeof gives !== 'object') return gives !== undefined || (kind !== 'get' && kind !== 'list')
  // Of many at once, one is enough.
  if (Array.isArray(gives)) return gives.some((each) => each !== undefined && each.error === undefined && each.allowed !== false)
  const { items, allowed }: { items?: unknown; allowed?: unknown } = gives
  return Array.isArray(items) ? items.length > 0 : allowed !== false
}

/** Within a tenant scope nobody reads across clients, writes shared items or creates a client. */
const operatorsOnly: ReadonlySet<string> = new Set([
  ...[...(accountManagement.tenants?.crossing ?? []), 'systemAudit'].map((name) => `list ${name}`),
  ...['create', 'ensure', 'createMany', 'update', 'remove', 'move', 'transact'].map((verb) => `${verb} Permission`),
  ...['create', 'ensure', 'createMany'].map((verb) => `${verb} Client`),
  // Providers of identities alone sign people in, and an invitation is accepted by the person's own token alone.
  ...['flow signIn', 'flow acceptInvitation'],
])

/** Append-only items do not change, the ends of an edge do not move, and an identity has nothing but its key and its user. */
function isRefusedAlways({ kind, subject }: Aim): boolean {
  if (subject === 'SignInIdentity' && kind === 'update') return true
  const form = accountManagement.form.entities.get(subject)?.form
  if (form?.appendOnly === true) return ['update', 'move', 'remove', 'transact'].includes(kind)
  return kind === 'move' && form?.part.kind === 'edge'
}

const ofNobody: ReadonlySet<string> = new Set(['permission_id', 'module_id', 'module', 'action', 'resource', 'from', 'to'])

/** Steps that name nothing of a client. */
function isOfNobody({ kind, subject }: Aim): boolean {
  const pattern = accountManagement.form.patterns.get(subject)
  if (kind === 'wait' || kind === 'race') return true
  if (kind === 'list') return pattern?.parameters.every(({ name }) => ofNobody.has(name)) === true
  return kind !== 'flow' && /^Permission(Key)?$/.test(subject)
}

/** The goals of a course: each step done by somebody, and tried with something of another's. */
const wanted: ReadonlyMap<Aim, readonly string[]> = new Map(
  aims.map((aim) => {
    const key = keyOf(aim)
    const isDoable = !operatorsOnly.has(key) && !isRefusedAlways(aim)
    return [aim, [...(isDoable ? [`${key} done`] : []), ...(isOfNobody(aim) ? [] : [`${key} by a stranger`])]]
  }),
)

/** The goals that came about, so that nothing is left out unnoticed. */
export class Tally {
  steps = 0
  private readonly counts = new Map<string, number>()

  private count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1)
  }

  note(step: Step, outcome: Outcome, isHostile: boolean, events: readonly string[]): void {
    this.steps++
    for (const event of events) this.count(event)
    if (isFruitful(step, outcome)) this.count(`${keyOf(step)} done`)
    if (isHostile) this.count(`${keyOf(step)} by a stranger`)
    if (outcome.code !== undefined) this.count(`refused ${outcome.code}`)
  }

  /** Nobody has done it so far, though somebody can. */
  isUndone(aim: Aim): boolean {
    const done = `${keyOf(aim)} done`
    return wanted.get(aim)?.includes(done) === true && !this.counts.has(done)
  }

  isMissing(aim: Aim): boolean {
    return wanted.get(aim)?.some((what) => !this.counts.has(what)) === true
  }

  /** The steps, refusals and events that did not come about. */
  missing(refusals: readonly string[], among = aims, events: readonly string[] = []): readonly string[] {
    return [...among.flatMap((aim) => wanted.get(aim) ?? []), ...refusals.map((code) => `refused ${code}`), ...events].filter(
      (what) => !this.counts.has(what),
    )
  }
}
