import { restoreItems } from '@freehold/table/testing'
import { deciderConforms } from '../../test/conformance/decider-conformance.ts'
import { ownTableOf } from '../../test/own-table.ts'
import { accountGroup, group, groupRole, inWorkstream, member, permission, role, user, workstream } from '../../test/platform-items.ts'
import { adaOfAcme } from '../../test/platform-organisation.ts'
import { decidePlatform } from './decide.ts'
import { platform } from './design.ts'
import { type Action, actions, flagOf } from './snapshot/menu-flags.ts'

const subject = (field: string, told: string, name = told) => ({ ask: { [field]: name }, told })
const inMenu = (menu: string, action: Action) => ({ ask: { menu, action }, told: `${menu} ${action}` })
const place = (told: string, ask: object) => ({ ask: { ...ask }, told })
const asked = { user: 'ada@example.org', account: 'acme', workstream: 'research', menu: 'dashboard', action: 'view' }

deciderConforms({
  name: 'platform',
  open: async (options) => {
    const table = await ownTableOf(platform, options)
    await restoreItems(table.runtime, [
      ...adaOfAcme,
      ...user('acme', 'bob', 'bob@example.org'),
      ...user('acme', 'cleo', 'cleo@example.org', 'inactive'),
      ...member('staff', 'bob', 'acme'),
      ...member('staff', 'cleo', 'acme'),
      workstream('acme', 'sales'),
      workstream('acme', 'vacant'),
      ...inWorkstream('acme', 'ada', 'sales'),
      ...inWorkstream('acme', 'bob', 'sales'),
      // A second group, by an unscoped role.
      group('owners', 'acme'),
      accountGroup('owners', 'acme'),
      ...member('owners', 'ada', 'acme'),
      role('owner'),
      ...groupRole('owners', 'owner', 'acme'),
      ...permission('owner', 'users', { canView: true, canCreate: true, canEdit: true, canDelete: true }),
      ...permission('owner', 'dashboard', { canDelete: true }),
      ...permission('editor', 'menus', { accountId: 'acme' }),
    ])
    return table
  },
  decide: decidePlatform,
  users: [
    subject('user', 'ada'),
    subject('user', 'ada', 'Ada@Example.org'),
    subject('user', 'bob'),
    subject('user', 'cleo'),
    subject('user', 'nobody'),
    subject('user', 'nobody', 'nobody@example.org'),
  ],
  scopes: [
    place('acme', { account: 'acme' }),
    place('research', { account: 'acme', workstream: 'research' }),
    place('sales', { account: 'acme', workstream: 'sales' }),
    place('vacant', { account: 'acme', workstream: 'vacant' }),
    place('nowhere', { account: 'nowhere' }),
    place('none', { account: 'acme', workstream: 'none' }),
  ],
  permissions: [
    ...actions.map((action) => inMenu('dashboard', action)),
    inMenu('users', 'create'),
    inMenu('menus', 'view'),
    inMenu('none', 'view'),
  ],
  told: {
    what: ({ menuKey, ...flags }) => actions.filter((action) => flags[flagOf[action]] === true).map((action) => `${menuKey} ${action}`),
    who: ({ userId }) => String(userId),
    where: ({ accountId, workstreamId = accountId }) => String(workstreamId),
  },
  pagesExpanded: true,
  asked: {
    can: asked,
    why: asked,
    what: { user: 'ada@example.org', account: 'acme' },
    who: { account: 'acme', menu: 'dashboard', action: 'view' },
    where: { user: 'ada@example.org', menu: 'dashboard', action: 'view' },
  },
  roundTrips: { can: [3, 1, 3], why: [3, 1, 3], what: [3, 1, 3], who: [4, 2, 4], where: [4, 2, 4] },
  requestsOfCan: [7, 2],
})
