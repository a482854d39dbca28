import { instant, map, oneOf, opaqueId, text } from '@freehold/table'

// Apart from the flows that use them, so that a design is typed without these.

/** The attributes of an entity that keeps intents to send mails. Its key has the attribute of the tenant, if there are tenants, and the first three. */
export const intentAttributes = <const K extends readonly [string, ...string[]]>(...types: K) => ({
  notificationType: oneOf(...types).describe('What the mail is about.'),
  subjectId: opaqueId().describe('The id of what the mail is about.'),
  occasion: opaqueId().describe('For which occasion the mail is: it is sent once for each.'),
  state: oneOf('sending', 'sent', 'failed', 'unknown', 'skipped').describe('How the mail stands.'),
  attempt: opaqueId().describe('The id of the attempt.'),
  sendingSince: instant().optional().describe('When the open attempt began.'),
  job: text().optional().describe('The durable job that sends it.'),
  /** What the audit of the attempt under way tells of the mail: later, its recipient may be another one. */
  told: map().optional().describe('What the audit of the open attempt tells.'),
})
