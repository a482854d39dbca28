import { creating } from '@freehold/table'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AccountWork, accountWork } from '../../../test/account-flows.ts'
import { Client } from '../../account-management/design.ts'
import { accountHost } from '../../account-management/flows/account-host.ts'
import { operator } from '../actor.ts'
import type { FlowHost } from '../flow-host.ts'
import { importRecorder } from './import-record.ts'

let work: AccountWork
beforeAll(async () => {
  work = await accountWork()
})
afterAll(() => work.table.close())

const id = '00000000-0000-4000-8000-000000000001'
const stepsBy = (host: object) =>
  importRecorder(host as FlowHost, work.table, { actor: operator })([creating(Client, { id, name: 'Ours' })])

test('an import is recorded by a design that says so, whether it logs its changes or not', () => {
  const told = { 'record of the import': { input: { action: 'import', client_id: id, metadata: { Client: [{ id }] } } } }
  expect(stepsBy(accountHost)).toMatchObject(told)
  expect(stepsBy({ ...accountHost, log: () => {} })).toMatchObject(told)
  expect(stepsBy({ ...accountHost, recordsImports: undefined })).toEqual({})
})
