import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { FreeholdError } from '../errors.ts'
import type { Values } from '../plan/input.ts'
import type { QueryPlan } from '../plan/query.ts'
import type { Runtime } from './runtime.ts'

const keys = new WeakMap<Uint8Array, Uint8Array>()

function keyOf(secret: Uint8Array): Uint8Array {
  const known = keys.get(secret)
  if (known !== undefined) return known
  const key = new Uint8Array(hkdfSync('sha256', secret, new Uint8Array(), 'freehold cursor 1', 32))
  keys.set(secret, key)
  return key
}

/** What a cursor is good for: this pattern of this table, with these parameters, for this tenant, in this direction (spec rule 14). */
function binding({ design, table, tenant }: Runtime, { pattern, parameters }: QueryPlan, descending: boolean): Buffer {
  const sorted = Object.entries(parameters).sort(([a], [b]) => (a < b ? -1 : 1))
  return Buffer.from(JSON.stringify([design.name, table, pattern.name, sorted, tenant ?? null, descending]))
}

const nonceBytes = 12
const tagBytes = 16

/** Seals the key after which a list goes on. AES-256-GCM makes it opaque and tamper-evident; what it is bound to is authenticated with it. */
export function sealCursor(runtime: Runtime, plan: QueryPlan, descending: boolean, key: Readonly<Values>): string {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', keyOf(runtime.secret), nonce)
  cipher.setAAD(binding(runtime, plan, descending))
  const body = Buffer.concat([cipher.update(JSON.stringify(key)), cipher.final()])
  return Buffer.concat([nonce, body, cipher.getAuthTag()]).toString('base64url')
}

/** Opens a cursor. Throws `InvalidCursor` for one that was not sealed for exactly this. */
export function openCursor(runtime: Runtime, plan: QueryPlan, descending: boolean, cursor: string): Values {
  const refuse = () =>
    new FreeholdError('InvalidCursor', 'This cursor was not given for this list: start again without one.', { pattern: plan.pattern.name })
  const bytes = Buffer.from(cursor, 'base64url')
  // Other spellings of the same bytes are refused too.
  if (bytes.length <= nonceBytes + tagBytes || bytes.toString('base64url') !== cursor) throw refuse()
  const decipher = createDecipheriv('aes-256-gcm', keyOf(runtime.secret), bytes.subarray(0, nonceBytes))
  decipher.setAAD(binding(runtime, plan, descending))
  decipher.setAuthTag(bytes.subarray(-tagBytes))
  try {
    const body = Buffer.concat([decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()])
    return JSON.parse(body.toString('utf8'))
  } catch {
    throw refuse()
  }
}
