import { type AuthzenMapping, attributeOf, type ListItem, textIn, types } from '@freehold/frame/authzen'
import { actions, flagOf } from './snapshot/menu-flags.ts'

/** No id holds it, so that a workstream is named with its account: `acme/research`. */
const delimiter = '/'

function workstreamAsked(id: string) {
  const at = id.indexOf(delimiter)
  // Without its account it is no workstream: an empty id is none.
  return at < 0 ? { account: '', workstream: id } : { account: id.slice(0, at), workstream: id.slice(at + 1) }
}

/** `dashboard:edit`: the last colon ends the menu, since no action holds one. */
function actionAsked(name: string) {
  const at = name.lastIndexOf(':')
  return at < 0 ? { menu: name, action: '' } : { menu: name.slice(0, at), action: name.slice(at + 1) }
}

const accountTold = (item: ListItem) => (attributeOf(item, 'workstreamId') === undefined ? textIn(item, 'accountId') : [])
const workstreamTold = (item: ListItem) =>
  textIn(item, 'accountId').flatMap((account) => textIn(item, 'workstreamId').map((id) => `${account}${delimiter}${id}`))

/** A user does something in a menu (the action) in an account or one of its workstreams (the resource). */
export const platformAuthzen: AuthzenMapping = {
  subject: types({ user: { asked: ({ id }) => ({ user: id }), told: (item) => textIn(item, 'userId') } }),
  action: {
    asked: ({ name }) => actionAsked(name),
    told: (item) =>
      textIn(item, 'menuKey').flatMap((menu) =>
        actions.filter((action) => attributeOf(item, flagOf[action]) === true).map((action) => `${menu}:${action}`),
      ),
  },
  resource: types({
    account: { asked: ({ id }) => ({ account: id }), told: accountTold },
    workstream: { asked: ({ id }) => workstreamAsked(id), told: workstreamTold },
  }),
}
