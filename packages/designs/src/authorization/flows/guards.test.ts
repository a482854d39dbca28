import { type Fault, faultySender } from '@freehold/table/testing'
import { describe, expect, test } from 'vitest'
import { engineSender } from '../../../../../test/engine/endpoint.ts'
import { authorizationWork } from '../../../test/authorization-flows.ts'
import { wholeTable } from '../../../test/whole-table.ts'
import type { AuthorizationFlows } from './flows.ts'

// What is unique has one owner, also where fifty want it at once; an update frees and claims in one step; a deletion frees (spec rule 9).

const work = await authorizationWork()

let count = 0
const fresh = () => `${++count}`

/** Something that is unique: how it is claimed by a new item, by one that is there, and given up. */
interface Unique {
  /** A value that nobody has. */
  value(): string
  /** Creates an item with the value, and gives its id. */
  create(flows: AuthorizationFlows, value: string): Promise<string>
  /** Left out for an id, which stays. */
  change?(flows: AuthorizationFlows, id: string, value: string): Promise<unknown>
  remove(flows: AuthorizationFlows, id: string): Promise<unknown>
}

const userWith = (attribute: 'email' | 'phone' | 'preferredUsername'): Pick<Unique, 'create' | 'remove'> => ({
  create: async (flows, value) => (await flows.createUser({ email: `u${fresh()}@example.org`, [attribute]: value })).userId,
  remove: (flows, userId) => flows.deleteUser({ userId }),
})
const roleOf = (scope: 'tenant' | 'global'): Unique => ({
  value: () => `role ${fresh()}`,
  create: async (flows, name) => (await flows.createRole({ name, scope })).roleId,
  change: (flows, roleId, name) => flows.renameRole({ roleId, name }),
  remove: (flows, roleId) => flows.deleteRole({ roleId }),
})
const removePolicy = (flows: AuthorizationFlows, policyId: string) => flows.removePolicy({ policyId })

const uniques: Readonly<Record<string, Unique>> = {
  'an e-mail address': {
    ...userWith('email'),
    value: () => `one${fresh()}@example.org`,
    change: (flows, userId, email) => flows.changeEmail({ userId, email }),
  },
  'a phone number': {
    ...userWith('phone'),
    value: () => `+4930${1_000_000 + Number(fresh())}`,
    change: (flows, userId, phone) => flows.changePhone({ userId, phone }),
  },
  'a username': {
    ...userWith('preferredUsername'),
    value: () => `name${fresh()}`,
    change: (flows, userId, preferredUsername) => flows.changePreferredUsername({ userId, preferredUsername }),
  },
  'the name of a tenant': {
    value: () => `tenant ${fresh()}`,
    create: async (flows, name) => (await flows.createTenant({ name })).tenantId,
    change: (flows, tenantId, name) => flows.renameTenant({ tenantId, name }),
    remove: (flows, tenantId) => flows.deleteTenant({ tenantId }),
  },
  'the name of a tenant role': roleOf('tenant'),
  'the name of a global role': roleOf('global'),
  'the name of a policy': {
    value: () => `policy ${fresh()}`,
    create: async (flows, name) => (await flows.registerPolicy({ policyId: `p-${fresh()}`, name })).policyId,
    change: (flows, policyId, name) => flows.renamePolicy({ policyId, name }),
    remove: removePolicy,
  },
  'the id of a policy': {
    value: () => `id-${fresh()}`,
    create: async (flows, policyId) => (await flows.registerPolicy({ policyId, name: `named ${fresh()}` })).policyId,
    remove: removePolicy,
  },
}

const isRecord = (type: unknown) => type === 'Change' || type === 'ActorChange'
/** All items but records, as they lie in the table. */
const lying = async () => (await wholeTable(work.table)).filter(({ Type }) => !isRecord(Type))
/** The items that a value has: its owner and its guard. */
const having = async (value: string) =>
  (await lying()).filter((item) => JSON.stringify(Object.values(item)).includes(JSON.stringify(value))).map(({ PK, SK }) => `${PK} ${SK}`)
const taken = { code: 'AlreadyExists', category: 'conflict' }
const settled = (calls: readonly Promise<string>[]) =>
  Promise.allSettled(calls).then((all) => ({
    won: all.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : [])),
    lost: all.flatMap((each) => (each.status === 'rejected' ? [each.reason] : [])),
  }))

