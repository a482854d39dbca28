import type { SettingTable } from '../setting.ts'

/** Mails of designs. How they are sent is a secret: it may hold a password. */
export const mails = {
  mailFrom: { kind: 'text', of: 'table', says: 'the sender of mails, an address or a mailbox with its name' },
  credentialLink: {
    kind: 'text',
    of: 'table',
    says: 'the link in a mail of credentials, with {userId}, {accountId} and {email} in it',
  },
} as const satisfies SettingTable
