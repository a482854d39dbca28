import type { Entry } from './record.ts'
import { runProcess } from './run-process.ts'
import type { Loaded } from './run-round.ts'
import type { WorkerOptions } from './worker-options.ts'

/** Beyond its time, a worker may take so long for the calls that are under way then; longer is a finding, and it is killed. */
const grace_ms = 45_000

/** Runs the processes of a round side by side, to their end. */
export async function runWorkers(file: string, count: number, options: Omit<WorkerOptions, 'process'>): Promise<Loaded> {
  const entries: Entry[] = []
  const numbers = Array.from({ length: count }, (_, index) => index + 1)
  const failures = await Promise.all(
    numbers.map(async (process) => {
      // A worker writes what `makeCall` gives.
      const onResult = (entry: unknown) => entries.push(entry as Entry)
      const failure = await runProcess(file, { ...options, process }, options.run_ms_max + grace_ms, onResult)
      return failure === undefined ? [] : [`Process ${process} ${failure}`]
    }),
  )
  const findings = failures.flat().map((message) => ({ rule: 'end', message }))
  return { entries: entries.sort((a, b) => a.start_ms - b.start_ms), findings }
}
