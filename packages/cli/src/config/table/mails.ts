import type { SettingTable } from '../setting.ts'

/** Mails of designs. How they are sent is a secret: it may hold a password. */
export const mails = {
  mailFrom: { isTrusted: true, kind: 'text', of: 'table', says: 'the sender of mails, an address or a mailbox with its name' },
  credentialLink: {
    isTrusted: true,
    kind: 'text',
    of: 'table',
    says: 'the link in a mail of credentials, with {userId}, {accountId} and {email} in it',
  },
  mailConnectMs: {
    kind: 'number',
    unit: 'ms',
    least: 1,
    most: 86_400_000,
    default: 10_000,
    of: 'table',
    says: 'how long a mail server may take to be found, to accept a connection, and to greet: each of them',
  },
  mailAnswerMs: {
    kind: 'number',
    unit: 'ms',
    least: 1,
    most: 86_400_000,
    default: 30_000,
    of: 'table',
    says: 'how long a mail server may be silent, once it has greeted',
  },
  outboxKept: {
    kind: 'number',
    unit: 'mails',
    least: 1,
    most: 100_000,
    default: 1_000,
    of: 'table',
    says: 'the mails that the outbox of a trial keeps; older ones go',
  },
} as const satisfies SettingTable
