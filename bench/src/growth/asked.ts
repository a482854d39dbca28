import type { Asking, Decider, DeciderOptions } from '@freehold/frame/decision'
import { type AnyDesign, type ConnectedTable, type ConnectOptions, type Cost, meter, type Runtime, type Table } from '@freehold/table'

/** What one asking cost, and how much it was answered with: a verdict, or so many items. */
export interface Asked {
  readonly cost: Cost
  readonly answer: boolean | number
}

/** A question as it is asked of each tenant. */
export interface Line<K extends Decider, O> {
  readonly question: string
  readonly about: string
  /** Must cost the same at any size. False where there is less to answer in a small tenant. */
  readonly isBound: boolean
  /** The answer that each must give; absent where it hangs on the size. */
  readonly answer?: boolean | number
  /** One asking for each user that it is asked about. */
  readonly asks: (of: O) => readonly ((decider: K, how: Asking) => Promise<boolean | number>)[]
}

/** A design with its tenants of several sizes. */
export interface Growing<D extends AnyDesign, K extends Decider, O> {
  readonly design: D
  readonly jobHandlers: NonNullable<ConnectOptions['jobHandlers']>
  readonly sizes: readonly { readonly users: number }[]
  readonly decide: (runtime: Runtime, options: DeciderOptions) => K
  /** Once for a table. */
  readonly prepare: (table: Table<D>) => Promise<void>
  readonly tenantOfSize: (table: Table<D>, name: string, index: number) => Promise<O>
  readonly lines: readonly Line<K, O>[]
}

/** So many users are asked about, of each kind at most, spread over all of it: what holds for one of them must hold for any. */
const askedMax = 5

export function spread(ids: readonly string[]): readonly string[] {
  if (ids.length <= askedMax) return ids
  return numbers(askedMax).flatMap((at) => ids[Math.floor((at * (ids.length - 1)) / (askedMax - 1))] ?? [])
}

export const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)

export const states = ['warm', 'cold', 'strong'] as const
export type State = (typeof states)[number]

/** Out of reach, so that nothing grows cold while it is asked. */
const maxStalenessMs = 3_600_000

/** Asks a question in each state: with definitions in memory, with a memory that is empty, and past the memory. */
export async function ask<K extends Decider, O>(
  { runtime }: Pick<ConnectedTable, 'runtime'>,
  decide: Growing<AnyDesign, K, O>['decide'],
  line: Line<K, O>,
  of: O,
): Promise<Readonly<Record<State, readonly Asked[]>>> {
  const asked: Record<State, Asked[]> = { warm: [], cold: [], strong: [] }
  for (const work of line.asks(of)) {
    const decider = decide(runtime, { maxStalenessMs })
    const metered = async (consistency: 'bounded' | 'strong'): Promise<Asked> => {
      const { result, cost } = await meter(() => work(decider, { consistency }))
      if (line.answer !== undefined && result !== line.answer)
        throw new Error(`${line.question} of ${line.about} answered ${result}, not ${line.answer}.`)
      return { cost, answer: result }
    }
    asked.cold.push(await metered('bounded'))
    asked.warm.push(await metered('bounded'))
    asked.strong.push(await metered('strong'))
  }
  return asked
}
