/** The sender or recipient of a mail. */
export interface Mailbox {
  readonly address: string
  readonly name?: string | undefined
}

/** A mail to one recipient. */
export interface Mail {
  /** The id of this attempt, for the header `Message-ID` where the transport lets the sender choose it. */
  readonly id: string
  readonly to: Mailbox
  readonly subject: string
  /** The same message in both forms. */
  readonly text: string
  readonly html: string
}

/** Sends mails: the port of designs that notify people. `@freehold/service` has transports for SMTP, Amazon SES and an outbox. */
export interface Mailer {
  readonly from: Mailbox
  /**
   * Sends a mail once, without repeating it, and returns its message id. Throws `MailRefused` if the mail was certainly not sent. After any other
   * error nobody knows whether it was sent.
   */
  send(mail: Mail): Promise<{ readonly messageId: string }>
}

/** The mail was certainly not sent: the transport was not reached, or it refused the mail. The message tells why, without secrets. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused'
}
