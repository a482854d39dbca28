import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { FreeholdError } from '@freehold/table'

/** Wraps a data key by a key that never leaves its place, as AWS KMS does. Without one, the file of the data keys has them as they are. */
export interface KeyWrapping {
  wrap(key: Uint8Array, id: string): Promise<string>
  /** Throws for text that this did not wrap, or wrapped for another id. */
  unwrap(text: string, id: string): Promise<Uint8Array>
}

/** The owner of a secret, and its kind. Nobody decrypts it as another person's, or as another secret of the same person. */
export interface SecretOf {
  readonly user: string
  readonly kind: string
}

/** Data keys, the current one first. Secrets of former keys are readable, and texts that these signed are valid. */
export interface DataKeys {
  readonly current: string
  /** AES-256-GCM: `aes-256-gcm:KEY:BASE64` of nonce, ciphertext and tag. */
  seal(text: string, of: SecretOf): string
  /** Undefined for text that was sealed otherwise, for another person or kind, or by a key that is no longer there. */
  open(sealed: string, of: SecretOf): string | undefined
  /** True for text that the current key has sealed. */
  isCurrent(sealed: string): boolean
  /** A text for somebody who brings it back: its content, signed for one purpose. */
  sign(purpose: string, content: unknown): string
  /** The content of a signed text. Undefined unless it was signed here, for this purpose. */
  signed(purpose: string, text: string): unknown
}

interface DataKey {
  readonly id: string
  readonly bytes: Buffer
}

const cipher = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16
const idForm = /^[a-z0-9-]{1,40}$/
const noKeys = 'has no keys: freehold keys rotate makes them'
const refused = (message: string) => new FreeholdError('InvalidInput', `The file of data keys ${message}.`, { issues: [] })

const boundTo = ({ user, kind }: SecretOf) => Buffer.from(JSON.stringify([user, kind]))

function dataKeysOf(found: readonly DataKey[]): DataKeys {
  const keys = found.map(({ id, bytes }) => {
    if (bytes.length !== 32) throw refused(`has a key that is not 32 bytes: ${id}`)
    // Each key has one use: that which encrypts signs nothing.
    return { id, bytes, signing: Buffer.from(hkdfSync('sha256', bytes, '', 'freehold signed text', 32)) }
  })
  const [current] = keys
  if (current === undefined) throw refused(noKeys)
  const macOf = (key: Buffer, purpose: string, content: string) => createHmac('sha256', key).update(`${purpose}\n${content}`).digest()
  return Object.freeze({
    current: current.id,
    seal: (text: string, of: SecretOf) => {
      const nonce = randomBytes(nonceBytes)
      const encrypting = createCipheriv(cipher, current.bytes, nonce).setAAD(boundTo(of))
      const sealed = Buffer.concat([nonce, encrypting.update(text, 'utf8'), encrypting.final(), encrypting.getAuthTag()])
      return `${cipher}:${current.id}:${sealed.toString('base64')}`
    },
    open: (sealed: string, of: SecretOf) => {
      const [name, id, text = ''] = sealed.split(':')
      const key = keys.find((each) => each.id === id)
      const bytes = Buffer.from(text, 'base64')
      if (name !== cipher || key === undefined || bytes.length < nonceBytes + tagBytes) return undefined
      const decrypting = createDecipheriv(cipher, key.bytes, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
      decrypting.setAAD(boundTo(of)).setAuthTag(bytes.subarray(-tagBytes))
      try {
        return Buffer.concat([decrypting.update(bytes.subarray(nonceBytes, -tagBytes)), decrypting.final()]).toString('utf8')
      } catch {
        return undefined
      }
    },
    isCurrent: (sealed: string) => sealed.startsWith(`${cipher}:${current.id}:`),
    sign: (purpose: string, content: unknown) => {
      const text = Buffer.from(JSON.stringify(content)).toString('base64url')
      return `${text}.${macOf(current.signing, purpose, text).toString('base64url')}`
    },
    signed: (purpose: string, text: string) => {
      const [content = '', mac = '', ...more] = text.split('.')
      const given = Buffer.from(mac, 'base64url')
      const isBy = (key: Buffer) => given.length === 32 && timingSafeEqual(macOf(key, purpose, content), given)
      const isOurs = more.length === 0 && keys.some(({ signing }) => isBy(signing))
      // Only `sign` writes texts with such a signature.
      return isOurs ? (JSON.parse(Buffer.from(content, 'base64url').toString()) as unknown) : undefined
    },
  })
}

interface KeyEntry {
  readonly id: string
  /** Base64 of 32 bytes. */
  readonly key?: string
  readonly wrapped?: string
}

function entriesIn(text: string): readonly KeyEntry[] {
  let parsed: { readonly keys?: unknown } | null
  try {
    // Its content is checked below.
    parsed = JSON.parse(text) as { readonly keys?: unknown } | null
  } catch {
    throw refused('is not JSON')
  }
  const keys = parsed?.keys
  if (!Array.isArray(keys)) throw refused(noKeys)
  for (const { id, key, wrapped } of keys as readonly Partial<Record<keyof KeyEntry, unknown>>[])
    if (typeof id !== 'string' || !idForm.test(id) || (typeof key === 'string') === (typeof wrapped === 'string'))
      throw refused('has a key without its id, or without `key` or `wrapped`')
  return keys as readonly KeyEntry[]
}

/** The data keys in the text of a file that has them as they are. Throws `InvalidInput` for text that has none, and for keys that are wrapped. */
export function plainDataKeys(text: string): DataKeys {
  return dataKeysOf(
    entriesIn(text).map(({ id, key }) => {
      if (key === undefined) throw refused(`has a key that is wrapped, ${id}, and nothing here unwraps it`)
      return { id, bytes: Buffer.from(key, 'base64') }
    }),
  )
}

/** The current key of the text of a file, if it is wrapped. */
export const wrappedIn = (text: string): string | undefined => entriesIn(text)[0]?.wrapped

/** The data keys in the text of their file, each unwrapped unless it stands there as it is. Throws `InvalidInput` for text that has none. */
export async function openDataKeys(text: string, wrapping?: KeyWrapping): Promise<DataKeys> {
  if (wrapping === undefined) return plainDataKeys(text)
  const keys: DataKey[] = []
  for (const { id, key, wrapped = '' } of entriesIn(text))
    keys.push({ id, bytes: key === undefined ? Buffer.from(await wrapping.unwrap(wrapped, id)) : Buffer.from(key, 'base64') })
  return dataKeysOf(keys)
}

/** The text of the file with a new key before the others. Without a text: of a new file. */
export async function withNewDataKey(text: string | undefined, now: Date, wrapping?: KeyWrapping): Promise<string> {
  const former = text === undefined ? [] : entriesIn(text)
  const key = randomBytes(32)
  const id = `${now.toISOString().slice(0, 10)}-${randomBytes(4).toString('hex')}`
  const wrapped = await wrapping?.wrap(key, id)
  // No file has a key that is lost once this process ends.
  if (wrapped !== undefined && wrapping !== undefined && !key.equals(await wrapping.unwrap(wrapped, id)))
    throw refused('would have a key that is unwrapped as another one')
  const entry = wrapped === undefined ? { id, key: key.toString('base64') } : { id, wrapped }
  return `${JSON.stringify({ keys: [entry, ...former] }, null, 2)}\n`
}

/** The text of the file with its two newest keys, once every secret is encrypted by the newest: signed texts of the one before last another day. */
export function withoutOldDataKeys(text: string): string {
  return `${JSON.stringify({ keys: entriesIn(text).slice(0, 2) }, null, 2)}\n`
}
