import { stamps, untold } from '@freehold/frame/attributes'
import { text } from '@freehold/table'

// The document names keys alone, but for the notification audit. What stands in none of them may be absent.

export const described = { name: text().mayBeAbsent(untold), description: text().optional(), ...stamps }

export const keyOfParent = 'the key of what it belongs to names its account'
export const denied = 'it is not known to be active: it counts for nothing'

export const ofAccount = { why: 'a deleted account takes it along' }
