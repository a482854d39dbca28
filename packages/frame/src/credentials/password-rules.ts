import { frequentPasswords } from './frequent-passwords.ts'
import { passwordUnits_max } from './password-hash.ts'

/** By NIST SP 800-63B: fifteen characters where the password is all that is asked for, eight where a second factor is asked for, too. */
export const passwordLength = { alone: 15, withFactor: 8, most: 256 } as const

const cleaned = (text: string) => text.normalize('NFKC').toLowerCase()

/** Letters and digits that are left of a text. */
const substance = (text: string) => [...text.replace(/[^\p{L}\p{N}]/gu, '')].length

/** Fewer characters than these are soon guessed. */
const rest_min = 6

/** Stands in place of a part that adds little. No password has it once it is cleaned. */
const little = '\0'
const numberAfter = /\0[^\p{L}\0]{1,5}$/u
/** Shorter ones stand within words, too. */
const part_min = 3

/** How many characters from `start` each follow the one before by one step: up, down, or the same again. */
function runAt(text: string, start: number): number {
  const stepAt = (at: number) => text.charCodeAt(at + 1) - text.charCodeAt(at)
  const step = stepAt(start)
  let end = start + 1
  while (Math.abs(step) <= 1 && end < text.length && stepAt(end - 1) === step) end++
  return end - start
}

/** How many characters from `start` begin before it, too: of a repetition, however often. */
function repeatedAt(text: string, start: number): number {
  let length = 0
  while (start + length < text.length && text.slice(0, start + length).includes(text.slice(start, start + length + 1))) length++
  return length
}

const lengths = [...new Set([...frequentPasswords].map(({ length }) => length))].sort((one, other) => other - one)
const frequentAt = (text: string, start: number) => lengths.find((length) => frequentPasswords.has(text.slice(start, start + length))) ?? 0

/** Characters to guess: a run such as `12345` and a repetition count as one, a common password and a number behind it as two. */
function toGuess(text: string): number {
  let left = ''
  for (let at = 0; at < text.length; ) {
    const frequent = frequentAt(text, at)
    const length = Math.max(frequent, runAt(text, at), repeatedAt(text, at))
    const isPart = length >= part_min
    left += isPart ? little.repeat(length === frequent ? 2 : 1) : text.charAt(at)
    at += isPart ? length : 1
  }
  return [...left.replace(numberAfter, little.repeat(3))].length
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

/** Why a new password is refused, as a sentence for the person who chose it. Undefined for one that is accepted. */
export function refusedPassword(password: string, { words, hasFactor }: PasswordFor): string | undefined {
  const least = hasFactor ? passwordLength.withFactor : passwordLength.alone
  const { length } = password.length > passwordUnits_max ? password : [...password.normalize('NFC')]
  if (!password.isWellFormed()) return 'The password holds a broken character. Type it again.'
  if (length < least) return `The password has ${length} characters. It needs at least ${least}: several words are a good password.`
  if (length > passwordLength.most) return `The password has ${length} characters. It may have at most ${passwordLength.most}.`
  const text = cleaned(password)
  if (toGuess(text.replace(/[\s\0]/g, '')) < rest_min)
    return 'The password is one of the first that an attacker tries, or follows a simple pattern. Choose several words of your own.'
  const parts = partsOf(words)
  const found = parts.filter((part) => text.includes(part))
  const rest = found.reduce((left, part) => left.replaceAll(part, ' '), text)
  if (found.length === 0 || substance(rest) >= rest_min) return undefined
  return `The password is made of ${found[0]}, which others know about you or this service. Choose other words.`
}
