import { text } from '@freehold/table'

/** As an input: what the caller's own hashing made of a password. It is compared by the caller, too, and never given back. */
export const newPassword = text({ max: 4096, pattern: /\P{Cc}+/u, saying: 'is empty, or holds a control character' }).secret()
