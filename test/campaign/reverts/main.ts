import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { bundle as bundling } from '../../bundle.js'
import { checkRound, summaryOf } from '../check/check-round.ts'
import { inLanes } from '../in-lanes.ts'
import { runRandomRound } from '../random-round.ts'
import { runProcess } from '../run-process.ts'
import type { Shown } from '../situations/show-situation.ts'
import { situations } from '../situations/situations.ts'
import { type Change, patching, type Revert } from './revert.ts'
import { reverts } from './reverts.ts'

const usage = 'npm run campaign:reverts -- [--only TEXT] [--random] [--whole]'

/** As the campaign in npm test. */
const random = { seed: 20_261_122, calls: 85, run_ms_max: 120_000 } as const
/** One process brings all situations about in less. */
const limit_ms = 120_000
/** Each waits most of the time. */
const lanes = 3

interface Row {
  readonly name: string
  /** The situations, what each has shown, and what is wrong with that: it shows what it should not, or not what it should. */
  readonly shown: readonly (Shown & { readonly isWrong: boolean })[]
  readonly failure: string | undefined
  /** The findings of random load, if that was asked for. */
  readonly found?: string
}

interface Campaign {
  readonly bundle: typeof bundling
  /** The campaign's own. */
  readonly directory: string
}

async function randomFindings({ bundle, directory }: Campaign, change: Change | undefined): Promise<string> {
  const worker = await bundle(join(directory, 'worker.ts'), change)
  return summaryOf(checkRound(await runRandomRound({ ...random, worker })).findings)
}

async function showIn(
  { bundle, directory }: Campaign,
  names: readonly string[],
  change: Change | undefined,
): Promise<Pick<Row, 'failure'> & { readonly shown: Shown[] }> {
  const file = await bundle(join(directory, 'situations/run-situations.ts'), change)
  const shown: Shown[] = []
  // The process writes what situations have shown.
  const failure = await runProcess(file, names, limit_ms, (result) => shown.push(result as Shown))
  return { shown, failure }
}

/** The campaign without one of its mends: each of the situations must show that. */
async function runReverted(campaign: Campaign, revert: Revert, isRandom: boolean): Promise<Row> {
  const { change, unused } = patching(revert)
  const { shown, failure } = await showIn(campaign, revert.shownBy, change)
  const left = unused()
  if (left.length > 0) throw new Error(`'${revert.name}': no bundle has ${left.join(', ')}.`)
  const found = isRandom ? { found: await randomFindings(campaign, change) } : {}
  return {
    name: revert.name,
    failure,
    shown: shown.map((each) => ({ ...each, isWrong: each.isMissed || each.findings.length === 0 })),
    ...found,
  }
}

/** The campaign as it is: nothing is found. */
async function runAsItIs(campaign: Campaign): Promise<Row> {
  const { shown, failure } = await showIn(
    campaign,
    situations.map(({ name }) => name),
    undefined,
  )
  const found = await randomFindings(campaign, undefined)
  return { name: 'nothing reverted', failure, shown: shown.map((each) => ({ ...each, isWrong: each.findings.length > 0 })), found }
}

const isWrong = ({ shown, failure }: Row, count: number) =>
  failure !== undefined || shown.length < count || shown.some((each) => each.isWrong)

function print({ name, shown, failure, found }: Row, isWhole: boolean): void {
  console.log(`\n${name}${failure === undefined ? '' : `: the process ${failure}`}`)
  for (const { name: situation, s, findings, isWrong: wrong } of shown) {
    const told = isWhole ? findings : findings.slice(0, 1).map((finding) => finding.split('\n')[0])
    console.log(
      `  ${wrong ? 'WRONG' : 'ok'}  ${s.toFixed(1).padStart(4)} s  ${situation}${told.map((line) => `\n                ${line}`).join('')}`,
    )
  }
  if (found !== undefined) console.log(`  random load, seed ${random.seed}: ${found === '' ? 'nothing' : found}`)
}

/**
 * Takes back one mend after the other, in a bundle and never in the sources, and demands that the campaign finds each, and nothing where none is taken
 * back.
 * @returns the exit code
 */
export async function campaignReverts(campaign: Campaign, args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: { only: { type: 'string' }, random: { type: 'boolean' }, whole: { type: 'boolean' }, help: { type: 'boolean' } },
  })
  if (values.help === true) {
    console.log(usage)
    return 0
  }
  const { only = '' } = values
  const chosen = reverts.filter(({ name }) => name.includes(only))
  const start_ms = performance.now()
  const wrong: string[] = []
  const note = (row: Row, count: number): void => {
    print(row, values.whole === true)
    if (isWrong(row, count)) wrong.push(row.name)
  }
  if (only === '') {
    const row = await runAsItIs(campaign)
    note(row, situations.length)
    if (row.found !== '') wrong.push('random load')
  }
  // Random load needs the machine for itself.
  await inLanes(values.random === true ? 1 : lanes, chosen, async (revert) =>
    note(await runReverted(campaign, revert, values.random === true), revert.shownBy.length),
  )
  const s = Math.round((performance.now() - start_ms) / 1000)
  console.log(
    `\n${chosen.length} reverts, ${situations.length} situations, ${s} s. ${wrong.length === 0 ? 'Each revert is found.' : `Wrong: ${wrong.join('; ')}.`}`,
  )
  return wrong.length === 0 ? 0 : 1
}
