import { stamp, text } from '@freehold/table'

// Attributes of several designs. They stand apart from all else, so that a design is typed without it.

/** A name that has no look-alikes, since it tells things apart. */
export const uniqueName = text({ lookAlikes: 'refused' })

/** What it means that an item of another program lacks an attribute that only people read. */
export const untold = 'it is not known: whoever wrote the item has not told it'

/** When an item was created. */
export const created = { createdAt: stamp.onCreate().mayBeAbsent(untold).describe('When it was created.') }
/** When an item was created, and last written. */
export const stamps = { ...created, updatedAt: stamp.onWrite().mayBeAbsent(untold).describe('When it was changed last.') }
