import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bundle } from '../bundle.js'
import { checkRound, describeFinding, shownOf, summaryOf } from './check/check-round.ts'
import { faultKinds } from './fault-deck.ts'
import { runRandomRound } from './random-round.ts'
import { sum, tallyLines, tallyOf } from './tally.ts'

// Three processes load tables of four designs through a proxy that loses, delays, repeats and refuses. Afterwards the tables are compared with what the
// processes were told. Calls and faults are drawn from the seed; at which moment they meet is left to the machine, so that no two runs are alike.
// `npm run campaign` goes on for as long as it is told.

const seed = 20_261_122
/** Calls of each of the lanes; 30 of them. */
const calls = 70
/** However slow the machine is. */
const run_ms_max = 240_000
/** Findings of each rule that are shown whole. */
const shown_max = 2

test('the tables hold what three processes were told under faults', async () => {
  const worker = await bundle(join(import.meta.dirname, 'worker.ts'))
  const record = await runRandomRound({ worker, seed, calls, run_ms_max })
  const { findings, undecided } = checkRound(record)
  const tally = tallyOf(record)
  console.log(`seed ${seed}\n${tallyLines(tally)}\nhistories too long to search: ${undecided}`)
  const shown = shownOf(findings, shown_max).map((finding) => describeFinding(finding, record))
  expect(findings.length, `seed ${seed}, findings: ${summaryOf(findings)}\n\n${shown.join('\n\n')}`).toBe(0)
  expect(sum(tally.calls)).toBeGreaterThan(1500)
  expect(sum(tally.faults)).toBeGreaterThan(250)
  for (const kind of [...faultKinds, 'conflict']) expect(tally.faults[kind], kind).toBeGreaterThan(0)
})
