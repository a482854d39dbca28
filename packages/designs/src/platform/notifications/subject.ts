import type { Id } from '@freehold/table'
import type { NotificationIntent } from '../design.ts'

/** A mail is for something: the credentials of a user, or the end of a licence or a user. `occasion`: the end and a stage before it. */
export type Subject = Id<typeof NotificationIntent>

/** The only occasion of credentials. */
export const once = 'once'

export const occasionOf = (endDate: string, stage: number): string => `${endDate}.${stage}`

/** The end that a reminder is of. */
export const endIn = ({ occasion }: Subject): string => occasion.slice(0, '2026-12-31'.length)

/** The subject of an intent, or of its lookup item. */
export const subjectOf = ({ accountId, notificationType, subjectId, occasion }: Subject): Subject => ({
  accountId,
  notificationType,
  subjectId,
  occasion,
})
