import { restoreItems } from '@freehold/table/testing'
import { deciderConforms } from '../../packages/designs/test/conformance/decider-conformance.ts'
import { ownTableOf } from '../../packages/designs/test/own-table.ts'
import { access } from './access.ts'
import { library } from './design.ts'

// A fifth design answers as the others do: it hands its scene to the suite that they run.

const idOf = (letter: string, number: number) => `${letter.repeat(8)}-0000-4000-8000-00000000000${number}`
const [ada, bob, eve, nobody] = [idOf('a', 1), idOf('a', 2), idOf('a', 3), idOf('a', 9)] as const
const [north, south, nowhere] = [idOf('b', 1), idOf('b', 2), idOf('b', 9)] as const
const at = '2026-01-01T00:00:00.000Z'
const item = (Type: string, PK: string, SK: string, more: object) => ({ PK, SK, Type, version: 1, created_at: at, updated_at: at, ...more })
const post = (member_id: string, branch_id: string, role: string) => [
  item('Post', `MEMBER#${member_id}`, `POST#${branch_id}`, { member_id, branch_id, role }),
  item('BranchPost', `BRANCH#${branch_id}`, `POST#${member_id}`, { member_id, branch_id, role }),
]
const subject = (field: string, told: string) => ({ ask: { [field]: told }, told })
const asked = { member: ada, branch: north, action: 'lend' }

deciderConforms({
  name: 'library',
  open: async (options) => {
    const table = await ownTableOf(library, options)
    await restoreItems(table.runtime, [
      ...[north, south].map((id) => item('Branch', `BRANCH#${id}`, 'METADATA', { id, name: 'a branch' })),
      ...[ada, bob, eve].map((id) =>
        item('Member', `MEMBER#${id}`, 'METADATA', { id, name: 'a member', email: `${id}@x.org`, status: 'active' }),
      ),
      ...post(ada, north, 'librarian'),
      ...post(ada, south, 'clerk'),
      ...post(bob, north, 'clerk'),
    ])
    return table
  },
  decide: access.decider,
  users: [ada, bob, eve, nobody].map((id) => subject('member', id)),
  scopes: [north, south, nowhere].map((id) => subject('branch', id)),
  permissions: ['lend', 'return', 'catalogue', 'staff'].map((action) => subject('action', action)),
  told: { what: ({ action }) => String(action), who: ({ member }) => String(member), where: ({ branch }) => String(branch) },
  asked: {
    can: asked,
    why: asked,
    what: { member: ada, branch: north },
    who: { branch: north, action: 'lend' },
    where: { member: ada, action: 'lend' },
  },
  roundTrips: { can: [1, 1, 1], why: [1, 1, 1], what: [1, 1, 1], who: [2, 2, 2], where: [2, 2, 2] },
  requestsOfCan: [1, 1],
})
