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

/** The mails of a design: how they go out, and what only the deployer can put into them. */
export interface Mailing {
  readonly mailer: Mailer
  /**
   * Makes the link of a credentials mail, by which a user chooses a password. It is the deployer's own: one that ends soon, and serves once. Left out: no
   * credentials mail is sent.
   */
  credentialLink?(user: MailedUser): string | Promise<string>
  /** Told with the id of each user who was invited, once that is written: sign-in sends its link. It must not throw. */
  invited?(user: string): Promise<void>
}

/** A user whom a mail is for. */
export interface MailedUser {
  readonly userId: string
  readonly accountId: string
  readonly email: string
}

/** The mail was certainly not sent: the transport was not reached, or it refused the mail. The message tells why, without secrets. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused'
}

/** The link of a credentials mail. Throws `MailRefused` if it cannot be made. */
export async function credentialLinkOf({ credentialLink }: Mailing, user: MailedUser): Promise<string> {
  try {
    return (await credentialLink?.(user)) ?? ''
  } catch {
    // The error is of the deployer's own function, and may hold a secret.
    throw new MailRefused('The link for credentials could not be made.')
  }
}
