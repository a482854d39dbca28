import { randomBytes } from 'node:crypto'

/**
 * What a write stamps its items with, 16 random bytes as base64url; as the token of a transaction it has 22 of the 36 characters that DynamoDB
 * takes. It is not made of the injected ids: two runtimes with the same ids would take each other's writes for their own.
 */
export function newWriteId(): string {
  return randomBytes(16).toString('base64url')
}
