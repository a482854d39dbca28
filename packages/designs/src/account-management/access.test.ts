import type { Consistency } from '@freehold/frame/decision'
import { operator } from '@freehold/frame/flow'
import type { Stored } from '@freehold/table/runtime'
import { restoreItems } from '@freehold/table/testing'
import { describe, expect, test } from 'vitest'
import { type AccountCase, AccountIds, accountCases, accountItems, pathsIn, type Step } from '../../test/account-cases.ts'
import { checkedAccountFlows } from '../../test/account-flows.ts'
import { ownTableOf } from '../../test/own-table.ts'
import type { AccountAccessQuestion } from './decide.ts'
import { type AccountDecider, decideAccountManagement } from './decide.ts'
import { accountManagement } from './design.ts'
import type { AccountTable } from './flows/account-host.ts'
import { accountFlows } from './flows/flows.ts'
import { covers } from './permission/patterns.ts'
import { readAccess } from './snapshot/read-access.ts'

const { now, organisation, cases } = accountCases(new URL('./cases/access.cases.yaml', import.meta.url))
const newTable = () => ownTableOf(accountManagement, { now: () => new Date(now), jobHandlers: checkedAccountFlows.jobHandlers })
/** Of all cases without steps, one after the other. */
const table = await newTable()

const parts = { module: 'devices', action: 'read', resource: 'camera' }
const accountFlowNames = Object.keys(accountFlows) as (keyof typeof accountFlows)[]

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
  const whole = { user: '$ada', client: '$acme', project: '$harbour', building: '$pier', permission: parts, ...question }
  const fields = Object.entries(whole).flatMap(([field, value]) => (value === null ? [] : [[field, valueIn(ids, value)]]))
  // The fields of the default question, of which a case changes some.
  const asked = Object.fromEntries(fields) as AccountAccessQuestion
  const { user, client = '', project, building } = asked
  const place = about.place === undefined ? (building ?? project ?? client) : ids.of(about.place)
  return {
    items: [...items.values()],
    ids,
    asked,
    paths: pathsIn(all, ids),
    about: {
      user: about.user === undefined ? user : ids.of(about.user),
      place,
      chain: about.place === undefined ? [client, project, building] : [place],
    },
  }
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

type Prepared = ReturnType<typeof prepared>

/** Does one step of a case, or is refused as the case says. */
async function done({ do: name, with: more, at, as, refused }: Step, ids: AccountIds, own: AccountTable): Promise<void> {
  const flow = accountFlowNames.find((each) => each === name)
  if (flow === undefined) throw new Error(`There is no flow ${name}.`)
  const [scope_type, scope_id] = at?.split(' ') ?? []
  const input: unknown = JSON.parse(ids.in(JSON.stringify(at === undefined ? more : { ...more, scope_type, scope_id: `$${scope_id}` })))
  const actor = as === undefined ? operator : ({ kind: 'user', user_id: ids.of(as) } as const)
  // Each flow validates its input itself.
  const result = checkedAccountFlows.of(own, { actor })[flow](input as never)
  if (refused === undefined) await result
  else await expect(result).rejects.toMatchObject({ code: refused })
}

const ofPlaces = ['UnknownClient', 'UnknownProject', 'UnknownBuilding', 'ClientSuspended', 'NotEntitled']
const ofUsers = ['UnknownUser', 'UserDisabled']
const ofReach = [...ofUsers, 'ClientSuspended']
/** Denials that a list tells as well, of those that could be about what it is asked: an empty list says nothing of them. */
const closes: Readonly<Record<string, readonly string[]>> = {
  what: [...ofPlaces, ...ofUsers, 'BeingDeleted', 'ForeignUser'],
  who: ofPlaces,
  where: ofReach,
  everywhere: ofReach,
}

/** The answers of all questions and both snapshots. */
async function answersOf(decider: AccountDecider, { asked, about }: Prepared, consistency: Consistency) {
  const { user, permission, client, project, building, ...module } = asked
  const { permission: _, ...place } = asked
  const { user: _u, ...thing } = asked
  const can = await decider.can(asked, { consistency })
  const why = await decider.why(asked, { consistency })
  const what = await decider.what(place, { consistency })
  const who = await decider.who(thing, { consistency })
  const where = await decider.where({ user, permission, ...module }, { consistency })
  const everywhere = await decider.where({ user, permission, ...module }, { consistency, expand: true })
  const path = everywhere.items.find(({ scope_id }) => scope_id === about.place)
  // Each scope that is listed covers all beneath it.
  const chain = path === undefined ? about.chain : [path.client_id, path.project_id, path.building_id]
  const isListed = where.items.some(({ scope_id }) => chain.includes(scope_id))
  return {
    can,
    why,
    reasons: { what: what.reason, who: who.reason, where: where.reason, everywhere: everywhere.reason },
    lists: {
      what: what.items.some((item) => covers(item.permission, parts)),
      who: who.items.some(({ user_id }) => user_id === about.user),
      where: module.module_id === undefined ? isListed : path !== undefined,
      everywhere: path !== undefined,
    },
    snapshot: await decider.access(place, { consistency }),
    snapshotOfAll: await decider.access({ user }, { consistency }),
  }
}

