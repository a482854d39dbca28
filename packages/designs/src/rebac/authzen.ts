import { type AuthzenMapping, textIn, types } from '@freehold/frame/authzen'

/** A user opens a page (the action) at a location (the resource). */
export const rebacAuthzen: AuthzenMapping = {
  subject: types({ user: { asked: ({ id }) => ({ user: id }), told: (item) => textIn(item, 'userId') } }),
  action: { asked: ({ name }) => ({ page: name }), told: (item) => textIn(item, 'page') },
  resource: types({ location: { asked: ({ id }) => ({ location: id }), told: (item) => textIn(item, 'locationId') } }),
}
