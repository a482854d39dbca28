import { accountManagement, offeredAccountFlows } from '@freehold/designs/account-management'
import { connect } from '@freehold/table'
import { ensureTable } from '@freehold/table/runtime'
import { startBenchEngine } from '../engine.js'
import { type Asked, ask, lines, states } from './asked.js'
import { type ClientOfSize, clientOfSize, fillCatalogue, type Size } from './client-of-size.js'

// What a decision costs in a client with 10 users, and in one with 100,000: round trips, requests and read units, which are exact.

const sizes: readonly Size[] = [
  { users: 10, projects: 1, buildingsOfProject: 1 },
  { users: 1_000, projects: 5, buildingsOfProject: 5 },
  { users: 100_000, projects: 50, buildingsOfProject: 10 },
]

const costOf = ({ cost: { roundTrips, requests, readUnits } }: Asked) => `${roundTrips} / ${requests} / ${readUnits}`

/** Each cost that was seen: one, where it is the same for every user that was asked about. */
const costsOf = (asked: readonly Asked[]) => [...new Set(asked.map(costOf))].join(' or ')

const verdicts = ['same', 'differs', 'same where as much is answered'] as const
type Verdict = (typeof verdicts)[number]

/** Compares clients; where a small one has less to answer, those that answer as much. */
function verdictOf(all: readonly (readonly Asked[])[]): Verdict {
  if (new Set(all.flat().map(costOf)).size === 1) return 'same'
  const byAnswer = new Map<string, Set<string>>()
  for (const asked of all.flat()) byAnswer.set(String(asked.answer), (byAnswer.get(String(asked.answer)) ?? new Set()).add(costOf(asked)))
  const isByAnswer = byAnswer.size > 1 && [...byAnswer.values()].every((costs) => costs.size === 1)
  return isByAnswer ? 'same where as much is answered' : 'differs'
}

function printed(cells: readonly string[]): string {
  const widths = [7, 36, 8, ...sizes.map(() => 18)]
  return cells
    .map((cell, index) => cell.padEnd(widths[index] ?? 0))
    .join('')
    .trimEnd()
}

async function main(): Promise<number> {
  const engine = await startBenchEngine()
  const table = connect(accountManagement, { dynamo: { endpoint: engine.endpoint }, jobHandlers: offeredAccountFlows.jobHandlers })
  try {
    await ensureTable(table.runtime)
    await fillCatalogue(table)
    const clients: ClientOfSize[] = []
    for (const [index, size] of sizes.entries()) {
      const before = performance.now()
      clients.push(await clientOfSize(table, `client${index}`, size))
      const seconds = ((performance.now() - before) / 1000).toFixed(1)
      const rss = (process.memoryUsage().rss / 2 ** 20).toFixed(0)
      console.log(`${String(size.users).padStart(7)} users written in ${seconds} s, RSS ${rss} MB   ${JSON.stringify(size)}`)
    }
    console.log('\nround trips / requests / read units, in a client with so many users\n')
    console.log(printed(['', '', '', ...sizes.map(({ users }) => String(users))]))
    let broken = 0
    for (const line of lines) {
      const asked = []
      for (const client of clients) asked.push(await ask(table.runtime, line, client))
      for (const state of states) {
        const costs = asked.map((each) => each[state])
        const verdict = verdictOf(costs)
        if (verdict === 'differs' || (line.isBound && verdict !== 'same')) broken++
        console.log(printed([line.question, line.about, state, ...costs.map(costsOf), verdict]))
      }
    }
    console.log(broken === 0 ? '\nNo decision costs more in a larger client.' : `\n${broken} lines differ that must not.`)
    return broken
  } finally {
    table.close()
    await engine.stop()
  }
}

process.exit((await main()) === 0 ? 0 : 1)
