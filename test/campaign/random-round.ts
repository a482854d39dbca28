import { FaultDeck, type FaultKind, faultKinds } from './fault-deck.ts'
import { randomOf } from './random.ts'
import { type RoundRecord, runRound } from './run-round.ts'
import { runWorkers } from './run-workers.ts'

export interface RandomRoundOptions {
  /** The bundled worker. */
  readonly worker: string
  readonly seed: number
  /** Calls of each lane, of which a process has as many of each design. */
  readonly calls: number
  /** However slow the machine is, no call begins after this. */
  readonly run_ms_max: number
  readonly processes?: number
  readonly lanes?: number
  /** All kinds unless given. */
  readonly kinds?: readonly FaultKind[]
}

/** A round of random load: three processes, unless told otherwise, and faults that are drawn. */
export function runRandomRound(options: RandomRoundOptions): Promise<RoundRecord> {
  const { worker, seed, calls, run_ms_max, processes = 3, lanes = 2, kinds = faultKinds } = options
  const deck = new FaultDeck(randomOf(seed, 1), kinds)
  return runRound({
    seed,
    deal: (operation, input) => {
      const kind = deck.deal(operation, input)
      return kind === undefined ? undefined : { kind }
    },
    load: ({ endpoint, tables, bounds }) => runWorkers(worker, processes, { endpoint, tables, seed, lanes, calls, run_ms_max, bounds }),
  })
}
