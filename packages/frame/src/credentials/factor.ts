import { createHash } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'

/** A second factor: a TOTP secret, the step of the last code that counted, and the hashes of the recovery codes that are left. Stored encrypted. */
export interface Factor {
  /** Base32, as an authenticator takes it. */
  readonly secret: string
  /** The step of 30 seconds since 1970 whose code was used last. */
  readonly step: number
  readonly recovery: readonly string[]
}

const period_s = 30
/** A code of the step before or after counts, too: clocks differ (RFC 6238, section 5.2). */
const drift = 1
const recoveryCodes = 10
/** 120 bits: nobody guesses one, so that a fast hash is enough (ASVS 6.5.2). */
const recoveryBytes = 15

const totpOf = (secret: string, more: { readonly issuer?: string; readonly label?: string } = {}) =>
  new TOTP({ ...more, algorithm: 'SHA1', digits: 6, period: period_s, secret: Secret.fromBase32(secret) })

/** A recovery code as it is compared: people type it with other spaces, and in capital letters. */
const hashOf = (code: string) =>
  createHash('sha256')
    .update(code.replace(/[^0-9a-z]/gi, '').toLowerCase())
    .digest('hex')

/** 160 bits, as RFC 4226 recommends (section 4, R6). */
export const newFactorSecret = (): string => new Secret({ size: 20 }).base32

/** The address that an authenticator reads: `otpauth://totp/…`. */
export const factorAddress = (secret: string, issuer: string, label: string): string => totpOf(secret, { issuer, label }).toString()

export interface NewFactor {
  readonly factor: Factor
  /** Told once. Each is good once, in place of a code. */
  readonly recoveryCodes: readonly string[]
}

/** A factor whose first code shows that the authenticator has the secret. Undefined if the code is wrong. */
export function newFactor(secret: string, code: string, now: Date): NewFactor | undefined {
  const codes = Array.from({ length: recoveryCodes }, () => new Secret({ size: recoveryBytes }).base32.toLowerCase())
  const begun = usedFactor({ secret, step: 0, recovery: codes.map(hashOf) }, code, now)
  if (begun === undefined) return undefined
  return { factor: begun, recoveryCodes: codes.map((each) => each.replace(/.{4}(?=.)/g, '$&-')) }
}

/** The factor after the use of a code, which counts once. Undefined for a code that is wrong, or was used. The caller stores it before it lets anybody in. */
export function usedFactor(factor: Factor, code: string, now: Date): Factor | undefined {
  const digits = code.replace(/\s/g, '')
  if (/^\d{6}$/.test(digits)) {
    const timestamp = now.getTime()
    const delta = totpOf(factor.secret).validate({ token: digits, timestamp, window: drift })
    const step = Math.floor(timestamp / 1000 / period_s) + (delta ?? 0)
    return delta === null || step <= factor.step ? undefined : { ...factor, step }
  }
  const used = hashOf(code)
  return factor.recovery.includes(used) ? { ...factor, recovery: factor.recovery.filter((each) => each !== used) } : undefined
}
