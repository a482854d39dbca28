import { count, type Item, isFreeholdError, list, type Malformed, number, type Page, text } from '@freehold/table'
import { type CursorBinding, day_ms, openCursor, sealCursor } from '@freehold/table/runtime'
import { changeItem } from '../../flow/write-item.ts'
import { pageOfValues } from '../../returns.ts'
import { License, type OpenNotification, User } from '../design.ts'
import { flow, inSystem, isPast, type PlatformContext, todayOf } from '../flows/platform-host.ts'
import { attemptMax_ms, deliver, settleUnknown } from './deliver.ts'
import { occasionOf, subjectOf } from './subject.ts'

/** Days before an end on which a reminder goes out. */
export const stagesUnlessGiven = [30, 7, 1] as const

const nothingSwept = {
  looked_at: 0,
  licenses_expired: 0,
  users_ended: 0,
  reminders_sent: 0,
  reminders_failed: 0,
  reminders_skipped: 0,
  outcomes_unknown: 0,
}
export type Swept = Readonly<typeof nothingSwept>
type Open = Item<typeof OpenNotification>
type Counts = { -readonly [N in keyof Swept]: number }

/** What a sweep goes through, in this order. */
const phases = ['attempts', 'licenses', 'users'] as const
type Phase = (typeof phases)[number]

/** Where a sweep continues. */
interface Position {
  readonly phase: Phase
  readonly cursor?: string
  /** The day on which it began: a sweep over midnight is one sweep of that day. */
  readonly today: string
}

const daysBetween = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / day_ms)
const later = (today: string, days: number): string => new Date(Date.parse(today) + days * day_ms).toISOString().slice(0, 10)

/** The tightest stage that has begun: a late sweep sends no wider one. */
function stageOf(stages: readonly number[], today: string, endDate: string): number | undefined {
  const left = daysBetween(today, endDate)
  return stages.filter((stage) => left <= stage).sort((a, b) => a - b)[0]
}

/** A sweep of one day. */
interface Sweeping {
  readonly context: PlatformContext
  readonly counts: Counts
  readonly today: string
  readonly stages: readonly number[]
}

/** A licence or user that ends. */
interface Ending {
  readonly accountId: string
  readonly id: string
  readonly status: string
  readonly endDate?: string | undefined
}

/** Changes the status of what is past its end, and reminds of what is not. */
async function sweepEnding(
  { context, counts, today, stages }: Sweeping,
  { accountId, id, endDate }: Ending,
  notificationType: 'license_expiry' | 'user_expiry',
  end: (isOverdue: (item: Ending) => boolean) => Promise<unknown>,
): Promise<boolean> {
  if (endDate === undefined) return false
  if (!isPast(endDate, today)) {
    const stage = stageOf(stages, today, endDate)
    if (stage === undefined) return false
    const { outcome } = await deliver(context, { accountId, notificationType, subjectId: id, occasion: occasionOf(endDate, stage) })
    if (outcome !== 'passed') counts[`reminders_${outcome}`]++
    return false
  }
  let isEnded = false
  await end((item) => {
    isEnded = item.status === 'active' && isPast(item.endDate, today)
    return isEnded
  })
  return isEnded
}

async function sweepLicense(sweeping: Sweeping, license: Item<typeof License>): Promise<void> {
  const { accountId, id } = license
  const isEnded = await sweepEnding(sweeping, license, 'license_expiry', (isOverdue) =>
    changeItem(sweeping.context, License, { accountId, id }, (before) => (isOverdue(before) ? ({ status: 'expired' } as const) : {})),
  )
  if (isEnded) sweeping.counts.licenses_expired++
}

async function sweepUser(sweeping: Sweeping, user: Item<typeof User>): Promise<void> {
  const { id } = user
  const isEnded = await sweepEnding(sweeping, user, 'user_expiry', (isOverdue) =>
    changeItem(sweeping.context, User, { id }, (before) => (isOverdue(before) ? ({ status: 'inactive' } as const) : {})),
  )
  if (isEnded) sweeping.counts.users_ended++
}

