import { randomUUID } from 'node:crypto'
import { connect, ensureTable, restoreItems, type Stored } from '@freehold/table'
import { describe, expect, inject, test } from 'vitest'
import { type AccountCase, AccountIds, accountCases, accountItems } from '../../test/account-cases.ts'
import { decideAccountManagement } from './decide.ts'
import { covers } from './deciding/permission.ts'
import type { AccountAccessQuestion } from './deciding/question.ts'
import { accountManagement } from './design.ts'

const { now, organisation, cases } = accountCases(new URL('./cases/access.cases.yaml', import.meta.url))
const table = connect(accountManagement, {
  table: `account-cases-${randomUUID()}`,
  dynamo: { endpoint: inject('endpoint') },
  now: () => new Date(now),
})
await ensureTable(table.runtime)

const permission = { module: 'devices', action: 'read', resource: 'camera' }

function valueIn(ids: AccountIds, value: unknown): unknown {
  return typeof value === 'string' ? ids.in(value) : value
}

/** The case's items, and its question with the ids that the lists must name. */
function prepared({ add = {}, remove = [], set = [], question = {}, about = {} }: AccountCase) {
  const all = [organisation, add]
  const ids = new AccountIds(all)
  const items = new Map<string, Stored>()
  const at = (PK: string, SK: string) => `${ids.in(PK)} / ${ids.in(SK)}`
  for (const item of all.flatMap((each) => accountItems(each, ids, all))) items.set(`${item.PK} / ${item.SK}`, item)
  for (const [PK, SK] of remove) expect(items.delete(at(PK, SK))).toBe(true)
  for (const [PK, SK, attribute, value] of set) {
    const item = items.get(at(PK, SK))
    if (item === undefined) throw new Error(`There is no ${PK} / ${SK} to change.`)
    items.set(at(PK, SK), { ...item, [attribute]: valueIn(ids, value) })
  }
  const whole = { user: '$ada', client: '$acme', project: '$harbour', building: '$pier', permission, ...question }
  const fields = Object.entries(whole).flatMap(([field, value]) => (value === null ? [] : [[field, valueIn(ids, value)]]))
  // The fields of the default question, of which a case changes some.
  const asked = Object.fromEntries(fields) as AccountAccessQuestion
  const { user, client = '', project, building } = asked
  const place = about.place === undefined ? (building ?? project ?? client) : ids.of(about.place)
  return { items: [...items.values()], asked, about: { user: about.user === undefined ? user : ids.of(about.user), place } }
}

/** Puts these items into the table, in place of those of the case before. */
const before = new Map<string, Stored>()
async function laidOut(items: readonly Stored[]) {
  const wanted = new Map(items.map((item) => [`${item.PK} / ${item.SK}`, item]))
  const { sender, table: TableName } = table.runtime
  for (const [place, { PK, SK }] of before)
    if (!wanted.has(place)) await sender.send('DeleteItem', { TableName, Key: { PK: { S: String(PK) }, SK: { S: String(SK) } } })
  const changed = [...wanted].filter(([place, item]) => JSON.stringify(before.get(place)) !== JSON.stringify(item))
  await restoreItems(
    table.runtime,
    changed.map(([, item]) => item),
  )
  before.clear()
  for (const [place, item] of wanted) before.set(place, item)
}

test('there are at least 150 cases, each with a name of its own', () => {
  expect(cases.length).toBeGreaterThanOrEqual(150)
  expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length)
})

describe.each(cases)('$name', (one) => {
  const allowed = one.answer === 'allowed'

  test.each(['bounded', 'strong'] as const)(`is answered alike by all five questions, %s: ${allowed}`, async (consistency) => {
    const { items, asked, about } = prepared(one)
    await laidOut(items)
    const decider = decideAccountManagement(table.runtime)
    const { user, permission, ...place } = asked
    const { client: _c, project: _p, building: _b, ...module } = place
    const can = await decider.can(asked, { consistency })
    const why = await decider.why(asked, { consistency })
    const what = await decider.what({ user, ...place }, { consistency })
    const who = await decider.who({ permission, ...place }, { consistency })
    const where = await decider.where({ user, permission, ...module }, { consistency })
    const everywhere = await decider.where({ user, permission, ...module }, { consistency, expand: true })
    const path = everywhere.items.find(({ scope_id }) => scope_id === about.place)
    const asIs = one.about?.place === undefined ? [asked.client, asked.project, asked.building] : [about.place]
    // Each scope that is listed covers all beneath it.
    const chain = path === undefined ? asIs : [path.client_id, path.project_id, path.building_id]
    const lists = {
      what: what.items.some((item) => covers(item.permission, { module: 'devices', action: 'read', resource: 'camera' })),
      who: who.items.some(({ user_id }) => user_id === about.user),
      where: module.module_id === undefined ? where.items.some(({ scope_id }) => chain.includes(scope_id)) : path !== undefined,
      everywhere: path !== undefined,
    }
    expect(can).toEqual(one.answer === 'allowed' ? { allowed } : { allowed, reason: expect.objectContaining(one.answer) })
    expect({ ...why, chains: [], missing: [] }).toEqual({ ...can, chains: [], missing: [] })
    expect(why.chains.length > 0).toBe(allowed)
    expect(why.missing.length > 0).toBe(!allowed)
    for (const [question, is] of Object.entries(lists)) {
      if (!one.differs?.some((name) => name === question)) expect({ [question]: is }).toEqual({ [question]: allowed })
    }
  })
})
