import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2'
import type { Mailbox, Mailer } from '@freehold/frame/mail'
import { createTransport } from 'nodemailer'
import { answer_ms, connect_ms } from './smtp-mailer.ts'
import { transportMailer } from './transport-mailer.ts'

export interface SesOptions {
  /** By default the region of the environment. */
  readonly region?: string | undefined
  /** Another endpoint than that of the region, for tests. */
  readonly endpoint?: string | undefined
}

/**
 * Sends mails by Amazon SES (`ses:SendEmail` and `ses:SendRawEmail`: a message in MIME is a raw one). A request is made once: SES knows no token, so a repeat after a lost answer could be a second mail.
 */
export function sesMailer(from: Mailbox, { region, endpoint }: SesOptions = {}): Mailer {
  const sesClient = new SESv2Client({
    maxAttempts: 1,
    requestHandler: { connectionTimeout: connect_ms, requestTimeout: answer_ms },
    ...(region === undefined ? {} : { region }),
    ...(endpoint === undefined ? {} : { endpoint }),
  })
  return transportMailer(from, createTransport({ SES: { sesClient, SendEmailCommand } }))
}
