import { randomUUID } from 'node:crypto'
import { designModules } from '@freehold/designs'
import { accountManagement } from '@freehold/designs/account-management'
import { rebac } from '@freehold/designs/rebac'
import { connect } from '@freehold/table'
import { ensureTable, senderOf } from '@freehold/table/runtime'
import { restoreItems } from '@freehold/table/testing'
import { expect, test } from 'vitest'
import { endpoint } from '../../../../test/engine/endpoint.ts'
import { sampleTable } from '../../test/organisation.ts'
import { freehold, freshTable, withoutFlows } from '../../test/recorded-shell.ts'
import { openTables } from '../serving/open-tables.ts'
import { watchJobs } from '../serving/watch-jobs.ts'

const inMinutes = (minutes: number) => () => new Date(Date.now() + minutes * 60_000)
const dynamo = { endpoint }

/** A rebac table in which the removal of Ada was asked for and left, a minute ahead. */
async function leaving(): Promise<{ readonly table: string; readonly get: readonly string[] }> {
  const table = await sampleTable()
  const people = connect(rebac, { table, dynamo, now: inMinutes(1) })
  const userId = (await people.users({})).items.find(({ displayName }) => displayName === 'Ada')?.userId ?? ''
  await people.User.remove({ userId }, { wait: false })
  people.close()
  return { table, get: ['get', 'rebac', 'User', JSON.stringify({ userId }), '--table', table, '--json', '--consistent'] }
}

const later = inMinutes(2)

test('a command does its own work first, and then what was left behind', async () => {
  const { get } = await leaving()
  const first = await freehold(get, { now: later })
  expect(first).toMatchObject({ exit: 0, err: '{"note":"Finished 1 job of an earlier process."}\n' })
  expect(JSON.parse(first.out)).toMatchObject({ displayName: 'Ada', deleting: expect.any(String) })
  expect(await freehold(get, { now: later })).toMatchObject({ exit: 1 })
})

test('a command whose own work fails does what was left behind, which may be why', async () => {
  const { table, get } = await leaving()
  const remove = ['remove', ...get.slice(1, 4), '--table', table]
  const failed = await freehold(remove, { now: later, designs: withoutFlows })
  expect(failed.exit).toBe(1)
  expect(failed.err).toContain('(BeingDeleted)')
  expect(failed.err).toContain('Finished 1 job')
})

/** A table of accounts with so many jobs of as many users, for which nobody waits. */
async function left(many: number): Promise<string> {
  const table = freshTable()
  const revokeTokens = async () => {}
  const accounts = connect(accountManagement, { table, dynamo, jobHandlers: { revokeTokens }, now: inMinutes(-1) })
  await ensureTable(accounts.runtime)
  for (let count = 0; count < many; count++) {
    const user_id = randomUUID()
    await accounts.jobs.start('revokeTokens', {
      subject: `USER#${user_id}`,
      input: { user_id, caller: { kind: 'operator' } },
      wait: false,
    })
  }
  accounts.close()
  return table
}

async function jobsLeft(table: string): Promise<number> {
  const { out } = await freehold(['jobs', 'account-management', '--table', table, '--json'])
  return JSON.parse(out).length
}

test('a command does no more of what was left behind than its share, and says so; the next goes on', async () => {
  const table = await left(23)
  const query = ['query', 'account-management', 'clients', '--table', table]
  expect((await freehold(query)).err).toMatch(/^There are none\.\nFinished 20 jobs of an earlier process\.\nMore jobs are left: .*\n$/)
  expect(await jobsLeft(table)).toBe(3)
  expect((await freehold(query)).err).toBe('There are none.\nFinished 3 jobs of an earlier process.\n')
  expect(await jobsLeft(table)).toBe(0)
})

test('a command leaves its own jobs to the next command', async () => {
  const table = await left(0)
  const accounts = connect(accountManagement, { table, dynamo })
  const { id: client_id } = await accounts.Client.create({ name: 'A' })
  const { id } = await accounts.User.create({ client_id, email: 'ada@example.org', user_type: 'client_admin' })
  accounts.close()
  const revoke = ['do', 'account-management', 'revokeTokens', JSON.stringify({ user_id: id, wait: false }), '--table', table, '--json']
  for (let count = 0; count < 3; count++) expect(await freehold(revoke)).toMatchObject({ exit: 0, err: '' })
  expect(await jobsLeft(table)).toBe(1)
})

test('the oldest thousand jobs are listed, and that there may be more is said', async () => {
  const table = await left(1)
  const accounts = connect(accountManagement, { table, dynamo })
  const [job] = await accounts.jobs.list()
  const records = Array.from({ length: 999 }, (_, index) => {
    const id = `7ZZZZZZZZZZZZZZZZZZZZZ${1000 + index}`
    return { PK: 'FREEHOLD_JOBS', SK: `JOB#${id}`, Type: 'Job', version: 1, ...job, id }
  })
  await restoreItems(accounts.runtime, records.slice(1))
  const list = ['jobs', 'account-management', '--table', table, '--json']
  expect((await freehold(list)).err).toBe('')
  await restoreItems(accounts.runtime, records.slice(0, 1))
  accounts.close()
  const { out, err } = await freehold(list)
  expect([JSON.parse(out).length, err]).toEqual([1000, '{"note":"These are the oldest 1000: there may be more."}\n'])
})

test('a server looks again after a hundred jobs, and goes on until none is left', async () => {
  const table = await left(103)
  const module = designModules.get('account-management')
  const sender = senderOf(dynamo)
  const opening = { connecting: { sender, table, now: inMinutes(0) }, isAtAws: false }
  const [served] = await openTables(module === undefined ? [] : [module], true, opening, () => {})
  const told: string[] = []
  const end = served === undefined ? () => {} : watchJobs(served.table.jobs, (sentence) => told.push(sentence), { interval_ms: 30_000 })
  await expect.poll(() => told).toHaveLength(2)
  end()
  expect(told).toEqual(['Finished 100 jobs of an earlier process.', 'Finished 3 jobs of an earlier process.'])
  sender.close()
  expect(await jobsLeft(table)).toBe(0)
})
