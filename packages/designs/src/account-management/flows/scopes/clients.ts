import { count, creating, flag, type Item, uuid } from '@freehold/table'
import { changing, given } from '../../../flow/input-attributes.ts'
import { givenBack, madeItem } from '../../../flow/made-item.ts'
import { Client } from '../../design.ts'
import { accountFlow } from '../account-flow.ts'
import { auditSteps, writeAudited } from '../audited.ts'
import { changeAudited, removeAudited } from '../change-audited.ts'
import { clientPlace } from '../place.ts'

const named = { id: uuid(), version: count().optional() }
const described = ['logo_url', 'primary_contact_email', 'primary_contact_name', 'timezone', 'billing_email', 'address', 'phone'] as const

export const createClient = accountFlow({
  name: 'createClient',
  summary: 'Creates a client, which is active.',
  input: given(Client, 'id', 'name', ...described),
  place: async () => 'system',
  run: async (context, input): Promise<Item<typeof Client>> => {
    const after = madeItem(context.table.runtime, Client, input)
    const id = String(after.id)
    const { client } = await writeAudited(context, { client: creating(Client, after) }, { entity: Client, id, client_id: id, after })
    return givenBack(Client, client)
  },
})

export const updateClient = accountFlow({
  name: 'updateClient',
  summary: 'Changes what is said of a client: its name, contacts, time zone and the like.',
  input: { ...named, ...changing(Client, 'name', ...described) },
  place: async (context, { id }) => clientPlace(context, id),
  run: async (context, { id, version, ...change }): Promise<Item<typeof Client>> =>
    changeAudited(context, Client, { id }, change, { version }),
})

export const suspendClient = accountFlow({
  name: 'suspendClient',
  summary: 'Suspends a client: from then on every decision about it and its users denies.',
  input: named,
  place: async (context, { id }) => clientPlace(context, id),
  run: async (context, { id, version }): Promise<Item<typeof Client>> =>
    changeAudited(context, Client, { id }, { status: 'suspended' }, { version }),
})

export const reactivateClient = accountFlow({
  name: 'reactivateClient',
  summary: 'Lifts the suspension of a client.',
  input: named,
  place: async (context, { id }) => clientPlace(context, id),
  run: async (context, { id, version }): Promise<Item<typeof Client>> =>
    changeAudited(context, Client, { id }, { status: 'active' }, { version }),
})

export const deleteClient = accountFlow({
  name: 'deleteClient',
  summary: 'Deletes a client with everything in it, by a durable job; its audit stays for its year.',
  input: { ...named, wait: flag().optional() },
  place: async (context, { id }) => clientPlace(context, id),
  run: async (context, { id, version, wait }): Promise<void> => {
    // The system's audit tells it, too: what is left of the client is found by that.
    const steps = auditSteps(context, { entity: Client, id, client_id: undefined }, 'systemAudit')
    return removeAudited(context, Client, { id }, { version, inUse: 'cascade', wait, steps })
  },
})
