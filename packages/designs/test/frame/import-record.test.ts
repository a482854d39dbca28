import { creating } from '@freehold/table'
import { expect, test } from 'vitest'
import { operator } from '../../../frame/src/flow/actor.ts'
import type { FlowHost } from '../../../frame/src/flow/flow-host.ts'
import { importRecorder } from '../../../frame/src/flow/records/import-record.ts'
import { Client } from '../../src/account-management/design.ts'
import { accountHost } from '../../src/account-management/flows/account-host.ts'
import { accountWork } from '../account-flows.ts'

const work = await accountWork()

const id = '00000000-0000-4000-8000-000000000001'
const stepsBy = (host: object) =>
  importRecorder(host as FlowHost, work.table, { actor: operator })([creating(Client, { id, name: 'Ours' })])

test('an import is recorded by a design that says so, whether it logs its changes or not', () => {
  const told = { 'record of the import': { input: { action: 'import', client_id: id, metadata: { Client: [{ id }] } } } }
  expect(stepsBy(accountHost)).toMatchObject(told)
  expect(stepsBy({ ...accountHost, log: () => {} })).toMatchObject(told)
  expect(stepsBy({ ...accountHost, recordsImports: undefined })).toEqual({})
})
