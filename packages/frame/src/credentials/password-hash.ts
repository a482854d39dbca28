import { pbkdf2, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { boundedWork } from '@freehold/table/runtime'
import { hash, parseOptions, verify } from '@node-rs/argon2'
import { parseOptions as parseBcrypt, verify as verifyBcrypt } from '@node-rs/bcrypt'

/** Argon2id by OWASP's Password Storage Cheat Sheet: 19 MiB, two passes, one lane. The library's default algorithm is Argon2id. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** A stored hash of another program may ask for more than a server should give: it is verified for nobody. */
const most = { memory_bytes: 256 * 1024 * 1024, passes: 20, rounds: 10_000_000, bcryptCost: 15 } as const

/**
 * The hash of `nobody`, which lets nobody in. A person who is not there, or who has no password, costs the same hash as one who is.
 * Its parameters are those of `cost`, which a test compares.
 */
export const nobodysHash = '$argon2id$v=19$m=19456,t=2,p=1$bm9ib2R5IG5vYm9keSE$l8ITXAcEIu1tu6TNJA4DLJ7deta1mukL9gDBC40tT+8'

/** In UTF-16 units. A longer text is nobody's password: the time to compose marks in a row grows with the square of their number. */
export const passwordUnits_max = 1_024

/** Spaces and composed letters in one form, as RFC 8265 (OpaqueString) has it, so that each keyboard writes the same password. */
const prepared = (password: string) => password.replace(/\p{Zs}/gu, ' ').normalize('NFC')

const derive = { scrypt: promisify(scrypt), pbkdf2: promisify(pbkdf2) } as const

/** Base64 without padding, or passlib's, which has `.` for `+`. */
const bytesOf = (text: string) => Buffer.from(text.replaceAll('.', '+'), 'base64')

const numbersIn = (parameters: string): Readonly<Record<string, number>> =>
  Object.fromEntries(parameters.split(',').map((each) => [each.split('=')[0] ?? '', Number(each.split('=')[1] ?? Number.NaN)]))

const form = /^\$(scrypt|pbkdf2(?:-sha(?:1|256|384|512))?)\$([^$]+)\$([\w./+]+)={0,2}\$([\w./+]+)={0,2}$/

/** Derives the key that a PHC string of scrypt or PBKDF2 tells of. Undefined for one that asks for too much. Throws for one that is malformed. */
async function derived(algorithm: string, parameters: string, password: string, salt: Buffer, length: number): Promise<Buffer | undefined> {
  const { ln = Number.NaN, r = Number.NaN, p = Number.NaN, i = Number(parameters) } = numbersIn(parameters)
  if (algorithm === 'scrypt') {
    const bytes = 128 * 2 ** ln * r
    if (!(bytes * p <= most.memory_bytes)) return undefined
    // Its types do not have the form with options.
    const keyOf = derive.scrypt as (password: string, salt: Buffer, length: number, options: object) => Promise<Buffer>
    return keyOf(password, salt, length, { N: 2 ** ln, r, p, maxmem: most.memory_bytes + 1024 * 1024 })
  }
  if (!(i <= most.rounds)) return undefined
  return derive.pbkdf2(password, salt, i, length, algorithm.split('-')[1] ?? 'sha1')
}

async function isPasswordOf(password: string, stored: string): Promise<boolean> {
  if (stored.startsWith('$argon2id$')) {
    const { memoryCost, timeCost } = parseOptions(stored)
    return memoryCost * 1024 <= most.memory_bytes && timeCost <= most.passes && verify(stored, prepared(password))
  }
  // Other programs hashed the text as it was typed.
  if (stored.startsWith('$2')) return parseBcrypt(stored).cost <= most.bcryptCost && verifyBcrypt(password, stored)
  const [, algorithm, parameters = '', salt = '', key = ''] = form.exec(stored) ?? []
  const expected = bytesOf(key)
  if (algorithm === undefined || expected.length < 16) return false
  const found = await derived(algorithm, parameters, password, bytesOf(salt), expected.length)
  return found !== undefined && timingSafeEqual(found, expected)
}

/** Hashes passwords, and compares them. Each call is one hash, so that a test can count them. Throws `Busy` where too many wait. */
export interface PasswordHashing {
  hash(password: string): Promise<string>
  /**
   * True if this is the password of a hash: of argon2id, of bcrypt in its `crypt` form, or of scrypt or PBKDF2 in a PHC string. Without a hash it takes as
   * long, and is false. False, too, for a hash that is malformed or costs too much.
   */
  verify(password: string, stored: string | undefined): Promise<boolean>
  /** True for a hash that is made anew when its password is known next: of another algorithm, or of less cost. */
  isOutdated(stored: string): boolean
}

/** Each takes 19 MiB or more and one of the four threads of Node's pool, which files and names of hosts wait for, too. */
const within = boundedWork({ atOnce_max: 2, waiting_max: 64, busy: 'Too many people are signing in. Try again.' })

export const passwordHashing: PasswordHashing = Object.freeze({
  hash: (password: string) => within(() => hash(prepared(password), cost)),
  verify: async (password: string, stored: string | undefined) => {
    const isRight = await within(() => isPasswordOf(password.slice(0, passwordUnits_max), stored ?? nobodysHash).catch(() => false))
    return isRight && stored !== undefined && password.length <= passwordUnits_max
  },
  isOutdated: (stored: string) => {
    if (!stored.startsWith('$argon2id$')) return true
    const { memoryCost, timeCost } = parseOptions(stored)
    return memoryCost < cost.memoryCost || timeCost < cost.timeCost
  },
})
