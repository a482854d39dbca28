import type { PeopleOutline } from '@freehold/frame'
import { access } from './access.ts'

const { role, ...outline } = access.people
const grid = { rows: ['module', 'resource'], column: 'action', dangerous: 'is_dangerous' }

/** What the declaration of access tells, and how a grid shows the permissions of a role. */
export const people: PeopleOutline = {
  ...outline,
  role: { ...role, permissions: { ...role?.permissions, listed: { permission_form: 'embedded' }, ...grid } },
}
