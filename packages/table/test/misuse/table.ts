import { add, ifAbsent } from '../../src/atomic.ts'
import { dependingOn, design, entity, instant, oneOf, text, ulid } from '../../src/language.ts'
import { updating } from '../../src/plan/step.ts'
import type { Table } from '../../src/run/connect.ts'
import type { edges } from '../edges.ts'

// Misuses of a connected table; see language.ts beside this file. Nothing here is ever run.

const Branch = entity('Branch', { attributes: { id: ulid().made(), town: text(), name: text() }, key: ['BRANCH#{id}', 'META'] })
const Clerk = entity('Clerk', {
  attributes: {
    id: ulid().made(),
    branch: ulid().optional(),
    place: text().from('branch', 'town').addition('shown in lists'),
    desk: oneOf('front', 'back'),
    chief: ulid().optional(),
    until: instant().optional(),
    remark: text().optional(),
  },
  key: ['CLERK#{id}', 'META'],
  refers: { branch: { to: Branch, onRemove: 'keep' }, chief: dependingOn('desk', { front: { to: 'itself' }, back: Branch }) },
  expires: 'until',
})

const shop = design({ name: 'shop', table: 'shop', entities: { Branch, Clerk }, patterns: {} })

/** Attributes that references, copies and the expiry need. */
export async function misusesOfAtomic(table: Table<typeof shop>): Promise<void> {
  await table.Clerk.update({ id: 'x' }, { remark: ifAbsent('x') })
  await table.Branch.update({ id: 'x' }, { name: ifAbsent('x') })
  // @ts-expect-error says: needs 'town': change it by values alone
  await table.Branch.update({ id: 'x' }, { town: ifAbsent('x') })
  // @ts-expect-error says: needs 'branch': change it by values alone
  await table.Clerk.update({ id: 'x' }, { branch: ifAbsent('x') })
  // @ts-expect-error says: needs 'chief': change it by values alone
  await table.Clerk.update({ id: 'x' }, { chief: ifAbsent('x') })
  // @ts-expect-error says: needs 'desk': change it by values alone
  await table.Clerk.update({ id: 'x' }, { desk: ifAbsent('back') })
  // @ts-expect-error says: needs 'until': change it by values alone
  await table.Clerk.update({ id: 'x' }, { until: ifAbsent('x') })
  // @ts-expect-error says: needs 'until': change it by values alone
  updating(Clerk, { id: 'x' }, { until: ifAbsent('x') })
}

export async function misuses(table: Table<typeof edges>): Promise<void> {
  // @ts-expect-error says: Property 'userId' is missing
  await table.locationsOfUser({})
  // @ts-expect-error says: 'userID' does not exist in type '{ userId: string; }'
  await table.locationsOfUser({ userID: 'x' })
  // @ts-expect-error says: Property 'userType' is missing
  await table.leadsOfLocation({ locationId: 'x' })
  // @ts-expect-error says: Property 'displayName' is missing
  await table.User.create({ userType: 'LEAD' })
  // @ts-expect-error says: Type '"BOSS"' is not assignable to type '"LEAD" | "MEMBER" | undefined'
  await table.User.create({ displayName: 'x', userType: 'BOSS' })
  // @ts-expect-error says: 'id' does not exist in type '{ userId: string; }'
  await table.User.get({ id: 'x' })
  // @ts-expect-error says: 'groupName' does not exist in type
  await table.UserGroupEdge.create({ userId: 'u', groupId: 'g', groupName: 'no' })
  // @ts-expect-error says: Type 'null' is not assignable to type 'string |
  await table.User.update({ userId: 'x' }, { displayName: null })
  // @ts-expect-error says: a key, guard, lookup item, copy, reference or ttl needs 'displayName': change it by values alone, in an update of its own
  await table.User.update({ userId: 'x' }, { displayName: ifAbsent('x') })
  // @ts-expect-error says: needs 'userType': change it by values alone
  await table.User.update({ userId: 'x' }, { userType: add(1) })
  // @ts-expect-error says: Property 'nothing' does not exist on type
  await table.nothing({})
  // @ts-expect-error says: Property 'Nothing' does not exist on type
  await table.Nothing.create({})
  const page = await table.locationsOfUser({ userId: 'x' })
  // @ts-expect-error says: Property 'userDisplayName' does not exist on type
  page.items[0]?.userDisplayName
  // @ts-expect-error says: Object is possibly 'undefined'
  page.items[0].locationName
  const identity = await table.userIdOfEmail({ email: 'a@b' })
  // @ts-expect-error says: 'identity' is possibly 'undefined'
  identity.userId
  // @ts-expect-error says: Property 'all' does not exist on type
  table.userIdOfEmail.all({ email: 'a@b' })
  // @ts-expect-error says: 'cursor' does not exist in type
  table.locationsOfUser.all({ userId: 'x' }, { cursor: page.cursor ?? '' })
}
