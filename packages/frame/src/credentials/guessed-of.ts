import { createHash } from 'node:crypto'
import type { SignInOrigin } from './credential-store.ts'
import { sourceOf } from './source-of.ts'
import type { Guessed } from './throttle.ts'

/** Guesses that are judged at once: people mistype, and many share a source. */
const free = { account: 5, device: 5, factor: 5, source: 50, mail: 3 } as const
/** Mails in a day, to a person and from a source: nobody's inbox is flooded (OWASP, Forgot Password Cheat Sheet). */
const mails_max = { person: 10, source: 100 } as const

export const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url')

/**
 * The counts of a guess about an account. A known device is counted by itself, so that guesses of others about the account, or from its network, do not
 * slow it.
 */
export function guessedOf(kind: 'account' | 'factor', account: string, { ip_address }: SignInOrigin, device?: string): readonly Guessed[] {
  if (device !== undefined) return [{ of: `${kind}-device-${device}`, free: free.device }]
  const source = { of: `source-${digestOf(sourceOf(ip_address))}`, free: free.source, isShared: true }
  return [{ of: `${kind}-${account}`, free: free[kind] }, source]
}

/** The counts of a mail to the person of an account. Who floods an address leaves a device of its person mails of its own. */
export function mailsOf(account: string, { ip_address }: SignInOrigin, device?: string): readonly Guessed[] {
  const mail = { free: free.mail, most: mails_max.person }
  if (device !== undefined) return [{ of: `mail-device-${device}`, ...mail }]
  const source = { of: `mail-source-${digestOf(sourceOf(ip_address))}`, free: free.source, most: mails_max.source, isShared: true }
  return [{ of: `mail-${account}`, ...mail }, source]
}
