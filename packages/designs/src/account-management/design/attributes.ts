import { untold } from '@freehold/frame/attributes'
import { stamp, uuid } from '@freehold/table'

// The key blocks of the table design name no attributes. So an item by them has what its keys say; the rest may be absent.

export const created = { created_at: stamp.onCreate().mayBeAbsent(untold) }
export const stamps = { ...created, updated_at: stamp.onWrite().mayBeAbsent(untold) }

/** Who did it: the id of a user, or `operator` and its name. */
export const actor = () => uuid({ or: 'operator' }).optional()

export const ofScope = 'it is of the client of its scope'
export const ofParent = 'it is of the client of what it lies beneath, which decisions read'
