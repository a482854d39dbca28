import { isIP } from 'node:net'
import type { Mailbox, Mailer } from '@freehold/frame/mail'
import { FreeholdError } from '@freehold/table'
import { createTransport } from 'nodemailer'
import { transportMailer } from './transport-mailer.ts'

/** How long a mail server may take to be found, to accept the connection, and to greet: each of the three. A mail is one connection. */
export const connect_ms = 10_000
/** How long it may say nothing, once it has greeted. */
export const answer_ms = 30_000

const isLoopback = (host: string) => host === 'localhost' || host === '[::1]' || (isIP(host) === 4 && host.startsWith('127.'))

const refused = (message: string) => new FreeholdError('InvalidInput', message, { issues: [] })

function urlOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  // The text holds a password: no error quotes it.
  if (url === undefined || !['smtp:', 'smtps:'].includes(url.protocol) || url.hostname === '')
    throw refused('The mail server is no URL such as smtps://user:password@mail.example.org.')
  return url
}

/**
 * Sends mails by SMTP. The connection is encrypted: `smtps:` from its start (port 465), `smtp:` by STARTTLS (port 587), which only a server of this
 * machine may lack.
 * @param server `smtps://user:password@host:port`; user and password percent-encoded
 * @throws InvalidInput for another URL
 */
export function smtpMailer(server: string, from: Mailbox): Mailer {
  const { protocol, hostname, port, username, password } = urlOf(server)
  const secure = protocol === 'smtps:'
  const transport = createTransport({
    dnsTimeout: connect_ms,
    connectionTimeout: connect_ms,
    greetingTimeout: connect_ms,
    socketTimeout: answer_ms,
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    requireTLS: !secure && !isLoopback(hostname),
    ...(username === '' ? {} : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
  })
  return transportMailer(from, transport)
}
