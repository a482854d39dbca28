import { meter } from '@freehold/table'
import { restoreItems } from '@freehold/table/testing'
import { beforeEach, describe, expect, test } from 'vitest'
import { type AccountWork, accountWork, changesOf } from '../../../../test/account-flows.ts'
import { client as clientItems, idOf, user } from '../../../../test/account-items.ts'
import { mentions, wholeTable } from '../../../../test/whole-table.ts'

const day_ms = 86_400_000
let now = Date.parse('2026-03-01T12:00:00.000Z')
const inDays = (days: number) => new Date(now + days * day_ms).toISOString()
let client: string
let building: string
const work = await accountWork({ now: () => new Date(now) })
beforeEach(async () => {
  const { table } = work
  client = (await table.Client.create({ name: 'Ours' })).id
  const project = (await table.Project.create({ client_id: client, name: 'Harbour' })).id
  building = (await table.Building.create({ project_id: project, name: 'Pier' })).id
})

let count = 0
const subscribe = (more: object) =>
  work.table.ServiceSubscription.create({ scope_type: 'building', scope_id: building, module_id: idOf('module', ++count), ...more })
const invite = async () =>
  (await work.flows.inviteUser({ client_id: client, email: `i${++count}@ours.example`, user_type: 'external_tenant' })).id
type Tidied = Awaited<ReturnType<typeof work.flows.sweep>>
function total(items: Tidied['items']) {
  const sum = (name: 'subscriptions_expired' | 'invitations_ended' | 'items_removed' | 'items_looked_at') =>
    items.reduce((all, each) => all + each[name], 0)
  return {
    subscriptions_expired: sum('subscriptions_expired'),
    invitations_ended: sum('invitations_ended'),
    items_removed: sum('items_removed'),
    items_looked_at: sum('items_looked_at'),
  }
}
const swept = async () => total((await work.flows.sweep({ client_id: client })).items)
/** Sweeps everything, so many items at a time. */
async function everywhere(limit = 100_000): Promise<readonly Tidied[]> {
  const pages: Tidied[] = []
  let cursor: string | undefined
  do {
    const page = await work.flows.sweep({ limit, cursor })
    pages.push(page)
    cursor = page.cursor
  } while (cursor !== undefined)
  return pages
}
const actions = async () => (await work.audit(client)).filter(({ action }) => action === 'sweep')

