import { count, creating, flag, uuid } from '@freehold/table'
import { changeItem, removeItem } from '../../../flow/change-item.ts'
import { changing, given } from '../../../flow/input-attributes.ts'
import { newItem, returnedItem } from '../../../flow/new-item.ts'
import { recordSteps, writeRecorded } from '../../../flow/recorded-write.ts'
import { itemOf, nothing } from '../../../flow/returns.ts'
import { Client } from '../../design.ts'
import { flow } from '../account-host.ts'
import { at } from '../needs.ts'
import { clientScope } from '../scope.ts'

const named = { id: uuid(), version: count().optional() }
const described = ['logo_url', 'primary_contact_email', 'primary_contact_name', 'timezone', 'billing_email', 'address', 'phone'] as const

export const createClient = flow({
  name: 'createClient',
  summary: 'Creates a client, which is active.',
  input: given(Client, 'id', 'name', ...described),
  needs: 'operator',
  effect: 'write',
  returns: itemOf(Client),
  scope: async () => 'system',
  run: async (context, input) => {
    const after = newItem(context.table.runtime, Client, input)
    const id = String(after.id)
    const { client } = await writeRecorded(context, { client: creating(Client, after) }, { entity: Client, id, tenant: id, after })
    return returnedItem(Client, client)
  },
})

export const updateClient = flow({
  name: 'updateClient',
  summary: 'Changes what is said of a client: its name, contacts, time zone and the like.',
  input: { ...named, ...changing(Client, 'name', ...described) },
  needs: at('client', 'update', 'client'),
  effect: 'write',
  returns: itemOf(Client),
  scope: async (context, { id }) => clientScope(context, id),
  run: async (context, { id, version, ...change }) => changeItem(context, Client, { id }, change, { version }),
})

export const suspendClient = flow({
  name: 'suspendClient',
  summary: 'Suspends a client: from then on every decision about it and its users denies.',
  input: named,
  needs: 'operator',
  effect: 'write',
  returns: itemOf(Client),
  scope: async (context, { id }) => clientScope(context, id),
  run: async (context, { id, version }) => changeItem(context, Client, { id }, { status: 'suspended' }, { version }),
})

export const reactivateClient = flow({
  name: 'reactivateClient',
  summary: 'Lifts the suspension of a client.',
  input: named,
  needs: 'operator',
  effect: 'write',
  returns: itemOf(Client),
  scope: async (context, { id }) => clientScope(context, id),
  run: async (context, { id, version }) => changeItem(context, Client, { id }, { status: 'active' }, { version }),
})

export const deleteClient = flow({
  name: 'deleteClient',
  summary: 'Deletes a client with everything in it, by a durable job; its audit stays for its year.',
  input: { ...named, wait: flag().optional() },
  needs: 'operator',
  effect: 'write',
  returns: nothing,
  scope: async (context, { id }) => clientScope(context, id),
  run: async (context, { id, version, wait }) => {
    // The system's audit tells it, too: what is left of the client is found by that.
    const steps = recordSteps(context, { entity: Client, id, tenant: undefined }, 'systemAudit')
    return removeItem(context, Client, { id }, { version, inUse: 'cascade', wait, steps })
  },
})
