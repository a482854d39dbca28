import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { FreeholdError } from '../errors.ts'
import type { Values } from '../plan/input.ts'
import type { Runtime } from './runtime.ts'

const keys = new WeakMap<Uint8Array, Uint8Array>()

function keyOf(secret: Uint8Array): Uint8Array {
  const known = keys.get(secret)
  if (known !== undefined) return known
  const key = new Uint8Array(hkdfSync('sha256', secret, new Uint8Array(), 'freehold cursor 1', 32))
  keys.set(secret, key)
  return key
}

/** The list that a cursor continues. The cursor is valid for no other (spec rule 14). A sign-in that is under way is sealed alike. */
export interface CursorBinding {
  /** An access pattern, a question and an issuer may have the same name. */
  readonly kind: 'pattern' | 'question' | 'sign-in'
  readonly name: string
  /** Normalised, so that every spelling of a parameter continues the same list. */
  readonly parameters: Readonly<Values>
  readonly descending?: boolean
}

/** The data that a cursor authenticates: its list, its table and its tenant. */
function authenticated({ design, table, tenant }: Runtime, { kind, name, parameters, descending = false }: CursorBinding): Buffer {
  const sorted = Object.entries(parameters).sort(([a], [b]) => (a < b ? -1 : 1))
  return Buffer.from(JSON.stringify([design.name, table, kind, name, sorted, tenant ?? null, descending]))
}

const nonceBytes = 12
const tagBytes = 16

/** Seals the position in a list. AES-256-GCM makes it opaque and tamper-evident. */
export function sealCursor(runtime: Runtime, binding: CursorBinding, place: Readonly<Values>): string {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', keyOf(runtime.secret), nonce)
  cipher.setAAD(authenticated(runtime, binding))
  const body = Buffer.concat([cipher.update(JSON.stringify(place)), cipher.final()])
  return Buffer.concat([nonce, body, cipher.getAuthTag()]).toString('base64url')
}

/** The sealed position. Throws `InvalidCursor` for a cursor that was not sealed for exactly this list. */
export function openCursor(runtime: Runtime, binding: CursorBinding, cursor: string): Values {
  const refuse = () =>
    new FreeholdError('InvalidCursor', 'This cursor was not given for this list: start again without one.', {
      [binding.kind]: binding.name,
    })
  // A caller may pass anything in place of the cursor.
  const bytes = typeof cursor === 'string' ? Buffer.from(cursor, 'base64url') : Buffer.alloc(0)
  // Other spellings of the same bytes are refused, too.
  if (bytes.length <= nonceBytes + tagBytes || bytes.toString('base64url') !== cursor) throw refuse()
  const decipher = createDecipheriv('aes-256-gcm', keyOf(runtime.secret), bytes.subarray(0, nonceBytes))
  decipher.setAAD(authenticated(runtime, binding))
  decipher.setAuthTag(bytes.subarray(-tagBytes))
  try {
    const body = Buffer.concat([decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()])
    return JSON.parse(body.toString('utf8'))
  } catch {
    throw refuse()
  }
}
