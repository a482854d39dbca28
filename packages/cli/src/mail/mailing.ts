import { join } from 'node:path'
import type { Mailbox, MailedUser, Mailer, Mailing } from '@freehold/designs'
import type { Outbox } from '@freehold/service/mail'
import { email, FreeholdError } from '@freehold/table'
import type { Environment } from '../environment.ts'

type MailEnvironment = Pick<Environment, 'FREEHOLD_MAIL' | 'FREEHOLD_MAIL_FROM' | 'FREEHOLD_CREDENTIAL_LINK'>

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

const refused = (message: string) => new FreeholdError('InvalidInput', message, { issues: [] })

/** `no-reply@portal.example`, or `The Portal <no-reply@portal.example>`. */
function senderOf(text: string): Mailbox {
  const [, name = '', inBrackets] = /^(.*?)<([^<>]*)>\s*$/s.exec(text) ?? []
  const address = email().schema.safeParse(inBrackets ?? text)
  if (!address.success || /[\p{Cc}"]/u.test(name))
    throw refused('FREEHOLD_MAIL_FROM is not an address such as no-reply@portal.example or The Portal <no-reply@portal.example>.')
  return { address: address.data, ...(name.trim() === '' ? {} : { name: name.trim() }) }
}

const parts: readonly (keyof MailedUser)[] = ['userId', 'accountId', 'email']

/** The link for a user, by a URL with placeholders. */
function linkBy(template: string): (user: MailedUser) => string {
  const link = (user: MailedUser) => parts.reduce((url, name) => url.replaceAll(`{${name}}`, encodeURIComponent(user[name])), template)
  const sample = link({ userId: 'u', accountId: 'a', email: 'e' })
  const isWeb = URL.canParse(sample) && ['http:', 'https:'].includes(new URL(sample).protocol)
  if (!isWeb || /[{}]/.test(sample) || !template.includes('{'))
    throw refused(
      'FREEHOLD_CREDENTIAL_LINK is not a URL such as https://portal.example/welcome?user={userId}; it may also have {accountId} and {email}.',
    )
  return link
}

/** A trial needs no settings: nobody gets its mails. */
const trialLink = 'https://portal.example/welcome?user={userId}'
const trialSender: Mailbox = { address: 'no-reply@portal.example', name: 'The Portal' }

/** A mailer that is made with the first mail: most commands send none. */
function madeLate(from: Mailbox, make: () => Promise<Mailer>): Mailer {
  let made: Promise<Mailer> | undefined
  return {
    from,
    send: async (mail) => {
      made ??= make()
      return (await made).send(mail)
    },
  }
}

const transports = () => import('@freehold/service/mail')

/** Mails that go out as `FREEHOLD_MAIL` says. No error quotes it, since it holds a password. */
function sentBy(text: string, from: Mailbox): Mailer {
  if (/^smtps?:/.test(text) && URL.canParse(text) && new URL(text).hostname !== '')
    return madeLate(from, async () => (await transports()).smtpMailer(text, from))
  const [, region] = /^ses:([a-z0-9-]*)$/.exec(text) ?? []
  if (region !== undefined) return madeLate(from, async () => (await transports()).sesMailer(from, region === '' ? {} : { region }))
  throw refused('FREEHOLD_MAIL is none of smtps://USER:PASSWORD@HOST, smtp://USER:PASSWORD@HOST:587, ses:, ses:REGION and outbox.')
}

/**
 * The mails of a command: by `FREEHOLD_MAIL`, or, with the embedded engine and without that variable, into the outbox.
 * @throws InvalidInput for settings that are malformed, or that lack a sender
 */
export function mailsOf(env: MailEnvironment, { folder, isEmbedded }: MailPlace): CommandMails {
  const { FREEHOLD_MAIL: text = isEmbedded ? 'outbox' : undefined, FREEHOLD_MAIL_FROM: sender, FREEHOLD_CREDENTIAL_LINK: link } = env
  const from = sender === undefined ? undefined : senderOf(sender)
  const credentialLink = link === undefined ? undefined : linkBy(link)
  if (text === undefined) return { mailing: undefined }
  if (text === 'outbox') {
    const outbox = async () => (await transports()).openOutbox({ folder: join(folder, 'outbox'), from: from ?? trialSender })
    const mailer = madeLate(from ?? trialSender, async () => (await outbox()).mailer)
    return { mailing: { mailer, credentialLink: credentialLink ?? linkBy(trialLink) }, outbox }
  }
  if (from === undefined) throw refused('FREEHOLD_MAIL needs a sender: set FREEHOLD_MAIL_FROM to its address.')
  return { mailing: { mailer: sentBy(text, from), ...(credentialLink === undefined ? {} : { credentialLink }) } }
}
