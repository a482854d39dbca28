import { randomBytes } from 'node:crypto'

/**
 * The stamp of a write: 16 random bytes as base64url. It is also the token of a transaction, with 22 of the 36 characters that DynamoDB
 * allows. It does not come from the injected ids: two runtimes with the same ids would take each other's writes for their own.
 */
export function newWriteId(): string {
  return randomBytes(16).toString('base64url')
}
