import { FreeholdError } from '../errors.ts'

/** DynamoDB's limits, in bytes of UTF-8. They also hold for index keys (spec rule 2). */
export const keyBytesMax = { partition: 2048, sort: 1024 } as const

/** Throws `InvalidKey` for a key that DynamoDB would refuse, before anything is sent. */
export function checkKeySize(key: string, part: 'partition' | 'sort', entity: string, attribute: string): void {
  const max = keyBytesMax[part]
  // A UTF-16 unit takes at most three bytes, so short keys need no count.
  if (key.length * 3 <= max) return
  const bytes = Buffer.byteLength(key)
  if (bytes > max) {
    throw new FreeholdError('InvalidKey', `${attribute} of ${entity} has ${bytes} bytes; a ${part} key has at most ${max}.`, {
      entity,
      attribute,
      bytes,
    })
  }
}
