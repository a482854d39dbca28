/** Mails of any design: the port that sends them, their texts, delivery at most once, audits and reminders. */
export { attemptMax_ms, type Delivery, deliveryOf, unknownOutcome } from './deliver.ts'
export { mailFlows } from './mail-flows.ts'
export { escaped, type MailPart, mailText, oneLine } from './mail-text.ts'
export { credentialLinkOf, type Mail, type Mailbox, type MailedUser, type Mailer, type Mailing, MailRefused } from './mailer.ts'
export type { Mails, Prepared } from './mails.ts'
export { endIn, lastEnd, mailCounts, remindersOf, reminding } from './reminders.ts'
