import { email, instant, map, oneOf, opaqueId, text } from '@freehold/table'
import { untold } from '../attributes/stamps.ts'

// Apart from the flows that use them, so that a design is typed without these.

/** The attributes of an append-only entity that keeps each attempt to send a mail. The design adds its `id` and the attribute of the tenant. */
export const auditAttributes = {
  notificationType: text().mayBeAbsent(untold),
  recipientEmail: email().optional(),
  recipientFirstName: text().optional(),
  recipientLastName: text().optional(),
  userId: opaqueId().optional(),
  deliveryStatus: oneOf('sent', 'failed', 'skipped').mayBeAbsent(untold),
  sesMessageId: text().optional(),
  errorMessage: text().optional(),
  skipReason: text().optional(),
  senderEmail: email().optional(),
  subject: text().optional(),
  sentAt: instant().made().mayBeAbsent(untold),
  metadata: map().optional(),
}
