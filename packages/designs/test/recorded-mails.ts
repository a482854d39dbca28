import { type Mail, type Mailer, type Mailing, MailRefused } from '@freehold/frame/mail'

/** Mails that went out, and what the next ones meet. */
export interface RecordedMails extends Mailing {
  readonly sent: Mail[]
  /** What becomes of the next mail: it is refused, or sent without an answer. */
  next: 'refused' | 'unanswered' | undefined
  /** Called with each mail that went out. */
  onSent: (() => void) | undefined
}

/** Mails that go nowhere. */
export function recordedMails(): RecordedMails {
  const mailer: Mailer = {
    from: { address: 'no-reply@portal.example' },
    send: async (mail) => {
      const { next } = mails
      mails.next = undefined
      if (next === 'refused') throw new MailRefused('550 no such mailbox')
      mails.sent.push(mail)
      mails.onSent?.()
      if (next === 'unanswered') throw new Error('socket hang up')
      return { messageId: `<${mail.id}@portal.example>` }
    },
  }
  const mails: RecordedMails = {
    mailer,
    credentialLink: ({ userId }) => `https://portal.example/welcome?secret-of=${userId}`,
    sent: [],
    next: undefined,
    onSent: undefined,
  }
  return mails
}