describe('a sweep', () => {
  test('writes what counts already: a subscription past its end, which does not renew itself, is expired', async () => {
    const over = await subscribe({ end_date: inDays(1) })
    const trial = await subscribe({ end_date: inDays(1), status: 'trial' })
    await subscribe({ end_date: inDays(1), auto_renew: true })
    await subscribe({ end_date: inDays(9) })
    await subscribe({})
    now += day_ms
    expect(await swept()).toMatchObject({ subscriptions_expired: 2, invitations_ended: 0, items_removed: 0 })
    const page = await work.table.subscriptionsOfScope({ scope_type: 'building', scope_id: building }, { consistent: true })
    expect(page.items.filter(({ status }) => status === 'expired').map(({ id }) => id)).toEqual([over.id, trial.id])
    expect((await actions()).map((entry) => [entry.entity_id, changesOf(entry)]).sort()).toEqual(
      [
        [over.id, { status: { before: 'active', after: 'expired' } }],
        [trial.id, { status: { before: 'trial', after: 'expired' } }],
      ].sort(),
    )
    expect(await swept()).toMatchObject({ subscriptions_expired: 0 })
  })

  test('says of an invitation that nobody has accepted that it is over, once it is', async () => {
    const [old, accepted] = [await invite(), await invite()]
    await work.flows.acceptInvitation({ id: accepted })
    now += 6 * day_ms
    const recent = await invite()
    expect(await swept()).toMatchObject({ invitations_ended: 0 })
    now += day_ms
    expect(await swept()).toMatchObject({ invitations_ended: 1 })
    expect(await swept()).toMatchObject({ invitations_ended: 0 })
    const state = async (id: string) => (await work.table.User.get({ id }, { consistent: true }))?.invitation_status
    expect([await state(old), await state(accepted), await state(recent)]).toEqual(['expired', 'accepted', 'open'])
    expect(changesOf((await actions())[0])).toEqual({ invitation_status: { before: 'open', after: 'expired' } })
    expect(await work.flows.acceptInvitation({ id: recent })).toMatchObject({ status: 'active' })
    await work.flows.renewInvitation({ id: old })
    expect(await work.flows.acceptInvitation({ id: old })).toMatchObject({ status: 'active' })
  })

  test('takes what is past its end out of the table, with what leads to it, and nothing else', async () => {
    const { table } = work
    const { id: user_id } = await table.User.create({ client_id: client, email: `u${++count}@ours.example`, user_type: 'client_admin' })
    const short = { user_id, expires_at: inDays(1) }
    const gone = [
      (await table.AuthToken.create({ ...short, token_type: 'api' })).id,
      (await table.LoginSession.create(short)).id,
      (await table.AuditLog.create({ client_id: client, action: 'seen', expires_at: inDays(1) })).id,
    ]
    const stays = [(await table.AuthToken.create({ user_id, token_type: 'api' })).id, (await table.LoginSession.create({ user_id })).id]
    now += day_ms
    expect(await swept()).toMatchObject({ items_removed: 3 })
    const left = (await wholeTable(table)).flatMap(({ id }) => (typeof id === 'string' ? [id] : []))
    for (const id of gone) expect(left).not.toContain(id)
    for (const id of stays) expect(left.filter((each) => each === id)).toHaveLength(2)
  })

  test('by many at once changes everything once', async () => {
    for (let each = 0; each < 6; each++) await subscribe({ end_date: inDays(1) })
    now += day_ms
    const results = await Promise.all(Array.from({ length: 4 }, swept))
    expect(results.reduce((sum, { subscriptions_expired }) => sum + subscriptions_expired, 0)).toBe(6)
    expect(await actions()).toHaveLength(6)
  })

  test('tidies what is of no client, too: its audit, internal users with what they have, and what is left of deleted clients', async () => {
    const { table, flows } = work
    await everywhere()
    const { id: internal } = await flows.inviteUser({ email: `i${++count}@example.org`, user_type: 'internal' })
    const short = { user_id: internal, expires_at: inDays(1) }
    const removed = [
      (await table.AuthToken.create({ ...short, token_type: 'api' })).id,
      (await table.LoginSession.create(short)).id,
      (await table.AuditLog.create({ action: 'seen', expires_at: inDays(1) })).id,
      (await table.AuditLog.create({ client_id: client, action: 'seen', expires_at: inDays(1) })).id,
    ]
    await flows.deleteClient({ id: client })
    now += 7 * day_ms
    const [system] = (await flows.sweep({ limit: 100_000 })).items
    expect(system).not.toHaveProperty('client_id')
    expect(system).toMatchObject({ items_removed: 4, invitations_ended: 1, subscriptions_expired: 0 })
    expect(await table.User.get({ id: internal }, { consistent: true })).toMatchObject({ invitation_status: 'expired' })
    const left = JSON.stringify(await wholeTable(table))
    for (const id of removed) expect(left).not.toContain(id)
    now += 365 * day_ms
    await everywhere()
    expect(await mentions(table, client)).toEqual([])
  })

  test.each([1, 2, 3])('%i at a time leaves nothing of a deleted client behind either', async (limit) => {
    const { table, flows } = work
    await flows.deleteClient({ id: client })
    now += 400 * day_ms
    await everywhere(limit)
    expect(await mentions(table, client)).toEqual([])
  })

  test('that ends early and begins anew each time leaves nothing of a deleted client behind either', async () => {
    const { table, flows } = work
    now += 400 * day_ms
    await everywhere()
    const standing = (await flows.sweep({ limit: 100_000 })).items.find(({ client_id }) => client_id === undefined)?.items_looked_at ?? 0
    await table.AuditLog.create({ client_id: client, action: 'seen' })
    await flows.deleteClient({ id: client })
    now += 400 * day_ms
    for (let each = 0; each < 5; each++) await flows.sweep({ limit: standing + 1 })
    expect(await mentions(table, client)).toEqual([])
  })

  test('goes on where its limit has ended it, and through one client after another', async () => {
    const { table, flows } = work
    await everywhere()
    const mine = await subscribe({ end_date: inDays(1) })
    const other = (await table.Client.create({ name: 'Next' })).id
    const { id } = await table.Project.create({ client_id: other, name: 'p' })
    await table.ServiceSubscription.create({ scope_type: 'project', scope_id: id, module_id: idOf('module', 1), end_date: inDays(1) })
    now += day_ms
    const pages = await everywhere(3)
    for (const { items } of pages.slice(0, -1)) expect(total(items).items_looked_at).toBe(3)
    const all = total(pages.flatMap(({ items }) => items))
    expect(all.subscriptions_expired).toBe(2)
    const { scope_type, scope_id, module_id } = mine
    expect(await table.ServiceSubscription.get({ scope_type, scope_id, module_id }, { consistent: true })).toMatchObject({
      status: 'expired',
    })
    const [whole, ...more] = await everywhere()
    expect(more).toEqual([])
    // Each client once, after what is of none; each item once, but for what the sweep itself has written meanwhile.
    const clients = (whole?.items ?? []).map(({ client_id }) => client_id)
    expect(new Set(clients).size).toBe(clients.length)
    expect(clients).toEqual(expect.arrayContaining([client, other]))
    expect(all.items_looked_at).toBe(total(whole?.items ?? []).items_looked_at)
    await expect(flows.sweep({ client_id: other, cursor: String(pages[0]?.cursor) })).rejects.toMatchObject({ code: 'InvalidCursor' })
  })

  test('tells of what does not fit its entity, and tidies the rest', async () => {
    const over = await subscribe({ end_date: inDays(1) })
    const broken = idOf('module', ++count)
    const item = {
      PK: `SCOPE#building#${building}`,
      SK: `SUBSCRIPTION#${broken}`,
      Type: 'ServiceSubscription',
      version: 1,
      client_id: client,
    }
    await restoreItems(work.table.runtime, [{ ...item, tier: 7 }])
    now += day_ms
    const page = await work.flows.sweep({ client_id: client })
    expect(page.malformed).toMatchObject([{ key: { PK: item.PK, SK: item.SK } }])
    expect(total(page.items).subscriptions_expired).toBe(1)
    expect(over.status).toBe('active')
  })

  test('is for operators only', async () => {
    const { id } = await work.table.User.create({ client_id: client, email: `u${++count}@ours.example`, user_type: 'client_admin' })
    await expect(work.acting(id).flows.sweep({ client_id: client })).rejects.toMatchObject({ code: 'Denied' })
    await expect(work.flows.sweep({ client_id: idOf('client', 404) })).rejects.toMatchObject({ code: 'NotFound' })
  })
})

