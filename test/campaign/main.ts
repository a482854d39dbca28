import { parseArgs } from 'node:util'
import { checkRound, describeFinding } from './check/check-round.ts'
import { runRound } from './run-round.ts'
import { addTallies, type Tally, tallyLines, tallyOf } from './tally.ts'

const usage = 'npm run campaign -- [--seed N] [--minutes M]'

/** One round: so long that contention builds up, so short that the history of an item can be searched through. */
const round_ms = 20_000
const minutesDefault = 5
const minutesMax = 24 * 60
/** Findings of one round that are printed whole. */
const shownMax = 10

/**
 * The long form: rounds on new tables, each with a seed of its own, until the minutes are over. A round that finds something is printed and is the last.
 * @param worker the bundled worker
 * @returns the exit code
 */
export async function campaign(args: readonly string[], worker: string): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: { seed: { type: 'string' }, minutes: { type: 'string' } } })
  const seed = Number(values.seed ?? Date.now() % 1_000_000)
  const minutes = Number(values.minutes ?? minutesDefault)
  if (!Number.isInteger(seed) || !(minutes > 0 && minutes <= minutesMax)) {
    console.error(usage)
    return 2
  }
  const end = performance.now() + minutes * 60_000
  let tally: Tally | undefined
  let undecided = 0
  let round = 0
  do {
    const record = await runRound({ worker, seed: seed + round, run_ms: Math.min(round_ms, Math.max(1000, end - performance.now())) })
    const checked = checkRound(record)
    tally = tally === undefined ? tallyOf(record) : addTallies(tally, tallyOf(record))
    undecided += checked.undecided
    round += 1
    console.log(`round ${round}, seed ${record.seed}: ${record.entries.length} calls, ${checked.findings.length} findings`)
    if (checked.findings.length > 0) {
      for (const finding of checked.findings.slice(0, shownMax)) console.log(`\n${describeFinding(finding, record)}`)
      console.log(`\n${summary(checked.findings.map(({ rule }) => rule))}\n${tallyLines(tally)}`)
      console.log(`Found with --seed ${record.seed}: the same calls and faults are drawn again, at other moments.`)
      return 1
    }
  } while (performance.now() < end)
  console.log(`${tallyLines(tally)}\nhistories too long to search: ${undecided}\nNothing was found in ${round} rounds from seed ${seed}.`)
  return 0
}

/** How many findings there are of each rule. */
function summary(rules: readonly string[]): string {
  return [...new Set(rules)].map((rule) => `${rule}: ${rules.filter((each) => each === rule).length}`).join('; ')
}