/** The answers to a case, by a decider that was asked before its steps were done, and so remembers how things were then. */
async function answered(one: AccountCase, consistency: Consistency) {
  const ready = prepared(one)
  const { items, ids, about, paths } = ready
  const { steps = [] } = one
  if (steps.length === 0) await laidOut(items)
  const own = steps.length === 0 ? table : await newTable()
  const decider = decideAccountManagement(own.runtime)
  if (steps.length > 0) {
    await restoreItems(own.runtime, items)
    await answersOf(decider, ready, consistency)
    for (const step of steps) await done(step, ids, own)
  }
  const answers = await answersOf(decider, ready, consistency)
  const known = paths.get(about.place)
  const moved = known?.building === undefined ? undefined : await own.BuildingPlace.get({ id: known.building }, { consistent: true })
  const path = known === undefined || moved === undefined ? known : { ...known, project: moved.project_id }
  const { user, permission } = ready.asked
  // A snapshot of all places takes a path for what the one who asks has read, and knows of no module. What is nowhere has none.
  const isAllowedThere = path !== undefined && (await decider.can({ user, permission, ...path }, { consistency })).allowed
  return { ...answers, isAllowedThere, path: path ?? { client: about.place } }
}

test('there are at least 150 cases, each with a name of its own', () => {
  expect(cases.length).toBeGreaterThanOrEqual(150)
  expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length)
})

describe.each(cases.map((one) => [one.name, one] as const))('%s', (_, one) => {
  const allowed = one.answer === 'allowed'

  test.each(['bounded', 'strong'] as const)(
    `is answered alike by all five questions and by snapshots, %s: ${allowed}`,
    async (consistency) => {
      const { can, why, lists, reasons, snapshot, snapshotOfAll, isAllowedThere, path } = await answered(one, consistency)
      expect(can).toEqual(one.answer === 'allowed' ? { allowed } : { allowed, reason: expect.objectContaining(one.answer) })
      expect({ ...why, chains: [], missing: [] }).toEqual({ ...can, chains: [], missing: [] })
      expect(why.chains.length > 0).toBe(allowed)
      expect(why.missing.length > 0).toBe(!allowed)
      for (const [question, is] of Object.entries(lists)) {
        if (!one.differs?.some((name) => name === question)) expect({ [question]: is }).toEqual({ [question]: allowed })
      }
      for (const [question, reason] of Object.entries(reasons)) {
        const isClosed = closes[question]?.includes(can.reason?.code ?? '') === true
        const told = one.tells?.[question]
        if (told !== undefined) {
          expect({ [question]: reason?.code ?? 'nothing' }).toEqual({ [question]: told })
          continue
        }
        if (can.reason?.kind !== 'fault' && can.reason?.kind !== 'unknown')
          expect({ [question]: reason }).toEqual({ [question]: isClosed ? can.reason : undefined })
        else if (isClosed) expect({ [question]: reason }).toEqual({ [question]: can.reason })
      }
      const sent = readAccess(JSON.parse(JSON.stringify(snapshot)), { now_ms: () => Date.parse(now) })
      expect({ snapshot: snapshot.can(parts), sent: sent.can(parts) }).toEqual({ snapshot: allowed, sent: allowed })
      // If something else is granted, nothing says why this is not.
      if (snapshot.grants.length === 0) expect(snapshot.reason?.kind).toBe(can.reason?.kind)
      if (snapshot.grants.length === 0 && can.reason?.code !== 'NoGrant') expect(snapshot.reason).toEqual(can.reason)
      // Like the list of scopes, a snapshot of all places does not know what is gone beneath one.
      const isOpen = one.differs?.includes('where') ? snapshotOfAll.grants.length > 0 : isAllowedThere
      expect({ snapshotOfAll: snapshotOfAll.can(parts, path) }).toEqual({ snapshotOfAll: isOpen })
    },
  )
})
