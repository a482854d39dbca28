import { stamp, text } from '@freehold/table'

// Attributes of several designs. They stand apart from all else, so that a design is typed without it.

/** A name that has no look-alikes, since it tells things apart. */
export const uniqueName = text({ lookAlikes: 'refused' })

export const created = { createdAt: stamp.onCreate() }
export const stamps = { ...created, updatedAt: stamp.onWrite() }
