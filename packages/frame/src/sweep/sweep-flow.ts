import { type Attributes, count, isFreeholdError, type Malformed, number, type Page } from '@freehold/table'
import { type CursorBinding, openCursor, sealCursor } from '@freehold/table/runtime'
import { pageOfValues, type Returns } from '../decision/returns.ts'
import type { FlowContext } from '../flow/flow-host.ts'
import type { InputOf } from '../flow/input/input-attributes.ts'
import { paging } from '../flow/paging.ts'
import { todayOf } from './days.ts'

/** A sweep of one day. */
export interface Sweeping<C, N extends string = string, S = unknown> {
  readonly context: C
  readonly counts: { [M in N]: number }
  /** The day on which it began: a sweep over midnight is one sweep of that day. */
  readonly today: string
  /** What it was asked for, with defaults. */
  readonly settings: S
}

export interface SweepAsking {
  readonly limit: number
  readonly cursor?: string | undefined
}

/** The next items of a phase, each as the work on it. */
export type SweepPhase<C, N extends string, S> = (sweeping: Sweeping<C, N, S>, asking: SweepAsking) => Promise<Page<() => Promise<unknown>>>

/** A page of items, each as the work on it. */
export const workOn = <T>({ items, ...rest }: Page<T>, work: (item: T) => Promise<unknown>): Page<() => Promise<unknown>> => ({
  ...rest,
  items: items.map((item) => () => work(item)),
})

/** A sweep as a design writes it: it goes through its phases in their order, and counts. */
export interface WrittenSweep<C, N extends string, I extends Attributes, S> {
  readonly input: I
  /** What the counts are called, besides `looked_at`. */
  readonly counts: readonly N[]
  settings(input: InputOf<I>): S
  /** A cursor is good for the same settings only. */
  boundTo(settings: S): Readonly<Record<string, string>>
  readonly phases: Readonly<Record<string, SweepPhase<C, NoInfer<N>, NoInfer<S>>>>
}

/** Where a sweep continues. */
interface Position {
  readonly phase: string
  readonly cursor?: string
  readonly today: string
}

const limitUnlessGiven = 1000
const limitMax = 100_000
const pageMax = 100

/** Codes of errors that tell of one item: it went meanwhile, or others keep changing it. The next sweep looks again. */
const passedOver = ['NotFound', 'BeingDeleted', 'Busy', 'VersionConflict'] as const

/** The item that an error tells of, if it cannot be read: it stops no work on another. */
function malformedIn(error: unknown): Malformed | undefined {
  if (!isFreeholdError(error, 'MalformedItem')) return undefined
  // Errors of this code that are about an item name its key.
  const key = error.details.key as Malformed['key'] | undefined
  return key === undefined ? undefined : { key, reason: error.message }
}

/** The parts of a flow that sweeps, without name and summary: safe at any time, and by many at once if each of its works is. */
export const sweepFlow =
  <C extends FlowContext>() =>
  <const N extends string, I extends Attributes, S>(written: WrittenSweep<C, N, I, S>) => {
    type Swept = Readonly<Record<'looked_at' | N, number>>
    const { phases } = written
    const names = ['looked_at', ...written.counts]
    const order = Object.keys(phases)
    // Each name once, with the same value.
    const each = <V>(value: V) => Object.fromEntries(names.map((name) => [name, value])) as Record<'looked_at' | N, V>
    const asked = {
      limit: number({ integer: true, min: 1, max: limitMax }).optional().describe('Items that a call looks at, at most.'),
      cursor: paging.cursor,
    }
    return {
      input: { ...written.input, ...asked },
      needs: 'operator',
      effect: 'write',
      // Each name has a number. The compiler does not see that of names that it does not know.
      returns: pageOfValues<Readonly<Record<string, number>>>(each(count())) as Returns<Page<Swept>>,
      errors: ['InvalidCursor'],
      scope: async () => 'system' as const,
      run: async (context: C, input: InputOf<I> & InputOf<typeof asked>): Promise<Page<Swept>> => {
        const { runtime } = context.table
        const settings = written.settings(input)
        const binding: CursorBinding = { kind: 'question', name: context.flow, parameters: { ...written.boundTo(settings) } }
        const { cursor } = input
        // Only this flow seals these cursors.
        const from = typeof cursor === 'string' ? (openCursor(runtime, binding, cursor) as unknown as Position) : undefined
        const today = from?.today ?? todayOf(context)
        const counts = each(0)
        const malformed: Malformed[] = []
        const page = () => ({ items: [counts], ...(malformed.length === 0 ? {} : { malformed }) })
        let next = from?.cursor
        for (const [phase, read] of Object.entries(phases).slice(from === undefined ? 0 : order.indexOf(from.phase))) {
          for (let isFirst = true; isFirst || next !== undefined; isFirst = false) {
            const left = (input.limit ?? limitUnlessGiven) - counts.looked_at
            if (left <= 0) {
              const position: Position = { phase, today, ...(next === undefined ? {} : { cursor: next }) }
              return { ...page(), cursor: sealCursor(runtime, binding, { ...position }) }
            }
            const found = await read({ context, counts, today, settings }, { limit: Math.min(left, pageMax), cursor: next })
            for (const work of found.items) {
              counts.looked_at++
              await work().catch((error: unknown) => {
                const broken = malformedIn(error)
                if (broken !== undefined) malformed.push(broken)
                else if (!passedOver.some((code) => isFreeholdError(error, code))) throw error
              })
            }
            malformed.push(...(found.malformed ?? []))
            next = found.cursor
          }
        }
        return page()
      },
    } as const
  }
