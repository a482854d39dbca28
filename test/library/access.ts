import { accessOf, through } from '@freehold/frame/access'
import { oneOf, type Value } from '@freehold/table'
import { Branch, library, Member, Post } from './design.ts'

const action = oneOf('catalogue', 'lend', 'return', 'staff')
export type Action = Value<typeof action>

/** An active member may do at a branch what the role of its post there allows, until the post ends. */
export const access = accessOf(library, {
  subject: Member,
  place: Branch,
  action,
  where: { Member: { status: 'active' } },
  grants: through(Post)
    .by('role', { clerk: ['lend', 'return'], librarian: '*' })
    .until('until'),
})
