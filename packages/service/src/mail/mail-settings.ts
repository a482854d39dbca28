import type { Mailbox, MailedUser, Mailer, Mailing } from '@freehold/frame/mail'
import { email, FreeholdError } from '@freehold/table'

/** The settings of mails that go out, by their environment variables. */
export interface MailSettings {
  readonly FREEHOLD_MAIL?: string | undefined
  readonly FREEHOLD_MAIL_FROM?: string | undefined
  readonly FREEHOLD_CREDENTIAL_LINK?: string | undefined
}

const refused = (message: string) => new FreeholdError('InvalidInput', message, { issues: [] })

/** `no-reply@portal.example`, or `The Portal <no-reply@portal.example>`. */
export function readSender(text: string): Mailbox {
  const [, name = '', inBrackets] = /^(.*?)<([^<>]*)>\s*$/s.exec(text) ?? []
  const address = email().schema.safeParse(inBrackets ?? text)
  if (!address.success || /[\p{Cc}"]/u.test(name))
    throw refused('FREEHOLD_MAIL_FROM is not an address such as no-reply@portal.example or The Portal <no-reply@portal.example>.')
  return { address: address.data, ...(name.trim() === '' ? {} : { name: name.trim() }) }
}

const parts: readonly (keyof MailedUser)[] = ['userId', 'accountId', 'email']

/** The link for a user, by a URL with placeholders. */
export function readLink(template: string): (user: MailedUser) => string {
  const link = (user: MailedUser) => parts.reduce((url, name) => url.replaceAll(`{${name}}`, encodeURIComponent(user[name])), template)
  const sample = link({ userId: 'u', accountId: 'a', email: 'e' })
  const isWeb = URL.canParse(sample) && ['http:', 'https:'].includes(new URL(sample).protocol)
  if (!isWeb || /[{}]/.test(sample) || !template.includes('{'))
    throw refused(
      'FREEHOLD_CREDENTIAL_LINK is not a URL such as https://portal.example/welcome?user={userId}; it may also have {accountId} and {email}.',
    )
  return link
}

/** A mailer that is made with the first mail: most commands send none. */
export function madeLate(from: Mailbox, make: () => Promise<Mailer>): Mailer {
  let made: Promise<Mailer> | undefined
  return {
    from,
    send: async (mail) => {
      made ??= make()
      return (await made).send(mail)
    },
  }
}

/** Mails that go out as `FREEHOLD_MAIL` says. No error quotes it, since it holds a password. */
function sentBy(text: string, from: Mailbox): Mailer {
  if (/^smtps?:/.test(text) && URL.canParse(text) && new URL(text).hostname !== '')
    return madeLate(from, async () => (await import('./smtp-mailer.ts')).smtpMailer(text, from))
  const [, region] = /^ses:([a-z0-9-]*)$/.exec(text) ?? []
  if (region !== undefined)
    return madeLate(from, async () => (await import('./ses-mailer.ts')).sesMailer(from, region === '' ? {} : { region }))
  throw refused('FREEHOLD_MAIL is none of smtps://USER:PASSWORD@HOST, smtp://USER:PASSWORD@HOST:587, ses:, ses:REGION and outbox.')
}

/**
 * How mails go out by SMTP or SES. Undefined without `FREEHOLD_MAIL`. Nothing is loaded or connected before the first mail.
 * @throws InvalidInput for settings that are malformed, or that lack a sender
 */
export function sentMails({
  FREEHOLD_MAIL: text,
  FREEHOLD_MAIL_FROM: sender,
  FREEHOLD_CREDENTIAL_LINK: link,
}: MailSettings): Mailing | undefined {
  const from = sender === undefined ? undefined : readSender(sender)
  const credentialLink = link === undefined ? undefined : readLink(link)
  if (text === undefined) return undefined
  if (from === undefined) throw refused('FREEHOLD_MAIL needs a sender: set FREEHOLD_MAIL_FROM to its address.')
  return { mailer: sentBy(text, from), ...(credentialLink === undefined ? {} : { credentialLink }) }
}
