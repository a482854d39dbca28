import { decideRebac, rebac } from '@freehold/designs/rebac'
import type { Consistency, Decider, QuestionName } from '@freehold/frame/decision'
import { meter } from '@freehold/table'
import { describe, expect, test } from 'vitest'
import { ownTableOf } from '../engine/own-table.ts'
import { loadExamples } from './organisation.ts'
import { pageAt, sectionOf } from './pages.ts'

const section = sectionOf(pageAt('docs/concepts/decisions.md'), '## Cost of a question')
const rows = [...section.matchAll(/^\| `(\w+)` \| (\d) \| (\d) \| (\d) \|$/gm)].map(([, question, warm, byIds, byNames]) => ({
  // The table's first column names questions.
  question: question as QuestionName,
  shown: { warm: Number(warm), byIds: Number(byIds), byNames: Number(byNames) },
}))

const names = { user: 'ada@example.org', location: 'NYC001', page: 'dashboard' }
let ids = names
const table = await ownTableOf(rebac)
await loadExamples(table)
const identity = await table.userIdOfEmail({ email: names.user })
const location = await table.locationIdOfCode({ locationCode: names.location })
ids = { ...names, user: identity?.userId ?? '', location: location?.locationId ?? '' }

async function trips(question: QuestionName, asked: typeof names, consistencies: readonly Consistency[]): Promise<number[]> {
  const decider: Decider = decideRebac(table.runtime, { maxStalenessMs: 600_000 })
  const fields = Object.fromEntries(Object.entries(asked).filter(([field]) => decider.fields[question].includes(field)))
  const all: number[] = []
  for (const consistency of consistencies)
    all.push((await meter<unknown>(() => decider[question](fields, { consistency }))).cost.roundTrips)
  return all
}

describe.each(rows)('the round trips that decisions.md says of $question', ({ question, shown }) => {
  test('are those that it takes', async () => {
    const [byIds, warm] = await trips(question, ids, ['bounded', 'bounded'])
    const [byNames, warmByNames] = await trips(question, names, ['bounded', 'bounded'])
    expect({ warm, byIds, byNames }).toEqual(shown)
    expect(warmByNames).toBe(warm)
    expect(await trips(question, ids, ['strong'])).toEqual([byIds])
    expect(await trips(question, names, ['strong'])).toEqual([byNames])
  })
})

test('decisions.md says them of all five questions', () => {
  expect(rows.map(({ question }) => question)).toEqual(['can', 'why', 'what', 'who', 'where'])
})
