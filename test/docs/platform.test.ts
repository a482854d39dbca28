import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { decidePlatform, flowMenus, platform } from '@freehold/designs/platform'
import type { Consistency, Decider, QuestionName } from '@freehold/frame/decision'
import { meter } from '@freehold/table'
import { describe, expect, test } from 'vitest'
import { accountQuestion } from '../../packages/cli/src/sample/account.ts'
import { loadAccount } from '../../packages/cli/src/sample/load-account.ts'
import { ownTableOf } from '../engine/own-table.ts'
import { pageAt, sectionOf } from './pages.ts'

const page = pageAt('docs/reference/platform.md')
const rows = [...sectionOf(page, '## What a question costs').matchAll(/^\| `(\w+)` \| (\d) \| (\d) \| (\d) \|$/gm)].map(
  ([, question, warm, byId, byAddress]) => ({
    // The table's first column names questions.
    question: question as QuestionName,
    shown: { warm: Number(warm), byId: Number(byId), byAddress: Number(byAddress) },
  }),
)

const table = await ownTableOf(platform)
await loadAccount(table)

async function trips(question: QuestionName, user: string, consistencies: readonly Consistency[]): Promise<number[]> {
  const decider: Decider = decidePlatform(table.runtime, { maxStalenessMs: 600_000 })
  const all = Object.entries({ ...accountQuestion, user })
  const asked = Object.fromEntries(all.filter(([field]) => decider.fields[question].includes(field)))
  const counts: number[] = []
  for (const consistency of consistencies)
    counts.push((await meter<unknown>(() => decider[question](asked, { consistency }))).cost.roundTrips)
  return counts
}

describe.each(rows)('the round trips that platform.md says of $question', ({ question, shown }) => {
  test('are those that it takes', async () => {
    const [byId, warm] = await trips(question, 'ada', ['bounded', 'bounded'])
    const [byAddress, warmByAddress] = await trips(question, 'ada@example.org', ['bounded', 'bounded'])
    expect({ warm, byId, byAddress }).toEqual(shown)
    expect(warmByAddress).toBe(warm)
    expect([await trips(question, 'ada', ['strong']), await trips(question, 'ada@example.org', ['strong'])]).toEqual([[byId], [byAddress]])
  })
})

test('platform.md says them of all five questions', () => {
  expect(rows.map(({ question }) => question)).toEqual(['can', 'why', 'what', 'who', 'where'])
})

test('platform.md has every code by which something refuses whatever the roles', () => {
  const said = [...sectionOf(page, '## Questions').matchAll(/^\| (?:`policy`)? ?\| `(\w+)`/gm)].map(([, code]) => code)
  const declared = readFileSync(join(import.meta.dirname, '../../packages/designs/src/platform/access.ts'), 'utf8')
  const codes = [...declared.matchAll(/codes: \{(.*)\}/g)].flatMap(([, all = '']) => [...all.matchAll(/'(\w+)'/g)].map(([, code]) => code))
  expect(codes.length).toBeGreaterThan(3)
  expect([...said].sort()).toEqual([...new Set(codes), 'NoGroup', 'NoGrant'].sort())
})

test('platform.md has each flow that a user may call, with its menu and action', () => {
  const said = [...sectionOf(page, '## Flows').matchAll(/^\| `([\w-]+)` \| ([\w, ]+) \| (.+) \|$/gm)].map(
    ([, menu = '', actions = '', flows = '']) => {
      return { menu, actions: actions.split(', ').sort(), flows: [...flows.matchAll(/`(\w+)`/g)].map(([, name = '']) => name).sort() }
    },
  )
  const all = Object.entries(flowMenus)
  const wanted = [...new Set(all.map(([, { menu }]) => menu))].map((menu) => {
    const own = all.filter(([, each]) => each.menu === menu)
    return { menu, actions: [...new Set(own.map(([, { action }]) => action))].sort(), flows: own.map(([name]) => name).sort() }
  })
  expect(said).toEqual(wanted)
})
