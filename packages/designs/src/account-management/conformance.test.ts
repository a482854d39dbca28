import { restoreItems } from '@freehold/table/testing'
import { assignment, building, idOf, link, permission, project, user } from '../../test/account-items.ts'
import { acme, ada, adaAtHarbour, camera, harbour, pier, reader } from '../../test/account-organisation.ts'
import { deciderConforms } from '../../test/conformance/decider-conformance.ts'
import { ownTableOf } from '../../test/own-table.ts'
import { decideAccountManagement } from './decide.ts'
import { accountManagement } from './design.ts'
import { permissionText } from './permission/patterns.ts'

const [bob, dock, crane] = [idOf('user', 2), idOf('project', 2), idOf('building', 2)]
const door = { module: 'devices', action: 'read', resource: 'door' }
const linked = adaAtHarbour.map((item) => (item.Type === 'Role' ? { ...item, permission_form: 'linked' } : item))
const subject = (field: string, told: string, name: unknown = told) => ({ ask: { [field]: name }, told })
const asked = { user: 'ada@example.org', building: pier, permission: camera }
// A link carries copies of its permission's three names.
const linkOfDoor = link(acme, reader, idOf('permission', 2)).map((item) =>
  item.Type === 'RolePermissionLink' ? { ...item, ...door } : item,
)

deciderConforms({
  name: 'account-management',
  open: async (options) => {
    const table = await ownTableOf(accountManagement, options)
    await restoreItems(table.runtime, [
      ...linked,
      ...permission(idOf('permission', 1), 'devices', 'read', 'camera'),
      ...permission(idOf('permission', 2), 'devices', 'read', 'door'),
      ...link(acme, reader, idOf('permission', 1)),
      ...linkOfDoor,
      ...user(acme, bob, 'bob@example.org'),
      ...project(acme, dock),
      ...building(acme, dock, crane),
      ...assignment(acme, bob, reader, 'building', pier),
      ...assignment(acme, bob, reader, 'project', dock),
    ])
    return table
  },
  decide: decideAccountManagement,
  users: [subject('user', ada), subject('user', ada, 'ada@example.org'), subject('user', bob), subject('user', idOf('user', 9))],
  scopes: [
    subject('building', pier),
    subject('project', harbour),
    subject('project', dock),
    { ask: { client: acme, project: dock, building: crane }, told: crane },
    subject('client', acme),
    subject('building', idOf('building', 9)),
  ],
  permissions: [camera, door, { ...camera, action: 'write' }].map((each) => subject('permission', permissionText(each), each)),
  told: {
    // As the list gives it: the three names.
    what: ({ permission }) => permissionText(permission as typeof camera),
    who: ({ user_id }) => String(user_id),
    where: ({ scope_id }) => String(scope_id),
  },
  asked: {
    can: asked,
    why: asked,
    what: { user: ada, building: pier },
    who: { project: harbour, permission: camera },
    where: { user: ada, permission: camera },
  },
  roundTrips: { can: [4, 1, 4], why: [4, 1, 4], what: [4, 1, 4], who: [5, 2, 5], where: [4, 2, 4] },
  requestsOfCan: [9, 4],
})
