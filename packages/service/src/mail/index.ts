export { type Outbox, type OutboxMail, type OutboxOptions, openOutbox } from './outbox.ts'
export { type SesOptions, sesMailer } from './ses-mailer.ts'
export { smtpMailer } from './smtp-mailer.ts'