/** Settles an attempt whose sender is gone. */
async function sweepAttempt({ context, counts }: Sweeping, open: Open, before: string): Promise<void> {
  const intent = await context.table.NotificationIntent.get(subjectOf(open), { consistent: true })
  const isOver = intent?.state === 'sending' && String(intent.sendingSince) <= before
  if (isOver && (await settleUnknown(context, intent))) counts.outcomes_unknown++
}

type Asking = { readonly limit: number; readonly cursor?: string | undefined }

/** The next items of a phase, each with the work on it. */
async function pageOf(sweeping: Sweeping, phase: Phase, asking: Asking) {
  const { context, today, stages } = sweeping
  const { table } = context
  const date = later(today, Math.max(...stages))
  if (phase === 'attempts') {
    const before = new Date(table.runtime.now().getTime() - attemptMax_ms).toISOString()
    const { items, ...rest } = await table.openNotifications({ before }, { ...asking, consistent: true })
    return { ...rest, work: items.map((open) => () => sweepAttempt(sweeping, open, before)) }
  }
  if (phase === 'licenses') {
    const { items, ...rest } = await table.expiringLicenses({ date }, asking)
    return { ...rest, work: items.map((license) => () => sweepLicense(sweeping, license)) }
  }
  const { items, ...rest } = await table.activeUsersUntil({ date }, asking)
  return { ...rest, work: items.map((user) => () => sweepUser(sweeping, user)) }
}

const limitUnlessGiven = 1000
const limitMax = 100_000
const pageMax = 100

/** Codes of errors that tell of one item: it went meanwhile, or others keep changing it. The next sweep looks again. */
const passedOver = ['NotFound', 'BeingDeleted', 'Busy', 'VersionConflict'] as const

export const sweep = flow({
  name: 'sweep',
  summary:
    'Writes what counts already, licences that are expired and users that are past their end, and sends the reminders that are due. Safe at any time, by many at once.',
  input: {
    /** Days before an end on which a reminder goes out. */
    stages: list(number({ integer: true, min: 0, max: 3650 }), { max: 10 }).optional(),
    limit: number({ integer: true, min: 1, max: limitMax }).optional(),
    cursor: text().optional(),
  },
  needs: 'operator',
  effect: 'write',
  returns: pageOfValues<Swept>({
    looked_at: count(),
    licenses_expired: count(),
    users_ended: count(),
    reminders_sent: count(),
    reminders_failed: count(),
    reminders_skipped: count(),
    outcomes_unknown: count(),
  }),
  errors: ['InvalidCursor'],
  scope: inSystem,
  run: async (context, { stages: given, limit, cursor }): Promise<Page<Swept>> => {
    const { runtime } = context.table
    const stages = given === undefined || given === null || given.length === 0 ? stagesUnlessGiven : given
    const binding: CursorBinding = { kind: 'question', name: context.flow, parameters: { stages: stages.join(' ') } }
    // Only this flow seals these cursors.
    const from = typeof cursor === 'string' ? (openCursor(runtime, binding, cursor) as unknown as Position) : undefined
    const today = from?.today ?? todayOf(context)
    const counts: Counts = { ...nothingSwept }
    const sweeping: Sweeping = { context, counts, today, stages }
    const malformed: Malformed[] = []
    let next = from?.cursor
    for (const phase of phases.slice(phases.indexOf(from?.phase ?? 'attempts'))) {
      for (let isFirst = true; isFirst || next !== undefined; isFirst = false) {
        const left = (limit ?? limitUnlessGiven) - counts.looked_at
        if (left <= 0) {
          const position: Position = { phase, today, ...(next === undefined ? {} : { cursor: next }) }
          return {
            items: [counts],
            cursor: sealCursor(runtime, binding, { ...position }),
            ...(malformed.length === 0 ? {} : { malformed }),
          }
        }
        const page = await pageOf(sweeping, phase, { limit: Math.min(left, pageMax), cursor: next })
        for (const work of page.work) {
          counts.looked_at++
          await work().catch((error: unknown) => {
            if (!passedOver.some((code) => isFreeholdError(error, code))) throw error
          })
        }
        malformed.push(...(page.malformed ?? []))
        next = page.cursor
      }
    }
    return { items: [counts], ...(malformed.length === 0 ? {} : { malformed }) }
  },
})
