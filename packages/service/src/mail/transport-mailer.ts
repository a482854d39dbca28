import { type Mail, type Mailbox, type Mailer, MailRefused } from '@freehold/frame/mail'
import { context, propagation } from '@opentelemetry/api'
import type { SendMailOptions, Transporter } from 'nodemailer'

/** Codes of nodemailer for a mail whose text did not go out. */
const refusedCodes: ReadonlySet<string> = new Set(['EAUTH', 'EDNS', 'EENVELOPE', 'EREQUIRETLS', 'ETLS'])

interface SendError {
  readonly code?: unknown
  readonly responseCode?: unknown
  readonly response?: unknown
  readonly name?: unknown
  readonly syscall?: unknown
  readonly $metadata?: { readonly httpStatusCode?: unknown }
}

const isRefusal = (status: unknown, least: number) => typeof status === 'number' && status >= least && status < 600

/** True if the mail was certainly not sent. An answer of a server to the text itself (RFC 5321, section 4.2.1) and one of SES say so. */
function isRefused({ code, responseCode, name, syscall, $metadata }: SendError): boolean {
  if (refusedCodes.has(String(code)) || name === 'CredentialsProviderError' || syscall === 'connect') return true
  // A status from 500 on may be of a gateway behind which SES has taken the mail.
  const status = $metadata?.httpStatusCode
  return (code === 'EMESSAGE' && isRefusal(responseCode, 400)) || (isRefusal(status, 400) && !isRefusal(status, 500))
}

/** The reason of a failure in a few words: the code, and the server's own answer, which holds no secret. */
export function reasonOf(error: SendError): string {
  const { code, name, response } = error
  const words = typeof response === 'string' ? response.replace(/\s+/g, ' ').slice(0, 200) : undefined
  const known = typeof code === 'string' && code !== 'ESES' ? code : typeof name === 'string' ? name : 'Error'
  return words === undefined ? known : `${known}: ${words}`
}

const boxOf = ({ address, name }: Mailbox) => ({ address, name: name ?? '' })

/** What nodemailer sends. Neither the text nor the HTML may name files or URLs to be fetched. */
function messageOf(from: Mailbox, { id, to, subject, text, html }: Mail): SendMailOptions {
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1)
  const messageId = `<${id}@${domain}>`
  // Without an SDK of OpenTelemetry there are none.
  const headers: Record<string, string> = {}
  propagation.inject(context.active(), headers)
  const content = { subject, text, html, messageId, headers }
  return { from: boxOf(from), to: boxOf(to), ...content, disableFileAccess: true, disableUrlAccess: true }
}

/** A mailer over a transport of nodemailer. */
export function transportMailer(from: Mailbox, transport: Pick<Transporter, 'sendMail'>): Mailer {
  return Object.freeze({
    from,
    send: async (mail: Mail) => {
      try {
        const { messageId } = await transport.sendMail(messageOf(from, mail))
        return { messageId: String(messageId) }
      } catch (error) {
        // Errors of nodemailer, of the AWS SDK and of Node have these members, or none of them.
        const failure = (error ?? {}) as SendError
        const reason = reasonOf(failure)
        throw isRefused(failure) ? new MailRefused(reason) : new Error(reason)
      }
    },
  })
}
