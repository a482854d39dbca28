import { instant, map, oneOf, opaqueId, text } from '@freehold/table'

// Apart from the flows that use them, so that a design is typed without these.

/** The attributes of an entity that keeps intents to send mails. Its key has the attribute of the tenant, if there are tenants, and the first three. */
export const intentAttributes = <const K extends readonly [string, ...string[]]>(...types: K) => ({
  notificationType: oneOf(...types),
  subjectId: opaqueId(),
  occasion: opaqueId(),
  state: oneOf('sending', 'sent', 'failed', 'unknown', 'skipped'),
  attempt: opaqueId(),
  sendingSince: instant().optional(),
  job: text().optional(),
  /** What the audit of the attempt under way tells of the mail: later, its recipient may be another one. */
  told: map().optional(),
})
