import { type Change, type Entity, type Item, list, number } from '@freehold/table'
import type { FlowContext } from '../flow/flow-host.ts'
import { changeItem, idOfItem } from '../flow/items/write-item.ts'
import type { View } from '../flow/records/recorded-changes.ts'
import { dayAfter, daysBetween, isPast } from '../sweep/days.ts'
import { type SweepAsking, type Sweeping, workOn } from '../sweep/sweep-flow.ts'
import { attemptMax_ms, deliveryOf } from './deliver.ts'
import type { MailSubject, Mails } from './mails.ts'

/** The parts of a sweep that reminds: days before an end on which a reminder goes out, 30, 7 and 1 unless given. */
export const reminding = {
  input: { stages: list(number({ integer: true, min: 0, max: 3650 }), { max: 10 }).optional() },
  settings: ({ stages }: { readonly stages?: readonly number[] | null | undefined }) =>
    stages === undefined || stages === null || stages.length === 0 ? [30, 7, 1] : stages,
  boundTo: (stages: readonly number[]) => ({ stages: stages.join(' ') }),
}

/** What a sweep counts of mails. */
export const mailCounts = ['reminders_sent', 'reminders_failed', 'reminders_skipped', 'outcomes_unknown'] as const
type Reminding<C, N extends string = never> = Sweeping<C, (typeof mailCounts)[number] | N, readonly number[]>

/** The last end that a sweep looks at. */
export const lastEnd = ({ today, settings: stages }: Reminding<unknown>): string => dayAfter(today, Math.max(...stages))

/** A reminder is of an end and a stage before it. */
const occasionOf = (endDate: string, stage: number): string => `${endDate}.${stage}`

/** The end that a reminder is of. */
export const endIn = ({ occasion }: MailSubject): string => occasion.slice(0, '2026-12-31'.length)

/** The tightest stage that has begun: a late sweep sends no wider one. */
function stageOf(stages: readonly number[], today: string, endDate: string): number | undefined {
  const left = daysBetween(today, endDate)
  return stages.filter((stage) => left <= stage).sort((a, b) => a - b)[0]
}

/** What becomes of items that end: the type of their reminders, and the change and the count of those that are past their end. */
export interface Ending<E extends Entity, N extends string> {
  /** Its items have an `id`, an `endDate`, and the status `active` until they are ended. */
  readonly entity: E
  readonly notificationType: string
  readonly ended: Change<E>
  readonly counted: N
}

/** The works of a sweep that sends reminders. */
export function remindersOf<C extends FlowContext, S extends MailSubject, A extends Entity>(mails: Mails<C, S, A>) {
  const { deliver, intentOf, settleUnknown, subjectOf } = deliveryOf(mails)
  return {
    /** Settles the attempts whose sender is gone. */
    attempts: async ({ context, counts }: Reminding<C>, asking: SweepAsking) => {
      const before = new Date(context.table.runtime.now().getTime() - attemptMax_ms).toISOString()
      return workOn(await mails.openBefore(context, before, asking), async (open) => {
        const intent = await intentOf(context, subjectOf(open))
        const isOver = intent?.state === 'sending' && String(intent.sendingSince) <= before
        if (isOver && (await settleUnknown(context, intent))) counts.outcomes_unknown++
      })
    },
    /** Changes an item that is past its end, and reminds of one that is not. */
    remindOrEnd: async <E extends Entity, N extends string>(
      { context, counts, today, settings: stages }: Reminding<C, N>,
      { entity, notificationType, ended, counted }: Ending<E, N>,
      item: Item<E>,
    ): Promise<void> => {
      const { id, endDate, ...view }: View = item
      if (typeof endDate !== 'string') return
      if (!isPast(endDate, today)) {
        const stage = stageOf(stages, today, endDate)
        if (stage === undefined) return
        const subject = { ...view, notificationType, subjectId: id, occasion: occasionOf(endDate, stage) }
        // The key of an intent is its subject.
        const { outcome } = await deliver(context, idOfItem(mails.intents, subject) as unknown as S)
        if (outcome !== 'passed') counts[`reminders_${outcome}`]++
        return
      }
      let isEnded = false
      await changeItem(context, entity, idOfItem(entity, item), (before): Change<E> => {
        const { status, endDate: end }: View = before
        isEnded = status === 'active' && typeof end === 'string' && isPast(end, today)
        // A change of nothing is one of any entity.
        return isEnded ? ended : ({} as Change<E>)
      })
      if (isEnded) counts[counted]++
    },
  }
}
