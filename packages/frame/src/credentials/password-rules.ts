import { frequentPasswords } from './frequent-passwords.ts'
import { passwordUnits_max } from './password-hash.ts'

/** By NIST SP 800-63B: fifteen characters where the password is all that is asked for, eight where a second factor is asked for, too. */
export const passwordLength = { alone: 15, withFactor: 8, most: 256 } as const

const cleaned = (text: string) => text.normalize('NFKC').toLowerCase()

/** Letters and digits that are left of a text: what adds something to guess. */
const substance = (text: string) => [...text.replace(/[^\p{L}\p{N}]/gu, '')].length

/** The shortest text that, repeated, gives this one: of `abcabcab` it is `abc`. */
function unitOf(text: string): string {
  for (let length = 1; length <= text.length / 2; length++) if (text.slice(length) === text.slice(0, -length)) return text.slice(0, length)
  return text
}

/** Each character follows the one before, up or down: `12345678`, `hgfedcba`. */
function isRun(text: string): boolean {
  const codes = [...text].map((character) => character.codePointAt(0) ?? 0)
  const step = (codes[1] ?? 0) - (codes[0] ?? 0)
  return Math.abs(step) === 1 && codes.every((code, index) => index === 0 || code - (codes[index - 1] ?? 0) === step)
}

function isCommon(text: string): boolean {
  const unit = unitOf(text)
  const stem = unit.replace(/[^\p{L}]+$/u, '')
  return (
    unit.length < 4 || isRun(unit) || frequentPasswords.has(unit) || (substance(text) - substance(stem) <= 4 && frequentPasswords.has(stem))
  )
}

/** The parts of names and addresses that a password must not be made of; the longest first, since one may be within another. */
function partsOf(words: readonly (string | undefined)[]): readonly string[] {
  const parts = words.flatMap((word = '') => {
    const whole = cleaned(word)
    return [whole, ...whole.split(/[^\p{L}\p{N}]+/u)]
  })
  return [...new Set(parts)].filter((part) => [...part].length >= 3).sort((one, other) => other.length - one.length)
}

/** The facts that the rules of a password depend on. */
export interface PasswordFor {
  /** Names and addresses of the person and of the product. */
  readonly words: readonly (string | undefined)[]
  /** True if a second factor is asked for, too. */
  readonly hasFactor: boolean
}

/** Fewer letters and digits than these beside known words are soon guessed. */
const rest_min = 6

/** Why a new password is refused, as a sentence for the person who chose it. Undefined for one that is accepted. */
export function refusedPassword(password: string, { words, hasFactor }: PasswordFor): string | undefined {
  const least = hasFactor ? passwordLength.withFactor : passwordLength.alone
  const { length } = password.length > passwordUnits_max ? password : [...password.normalize('NFC')]
  if (!password.isWellFormed()) return 'The password holds a broken character. Type it again.'
  if (length < least) return `The password has ${length} characters. It needs at least ${least}: several words are a good password.`
  if (length > passwordLength.most) return `The password has ${length} characters. It may have at most ${passwordLength.most}.`
  const text = cleaned(password)
  if (isCommon(text))
    return 'The password is one of the first that an attacker tries, or follows a simple pattern. Choose several words of your own.'
  const parts = partsOf(words)
  const found = parts.filter((part) => text.includes(part))
  const rest = found.reduce((left, part) => left.replaceAll(part, ' '), text)
  if (found.length === 0 || substance(rest) >= rest_min) return undefined
  return `The password is made of ${found[0]}, which others know about you or this service. Choose other words.`
}
