import { email, instant, map, oneOf, opaqueId, text } from '@freehold/table'
import { untold } from '../attributes/stamps.ts'

// Apart from the flows that use them, so that a design is typed without these.

/** The attributes of an append-only entity that keeps each attempt to send a mail. The design adds its `id` and the attribute of the tenant. */
export const auditAttributes = {
  notificationType: text().mayBeAbsent(untold).describe('What the mail is about.'),
  recipientEmail: email().optional().describe('To whom the mail went.'),
  recipientFirstName: text().optional().describe('The first name of the recipient.'),
  recipientLastName: text().optional().describe('The last name of the recipient.'),
  userId: opaqueId().optional(),
  deliveryStatus: oneOf('sent', 'failed', 'skipped').mayBeAbsent(untold).describe('How the mail went.'),
  sesMessageId: text().optional().describe('The id that the transport gave the mail.'),
  errorMessage: text().optional().describe('Why the mail has failed.'),
  skipReason: text().optional().describe('Why the mail was not sent.'),
  senderEmail: email().optional().describe('From whom the mail came.'),
  subject: text().optional().describe('The subject of the mail.'),
  sentAt: instant().made().mayBeAbsent(untold).describe('When the mail was sent.'),
  metadata: map().optional().describe('What else is known of it.'),
}
