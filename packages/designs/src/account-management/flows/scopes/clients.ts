import { recordSteps, waiting } from '@freehold/frame/flow'
import { Client } from '../../design.ts'
import { itemFlows } from '../account-host.ts'
import { signingOutAll } from '../credentials/signing-out.ts'
import { at } from '../needs.ts'
import { clientScope } from '../scope.ts'

const described = ['logo_url', 'primary_contact_email', 'primary_contact_name', 'timezone', 'billing_email', 'address', 'phone'] as const
const client = itemFlows(Client, { scope: async (context, { id }) => clientScope(context, id) })

const createClient = client.create({
  name: 'createClient',
  summary: 'Creates a client, which is active.',
  given: ['id', 'name', ...described],
  needs: 'operator',
  scope: async () => 'system',
})

const updateClient = client.update({
  name: 'updateClient',
  summary: 'Changes what is said of a client: its name, contacts, time zone and the like.',
  may: ['name', ...described],
  needs: at('client', 'update', 'client'),
})

const suspendClient = client.update({
  name: 'suspendClient',
  summary:
    'Suspends a client: from then on every decision about it and its users denies. A durable job revokes the sessions and tokens of its users.',
  input: waiting,
  needs: 'operator',
  change: () => ({ status: 'suspended' }),
  around: ({ context, input: { wait } }, { id }, write) => signingOutAll(context, id, wait !== false, write),
})

const reactivateClient = client.update({
  name: 'reactivateClient',
  summary: 'Lifts the suspension of a client.',
  needs: 'operator',
  change: () => ({ status: 'active' }),
})

const deleteClient = client.remove({
  name: 'deleteClient',
  summary: 'Deletes a client with everything in it, by a durable job; its audit stays for its year.',
  input: waiting,
  needs: 'operator',
  cascades: () => true,
  // The system's audit tells it, too: what is left of the client is found by that.
  alongside: ({ context, input: { id } }) => ({ steps: recordSteps(context, { entity: Client, id, tenant: undefined }, 'systemAudit') }),
})

export const clientFlows = { createClient, updateClient, suspendClient, reactivateClient, deleteClient } as const
