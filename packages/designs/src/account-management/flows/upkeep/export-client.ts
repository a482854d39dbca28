import { exportInput, exporting, exportTenant } from '@freehold/frame/exchange'
import { uuid } from '@freehold/table'
import { Client } from '../../design.ts'
import { flow } from '../account-host.ts'
import { at } from '../needs.ts'
import { clientScope } from '../scope.ts'

export const exportClient = flow({
  name: 'exportClient',
  summary:
    'Everything that a client has, a page at a time, without secrets, in an order in which it can be imported where the system roles, permissions and internal users are that it names.',
  input: { id: uuid(), ...exportInput },
  needs: at('client', 'export', 'client'),
  ...exporting,
  scope: async (context, { id }) => clientScope(context, id),
  run: (context, { id, ...asked }) => exportTenant(context, Client, id, asked),
})
