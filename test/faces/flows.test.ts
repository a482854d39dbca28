import { designModules } from '@freehold/designs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { command } from './command.ts'
import type { Done, Face, Values } from './face.ts'
import { http } from './http.ts'
import { library } from './library.ts'

// Flows run in the same way through each face, and come to the same.

const faces = { library, command, http } as const
const all = [...designModules.values()].flatMap(({ design, flows }) => (flows === undefined ? [] : [{ design, flows }]))

describe.each(all)('the flows of $design.name', ({ design, flows }) => {
  describe.each(Object.entries(faces))('through the %s', (_, open) => {
    let face: Face
    beforeAll(async () => {
      face = await open(design)
    })
    afterAll(() => face.close())

    test.each(flows.describe(design).map(({ name }) => name))('%s refuses what it does not take, and is there', async (name) => {
      expect(await face.flow(name, { 'no such input': 1 })).toEqual({ code: 'InvalidInput' })
    })
  })
})

const [acme, other] = ['0b8f1c8e-6d0f-4e0e-9a53-3f5b9f0c2a11', '1b8f1c8e-6d0f-4e0e-9a53-3f5b9f0c2a11']
const [ada, nobody] = ['2b8f1c8e-6d0f-4e0e-9a53-3f5b9f0c2a11', '3b8f1c8e-6d0f-4e0e-9a53-3f5b9f0c2a11']

/** A flow, its input, what it comes to, and as whom it is run if not as an operator. */
type Step = readonly [flow: string, input: Values, done: Done, as?: string]
const steps: readonly Step[] = [
  ['createClient', { id: acme, name: ' Acme ' }, { item: { Type: 'Client', id: acme, name: 'Acme', version: 1 } }],
  ['createClient', { id: acme, name: 'Again' }, { code: 'AlreadyExists' }],
  ['createClient', { id: other, name: 'Other' }, { item: { id: other } }],
  ['updateClient', { id: acme, name: 'x', version: 2 }, { code: 'VersionConflict' }],
  ['updateClient', { id: acme, phone: '+4930123456', version: 1 }, { item: { phone: '+4930123456', version: 2 } }],
  ['updateClient', { id: acme, phone: null }, { item: { version: 3 } }],
  ['suspendClient', { id: nobody }, { code: 'NotFound' }],
  ['inviteUser', { id: ada, client_id: acme, email: 'Ada@Example.org', user_type: 'client_admin' }, { item: { status: 'disabled' } }],
  ['inviteUser', { client_id: other, email: 'ada@example.org', user_type: 'client_admin' }, { code: 'AlreadyExists' }],
  ['updateClient', { id: acme, name: 'Mine' }, { code: 'Denied' }, ada],
  ['updateClient', { id: acme, name: 'Mine' }, { code: 'Denied' }, 'ada@example.org'],
  ['updateClient', { id: acme, name: 'Mine' }, { code: 'Denied' }, nobody],
  ['updateClient', { id: acme, name: 'Mine' }, { code: 'InvalidInput' }, 'ada'],
  ['acceptInvitation', { id: ada }, { item: { status: 'active' } }],
  ['createClient', { name: 'Mine' }, { code: 'Denied' }, ada],
  ['updateClient', { id: other, name: 'Mine' }, { code: 'NotFound' }, ada],
  ['moveUser', { id: ada, client_id: other }, { item: { id: ada, client_id: other } }],
  ['deleteClient', { id: acme }, {}],
  [
    'exportClient',
    { id: other },
    {
      items: [{ Type: 'Client', id: other }, { Type: 'User', email: 'ada@example.org' }, {}, {}, {}].map((each) =>
        expect.objectContaining(each),
      ),
    },
  ],
]

describe.each(Object.entries(faces))('an account through the %s', (_, open) => {
  test('is made, changed, moved and deleted, and what may not be is refused, with one outcome for each flow', async () => {
    const { design } = designModules.get('account-management') ?? {}
    if (design === undefined) throw new Error('There is no account-management.')
    const face = await open(design)
    for (const [flow, input, done, as] of steps)
      expect({ flow, as, ...(await face.flow(flow, input, as)) }).toMatchObject({ flow, as, ...done })
    face.close()
  })
})
