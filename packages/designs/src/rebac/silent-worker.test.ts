import type { Sender } from '@freehold/table/runtime'
import { expect, test } from 'vitest'
import { senderAfter } from '../../../../test/engine/sender-after.ts'
import { ownTable } from '../../test/own-table.ts'
import { mentions } from '../../test/whole-table.ts'
import { joinGroup, leaveLocation } from './flows/membership.ts'
import type { RebacTable } from './rebac-table.ts'

const consistent = { consistent: true }

/** A sender that holds back the nth transaction that deletes, until it is let go: a process that is stopped for longer than its lease. */
function silentSender(nth: number): { sender: Sender; isSilent: Promise<void>; wake: () => void } {
  let deletions = 0
  let fallSilent = () => {}
  let wake = () => {}
  const isSilent = new Promise<void>((resolve) => {
    fallSilent = resolve
  })
  const woken = new Promise<void>((resolve) => {
    wake = resolve
  })
  const sender = senderAfter(async (operation, input) => {
    if (operation === 'TransactWriteItems' && JSON.stringify(input).includes('"Delete"') && ++deletions === nth) {
      fallSilent()
      await woken
    }
  })
  return { sender, isSilent, wake }
}

async function start(nth: number) {
  const silence = silentSender(nth)
  const worker = await ownTable({ sender: silence.sender })
  const other = await ownTable({ table: worker.runtime.table, now: () => new Date(Date.now() + 60_000) })
  const { userId } = await other.User.create({ displayName: 'Ada' })
  const { locationId } = await other.Location.create({ locationCode: 'BER001', name: 'Berlin' })
  const groups: string[] = []
  for (const name of ['one', 'two']) groups.push((await other.UserGroup.create({ locationId, name })).groupId)
  const join = async () => {
    for (const groupId of groups) await joinGroup(other, { userId, groupId })
  }
  await join()
  return { worker, other, ...silence, userId, locationId, groups, join }
}

const ofUser = async (table: RebacTable, userId: string) => [
  (await table.groupsOfUser({ userId }, consistent)).items.length,
  (await table.locationsOfUser({ userId }, consistent)).items.length,
]

// Leaving deletes the groups first, then the edge to the location.
test.each([1, 2])('a worker that was silent at deletion %i takes nothing of what has been joined again since', async (nth) => {
  const { worker, other, isSilent, wake, userId, locationId, join } = await start(nth)
  const leaving = leaveLocation(worker, { userId, locationId })
  await isSilent
  expect(await other.jobs.resume()).toMatchObject({ done: 1 })
  expect(await ofUser(other, userId)).toEqual([0, 0])
  await join()
  wake()
  await leaving
  expect(await ofUser(other, userId)).toEqual([2, 1])
  expect(await other.jobs.list()).toEqual([])
})

// Removing a user deletes its groups within its location, then the edge to the location, …, then the user.
test.each([1, 2, 3])('a worker that was silent at deletion %i of a user leaves what its successor left', async (nth) => {
  const { worker, other, isSilent, wake, userId, locationId } = await start(nth)
  const removing = worker.User.remove({ userId })
  await isSilent
  expect(await other.jobs.resume()).toMatchObject({ done: 1 })
  wake()
  await removing
  expect(await mentions(other, userId)).toEqual([])
  expect(await other.location({ locationId }, consistent)).toBeDefined()
  expect(await other.jobs.list()).toEqual([])
})

test('a lease that ran out is renewed once by pieces of a job that are done at the same time', async () => {
  let now = Date.now()
  // Each look at the clock takes a second: every piece finds its lease half over.
  const table = await ownTable({
    now: () => {
      now += 1000
      return new Date(now)
    },
  })
  await table.Role.create({ roleName: 'many' })
  const { locationId } = await table.Location.create({ locationCode: 'BER001', name: 'Berlin' })
  const groups = await table.UserGroup.createMany(Array.from({ length: 300 }, (_, index) => ({ locationId, name: `g${index}` })))
  await table.GroupRole.createMany(groups.flatMap(({ item }) => (item === undefined ? [] : [{ groupId: item.groupId, roleName: 'many' }])))
  await table.Role.remove({ roleName: 'many' })
  expect(await mentions(table, 'many')).toEqual([])
  expect(await table.jobs.list()).toEqual([])
})
