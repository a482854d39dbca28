import { type AuthzenMapping, textIn, types } from '@freehold/designs/authzen'

/** How AuthZEN names what the library is asked: a member does something at a branch. */
export const libraryAuthzen: AuthzenMapping = {
  subject: types({ member: { asked: ({ id }) => ({ member: id }), told: (item) => textIn(item, 'member') } }),
  action: { asked: ({ name }) => ({ action: name }), told: (item) => textIn(item, 'action') },
  resource: types({ branch: { asked: ({ id }) => ({ branch: id }), told: (item) => textIn(item, 'branch') } }),
}
