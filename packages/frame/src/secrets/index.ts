/** Kinds of stored secrets, and tokens. */
export { encryptedSecret, passwordHash } from './secret-attributes.ts'
export { hashOfToken, idInToken, isHashOf, newTokenText } from './token-text.ts'
