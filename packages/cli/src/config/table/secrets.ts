import type { SettingTable } from '../setting.ts'

/** Secrets. They come from their variables alone. */
export const secrets = {
  secret: { kind: 'text', isSecret: true, of: 'table', says: 'seals cursors; at least 16 characters' },
  mail: { kind: 'text', isSecret: true, of: 'table', says: 'how mails go out: an smtps or smtp URL, ses:, ses:REGION or outbox' },
  tokenSecret: { kind: 'text', isSecret: true, of: 'table', says: 'the secret of tokens, for `freehold authorizer`' },
} as const satisfies SettingTable
