import { accountManagement, decideAccountManagement, offeredAccountFlows } from '@freehold/designs/account-management'
import { decidePlatform, platform } from '@freehold/designs/platform'
import type { Decider } from '@freehold/frame/decision'
import { type AnyDesign, connect } from '@freehold/table'
import { ensureTable } from '@freehold/table/runtime'
import { startBenchEngine } from '../engine.js'
import { platformLines } from './account-lines.js'
import { accountOfSize } from './account-of-size.js'
import { type Asked, ask, type Growing, states } from './asked.js'
import { lines } from './client-lines.js'
import { clientOfSize, fillCatalogue, type Size } from './client-of-size.js'

// What a decision costs in a tenant with 10 users, and in one with 100,000: round trips, requests and read units, which are exact.

const clientSizes: readonly Size[] = [
  { users: 10, projects: 1, buildingsOfProject: 1 },
  { users: 1_000, projects: 5, buildingsOfProject: 5 },
  { users: 100_000, projects: 50, buildingsOfProject: 10 },
]
const accountSizes = [{ users: 10 }, { users: 1_000 }, { users: 100_000 }] as const

const costOf = ({ cost: { roundTrips, requests, readUnits } }: Asked) => `${roundTrips} / ${requests} / ${readUnits}`

/** Each cost that was seen: one, where it is the same for every user that was asked about. */
const costsOf = (asked: readonly Asked[]) => [...new Set(asked.map(costOf))].join(' or ')

const verdicts = ['same', 'differs', 'same where as much is answered'] as const
type Verdict = (typeof verdicts)[number]

/** Compares tenants; where a small one has less to answer, those that answer as much. */
function verdictOf(all: readonly (readonly Asked[])[]): Verdict {
  if (new Set(all.flat().map(costOf)).size === 1) return 'same'
  const byAnswer = new Map<string, Set<string>>()
  for (const asked of all.flat()) byAnswer.set(String(asked.answer), (byAnswer.get(String(asked.answer)) ?? new Set()).add(costOf(asked)))
  const isByAnswer = byAnswer.size > 1 && [...byAnswer.values()].every((costs) => costs.size === 1)
  return isByAnswer ? 'same where as much is answered' : 'differs'
}

function printed(cells: readonly string[]): string {
  const widths = [7, 36, 8, ...cells.slice(4).map(() => 18)]
  return cells
    .map((cell, index) => cell.padEnd(widths[index] ?? 0))
    .join('')
    .trimEnd()
}

async function grow<D extends AnyDesign, K extends Decider, O>(growing: Growing<D, K, O>): Promise<number> {
  const { design, jobHandlers = {}, sizes, decide } = growing
  const engine = await startBenchEngine()
  const table = connect(design, { dynamo: { endpoint: engine.endpoint }, jobHandlers })
  try {
    await ensureTable(table.runtime)
    await growing.prepare(table)
    const tenants: O[] = []
    for (const [index, size] of sizes.entries()) {
      const before = performance.now()
      tenants.push(await growing.tenantOfSize(table, `tenant${index}`, index))
      const seconds = ((performance.now() - before) / 1000).toFixed(1)
      const rss = (process.memoryUsage().rss / 2 ** 20).toFixed(0)
      console.log(`${String(size.users).padStart(7)} users written in ${seconds} s, RSS ${rss} MB   ${JSON.stringify(size)}`)
    }
    console.log(`\n${design.name}: round trips / requests / read units, in a tenant with so many users\n`)
    console.log(printed(['', '', '', ...sizes.map(({ users }) => String(users)), '']))
    let broken = 0
    for (const line of growing.lines) {
      const asked = []
      for (const tenant of tenants) asked.push(await ask(table, decide, line, tenant))
      for (const state of states) {
        const costs = asked.map((each) => each[state])
        const verdict = verdictOf(costs)
        if (verdict === 'differs' || (line.isBound && verdict !== 'same')) broken++
        console.log(printed([line.question, line.about, state, ...costs.map(costsOf), verdict]))
      }
    }
    console.log(broken === 0 ? '\nNo decision costs more in a larger tenant.' : `\n${broken} lines differ that must not.`)
    return broken
  } finally {
    table.close()
    await engine.stop()
  }
}

const designs: Readonly<Record<string, () => Promise<number>>> = {
  'account-management': () =>
    grow({
      ...{ design: accountManagement, jobHandlers: offeredAccountFlows.jobHandlers, sizes: clientSizes, decide: decideAccountManagement },
      ...{ prepare: fillCatalogue, lines },
      tenantOfSize: (table, name, index) =>
        clientOfSize(table, name, clientSizes[index] ?? { users: 0, projects: 0, buildingsOfProject: 0 }),
    }),
  platform: () =>
    grow({
      ...{ design: platform, jobHandlers: {}, sizes: accountSizes, decide: decidePlatform, lines: platformLines },
      prepare: async () => {},
      tenantOfSize: (table, name, index) => accountOfSize(table, name, accountSizes[index]?.users ?? 0),
    }),
}

const [name = 'account-management'] = process.argv.slice(2)
const run = designs[name]
if (run === undefined) throw new Error(`There is no growth of ${name}, but of ${Object.keys(designs).join(' and ')}.`)
process.exit((await run()) === 0 ? 0 : 1)
