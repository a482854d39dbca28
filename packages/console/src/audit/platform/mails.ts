/** How the records of platform's mails call their parts. */
export const partsOfMails = {
  at: 'sentAt',
  act: 'notificationType',
  by: 'senderEmail',
  to: 'recipientEmail',
  status: 'deliveryStatus',
} as const
