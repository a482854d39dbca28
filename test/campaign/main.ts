import { parseArgs } from 'node:util'
import { checkRound, describeFinding, shownOf, summaryOf } from './check/check-round.ts'
import { faultKinds } from './fault-deck.ts'
import { inLanes } from './in-lanes.ts'
import { runRandomRound } from './random-round.ts'
import { showSituation } from './situations/show-situation.ts'
import { situations } from './situations/situations.ts'
import { addTallies, type Tally, tallyLines, tallyOf } from './tally.ts'

const usage = `npm run campaign -- [--seed N] [--minutes M] [--faults ${faultKinds.join(',')}]`

/** Calls of one lane in a round: so many that contention builds up, so few that the history of an item can be searched through. */
const calls = 130
const round_ms_max = 60_000
const minutesDefault = 5
const minutesMax = 24 * 60
/** Findings of each rule that are printed whole. */
const shown_max = 3

/** They mostly wait. */
const lanes = 4

/** Brings all situations about once, and prints those that show something. */
async function showSituations(): Promise<boolean> {
  const shown = await inLanes(lanes, situations, showSituation)
  const wrong = shown.filter(({ findings }) => findings.length > 0)
  for (const { name, findings } of wrong) console.log(`\n${name}\n${findings.slice(0, shown_max).join('\n')}`)
  console.log(`${shown.length} situations, ${wrong.length} with findings`)
  return wrong.length === 0
}

/**
 * The long form: situations, and then rounds on new tables, each with a seed of its own, until the minutes are over. A round that finds something is printed and is the last.
 * @param worker the bundled worker
 * @returns the exit code
 */
export async function campaign(args: readonly string[], worker: string): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: { seed: { type: 'string' }, minutes: { type: 'string' }, faults: { type: 'string' } },
  })
  const seed = Number(values.seed ?? Date.now() % 1_000_000)
  const minutes = Number(values.minutes ?? minutesDefault)
  const named = values.faults === undefined ? undefined : values.faults.split(',')
  // To see which faults a finding needs.
  const kinds = faultKinds.filter((kind) => named === undefined || named.includes(kind))
  if (!Number.isInteger(seed) || !(minutes > 0 && minutes <= minutesMax) || kinds.length !== (named ?? kinds).length) {
    console.error(usage)
    return 2
  }
  if (named === undefined && !(await showSituations())) return 1
  const end = performance.now() + minutes * 60_000
  let tally: Tally | undefined
  let undecided = 0
  let round = 0
  do {
    const record = await runRandomRound({
      worker,
      kinds,
      seed: seed + round,
      calls,
      run_ms_max: Math.min(round_ms_max, Math.max(1000, end - performance.now())),
    })
    const checked = checkRound(record)
    tally = tally === undefined ? tallyOf(record) : addTallies(tally, tallyOf(record))
    undecided += checked.undecided
    round += 1
    console.log(`round ${round}, seed ${record.seed}: ${record.entries.length} calls, ${checked.findings.length} findings`)
    if (checked.findings.length > 0) {
      for (const finding of shownOf(checked.findings, shown_max)) console.log(`\n${describeFinding(finding, record)}`)
      console.log(`\nFindings: ${summaryOf(checked.findings)}\n${tallyLines(tally)}`)
      console.log(`Found with --seed ${record.seed}: the same calls and faults are drawn again, at other moments.`)
      return 1
    }
  } while (performance.now() < end)
  console.log(`${tallyLines(tally)}\nhistories too long to search: ${undecided}\nNothing was found in ${round} rounds from seed ${seed}.`)
  return 0
}