describe.each(Object.entries(uniques))('%s', (_, { value, create, change, remove }) => {
  test('has one owner, of fifty that want it at once', async () => {
    const wanted = value()
    const { won, lost } = await settled(Array.from({ length: 50 }, () => create(work.flows, wanted)))
    expect(won).toHaveLength(1)
    expect(lost).toHaveLength(49)
    for (const error of lost) expect(error).toMatchObject(taken)
    expect((await having(wanted)).length).toBeGreaterThan(0)
    expect((await having(wanted)).length).toBeLessThanOrEqual(3)
  })

  test('is refused to a second one, which leaves everything as it was', async () => {
    const wanted = value()
    await create(work.flows, wanted)
    const other = change === undefined ? undefined : await create(work.flows, value())
    const before = await lying()
    await expect(create(work.flows, wanted)).rejects.toMatchObject(taken)
    if (change !== undefined && other !== undefined) await expect(change(work.flows, other, wanted)).rejects.toMatchObject(taken)
    expect(await lying()).toEqual(before)
  })

  test.runIf(change)('is freed and claimed in one step by a change, for which fifty race', async () => {
    const [had, wanted] = [value(), value()]
    const owner = await create(work.flows, had)
    const others = await Promise.all(Array.from({ length: 10 }, () => create(work.flows, value())))
    const rivals = Array.from({ length: 40 }, () => create(work.flows, wanted))
    const { won, lost } = await settled([
      ...[owner, ...others].map(async (id) => String(await change?.(work.flows, id, wanted).then(() => id))),
      ...rivals,
    ])
    expect(won).toHaveLength(1)
    for (const error of lost) expect(error).toMatchObject(taken)
    // The owner has one of the two, and never both or none.
    if (won[0] === owner) expect(await having(had)).toEqual([])
    else await expect(create(work.flows, had)).rejects.toMatchObject(taken)
  })

  test('is free again once its owner has another, or is gone', async () => {
    const wanted = value()
    const owner = await create(work.flows, wanted)
    if (change === undefined) await remove(work.flows, owner)
    else await change(work.flows, owner, value())
    expect(await having(wanted)).toEqual([])
    const heir = await create(work.flows, wanted)
    await remove(work.flows, heir)
    expect(await having(wanted)).toEqual([])
    await create(work.flows, wanted)
  })

  const faults: readonly Fault['kind'][] = ['throttle', 'conflict', 'fail', 'lose-request', 'lose-answer']
  test.each(faults)('has one owner and no other trace, also after %s', async (kind) => {
    const faults = faultySender(engineSender())
    const faultyNext = (times: number) => faults.add({ operation: 'TransactWriteItems', times, fault: { kind } as Fault })
    const faulty = await authorizationWork({ table: work.table.runtime.table, sender: faults })
    const wanted = value()
    faultyNext(6)
    const { won, lost } = await settled(Array.from({ length: 12 }, () => create(faulty.flows, wanted)))
    expect(won).toHaveLength(1)
    // A refusal after a lost answer says so: the write may have been applied before.
    for (const error of lost) if (error.details?.uncertain !== true) expect(error).toMatchObject(taken)
    const [owner = ''] = won
    const next = value()
    if (change !== undefined) {
      faultyNext(1)
      await change(faulty.flows, owner, next)
      expect(await having(wanted)).toEqual([])
    }
    faultyNext(1)
    await remove(faulty.flows, owner)
    expect([...(await having(wanted)), ...(await having(next))]).toEqual([])
  })
})

test('an absent phone number or username is everybody’s', async () => {
  const { userId } = await work.flows.createUser({ email: 'a@absent.org', phone: '+493099', preferredUsername: 'absent' })
  await work.flows.createUser({ email: 'b@absent.org' })
  await work.flows.changePhone({ userId, phone: null })
  await work.flows.changePreferredUsername({ userId, preferredUsername: null })
  expect([...(await having('+493099')), ...(await having('absent'))]).toEqual([])
  await work.flows.createUser({ email: 'c@absent.org', phone: '+49 30 99', preferredUsername: 'Absent' })
})

test('a role of each scope may have one name', async () => {
  await work.flows.createRole({ name: 'both', scope: 'tenant' })
  await work.flows.createRole({ name: 'both', scope: 'global' })
})