describe('a sweep of many clients', () => {
  const overdue = { status: 'disabled', invitation_status: 'open', invitation_expires_at: '2026-01-08T00:00:00.000Z' }
  /** The items of a client; of every tenth there is something to sweep. */
  function itemsOf(number: number) {
    const id = idOf('client', number)
    if (number % 10 !== 0) return clientItems(id)
    const [invited, ...more] = user(id, idOf('user', number), `u${number}@example.org`)
    return [...clientItems(id), ...more, ...(invited === undefined ? [] : [{ ...invited, ...overdue }])]
  }
  const ids = (many: number) => Array.from({ length: many }, (_, index) => idOf('client', index + 1))
  async function clientsOf(many: number): Promise<AccountWork> {
    const there = await accountWork({ now: () => new Date(now) })
    await restoreItems(
      there.table.runtime,
      ids(many).flatMap((_, index) => itemsOf(index + 1)),
    )
    return there
  }
  async function pagesOf({ flows }: AccountWork, limit: number) {
    const pages: (Tidied & { readonly readUnits: number; readonly requests: number })[] = []
    let cursor: string | undefined
    do {
      const { result, cost } = await meter(() => flows.sweep({ limit, cursor }))
      pages.push({ ...result, ...cost })
      cursor = result.cursor
    } while (cursor !== undefined)
    return pages
  }
  const clientsIn = (pages: readonly Tidied[]) => pages.flatMap(({ items }) => items.map(({ client_id }) => client_id))

  test('reads on each page what it looks at, however many clients there are and however far it has come', async () => {
    const [few, many] = [await clientsOf(60), await clientsOf(300)]
    const limit = 25
    const dearest = (pages: Awaited<ReturnType<typeof pagesOf>>, what: 'readUnits' | 'requests') =>
      Math.max(...pages.map((page) => page[what]))
    const [ofFew, ofMany] = [await pagesOf(few, limit), await pagesOf(many, limit)]
    // A few may differ by where pages happen to end; all 300 entries of the directory alone would be ten more.
    for (const what of ['readUnits', 'requests'] as const) expect(dearest(ofMany, what)).toBeLessThanOrEqual(dearest(ofFew, what) + 3)
    const clients = clientsIn(ofMany)
    expect([...new Set(clients)].sort()).toEqual(ids(300))
    expect(total(ofMany.flatMap(({ items }) => items)).invitations_ended).toBe(30)
  })

  test('by many at once changes everything once', async () => {
    const there = await clientsOf(60)
    const all = await Promise.all([7, 11, 20].map((limit) => pagesOf(there, limit)))
    expect(total(all.flat().flatMap(({ items }) => items)).invitations_ended).toBe(6)
    for (const pages of all) expect(clientsIn(pages)).toEqual(expect.arrayContaining(ids(60)))
  })

  test('goes on after the client where it stopped, also where that is gone by then', async () => {
    const { table, flows } = await clientsOf(20)
    let cursor: string | undefined
    const seen: (string | undefined)[] = []
    do {
      const page: Tidied = await flows.sweep({ limit: 1, cursor })
      const id = page.items.at(-1)?.client_id
      seen.push(id)
      if (id !== undefined && (await table.Client.get({ id }, { consistent: true })) !== undefined) await table.Client.remove({ id })
      cursor = page.cursor
    } while (cursor !== undefined)
    const clients = new Set(seen.filter((id) => id !== undefined))
    expect([...clients]).toEqual(ids(20))
  })

  test('tells of an entry that names no client, and goes on', async () => {
    const there = await clientsOf(3)
    const SK = 'CLIENT#c1c1c1c1-0000-4000-8000-000000000001#'
    await restoreItems(there.table.runtime, [{ PK: 'DIRECTORY#CLIENT', SK, Type: 'ClientEntry', version: 1, id: 'x' }])
    for (const limit of [1, 100]) {
      const pages = await pagesOf(there, limit)
      expect(pages.flatMap(({ malformed = [] }) => malformed.map(({ key }) => key))).toEqual([{ PK: 'DIRECTORY#CLIENT', SK }])
      expect(new Set(clientsIn(pages).filter((id) => id !== undefined)).size).toBe(3)
    }
  })
})
