import { join } from 'node:path'
import type { Mailbox, Mailing } from '@freehold/frame/mail'
import type { Outbox } from '@freehold/service/mail'
import { madeLate, readLink, readSender, sentMails } from '@freehold/service/mail-settings'
import type { Settings } from '../config/settings.ts'

/** The mails of a command. Nothing is loaded or connected before the first one. */
export interface CommandMails {
  /** Undefined if no mails are sent. */
  readonly mailing: Mailing | undefined
  /** Where mails stay instead of being sent. */
  readonly outbox?: () => Promise<Outbox>
}

/** Where a command keeps its data. */
export interface MailPlace {
  /** The data folder, which has the outbox. */
  readonly folder: string
  readonly isEmbedded: boolean
}

/** A trial needs no settings: nobody gets its mails. */
const trialLink = 'https://portal.example/welcome?user={userId}'
const trialSender: Mailbox = { address: 'no-reply@portal.example', name: 'The Portal' }

/**
 * The mails of a command: by `FREEHOLD_MAIL`, or, with the embedded engine and without that variable, into the outbox.
 * @throws InvalidInput for settings that are malformed, or that lack a sender
 */
export function mailsOf({ mail, mailFrom, credentialLink }: Partial<Settings>, { folder, isEmbedded }: MailPlace): CommandMails {
  const text = mail ?? (isEmbedded ? 'outbox' : undefined)
  if (text !== 'outbox')
    return {
      mailing: sentMails({ FREEHOLD_MAIL: text, FREEHOLD_MAIL_FROM: mailFrom, FREEHOLD_CREDENTIAL_LINK: credentialLink }),
    }
  const from = mailFrom === undefined ? trialSender : readSender(mailFrom)
  const outbox = async () => (await import('@freehold/service/mail')).openOutbox({ folder: join(folder, 'outbox'), from })
  const mailer = madeLate(from, async () => (await outbox()).mailer)
  return { mailing: { mailer, credentialLink: readLink(credentialLink ?? trialLink) }, outbox }
}
