import { FreeholdError } from '@freehold/table'
import { kmsSender } from '@freehold/table/runtime'
import type { KeyWrapping } from './data-keys.ts'

const keyForm = /^arn:(aws[a-z-]*):kms:([a-z0-9-]+):\d{12}:(?:key|alias)\/[\w/-]{1,256}$/

/** Says which key of KMS a data key is for, in its log and in its policies. KMS decrypts nothing with another context. */
const contextOf = (id: string) => ({ 'freehold:data-key': id })

/** The key of KMS that has wrapped a text. */
export const kmsKeyOf = (wrapped: string): string => wrapped.slice(0, wrapped.indexOf('#'))

/**
 * Wraps data keys by AWS KMS (`kms:Encrypt` and `kms:Decrypt`). A wrapped key names its key of KMS, so that unwrapping needs no other setting. Throws
 * `Unavailable` where KMS does not do it.
 * @param key the ARN of a key or of its alias, which wraps; left out where nothing is wrapped
 * @param endpoint of KMS, if it is not that of the region
 */
export function kmsWrapping(key?: string, endpoint?: string): KeyWrapping {
  const ask = async (operation: 'Encrypt' | 'Decrypt', arn: string, id: string, input: Readonly<Record<string, string>>) => {
    const [, partition = '', region = ''] = keyForm.exec(arn) ?? []
    if (region === '') {
      const message = 'is no ARN of a key of KMS, such as arn:aws:kms:eu-central-1:123456789012:key/…'
      throw new FreeholdError('InvalidInput', `The key that wraps data keys ${message}`, { issues: [{ path: ['kms'], message }] })
    }
    const host = `kms.${region}.amazonaws.com${partition === 'aws-cn' ? '.cn' : ''}`
    const kms = kmsSender({ endpoint: endpoint ?? `https://${host}`, region })
    try {
      return Object(await kms.send(operation, { KeyId: arn, EncryptionContext: contextOf(id), ...input }))
    } catch (cause) {
      // The name is that of KMS, such as AccessDeniedException.
      const why = cause instanceof Error ? cause.name : 'no answer'
      throw new FreeholdError('Unavailable', `KMS did not ${operation.toLowerCase()} the data key ${id}: ${why}.`, {}, { cause })
    } finally {
      kms.close()
    }
  }
  return {
    wrap: async (bytes, id) => {
      const { KeyId, CiphertextBlob } = await ask('Encrypt', key ?? '', id, { Plaintext: Buffer.from(bytes).toString('base64') })
      return `${String(KeyId)}#${String(CiphertextBlob)}`
    },
    unwrap: async (text, id) => {
      const arn = kmsKeyOf(text)
      const { Plaintext } = await ask('Decrypt', arn, id, { CiphertextBlob: text.slice(arn.length + 1) })
      return Buffer.from(String(Plaintext), 'base64')
    },
  }
}
