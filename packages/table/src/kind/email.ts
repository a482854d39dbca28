import { domainToASCII, domainToUnicode } from 'node:url'
import { type Kind, Mismatch, textKind } from './kind.ts'
import { checkUnseen } from './look-alikes.ts'
import { foldCase, plainText } from './text.ts'

// RFC 5322 §3.2.3 atext, §3.2.4 quoted-string, §3.4.1 addr-spec; RFC 6532 adds everything outside ASCII.
// Each class lists the excluded characters. Besides those of the RFC, these are control characters and U+10FFFF, which no key may contain,
// capitals, which are folded, and white space, which is invisible.
const never = '\\p{Cc}\\s\\u{10FFFF}'
const atom = `[^${never}A-Z"(),.:;<>@\\[\\\\\\]]+`
const dotAtom = `${atom}(?:\\.${atom})*`
const quoted = `"(?:[^\\p{Cc}\\u{10FFFF}"\\\\]|\\\\[^\\p{Cc}\\u{10FFFF}])*"`
const letter = `[^${never}\\0-/:-\`{-\\x7F]`
const label = `${letter}(?:[^${never}\\0-,./:-\`{-\\x7F]*${letter})?`
const emailForm = new RegExp(`^(?:${dotAtom}|${quoted})@${label}(?:\\.${label})*$`, 'u')
const dotAtomForm = new RegExp(`^${dotAtom}$`, 'u')
/** In quotes the space is the only white space that can be told from others. */
const foreignSpace = /(?! )\s/u

/** Trimmed, NFC and lower case: how addresses were stored before look-alikes were refused. */
function formerAddress(value: string): string {
  const address = foldCase(value, 'lower')
  if (!emailForm.test(address)) throw new Mismatch('is not an e-mail address')
  return address
}

/** The local part, without quotes and backslashes that it does not need (RFC 5322 §3.2.4: they are no part of its meaning). */
function localPart(folded: string): string {
  const local = checkUnseen(folded)
  if (foreignSpace.test(local)) throw new Mismatch('holds white space that is no space')
  if (!local.startsWith('"')) return local
  const meant = local.slice(1, -1).replace(/\\(.)/gsu, '$1')
  return dotAtomForm.test(meant) ? meant : `"${meant.replace(/["\\]/g, '\\$&')}"`
}

// RFC 1035 §2.3.4: 63 octets a label, 255 a name with its length octets.
const labelMax = 63
const domainMax = 253
const tooLong = new Mismatch(`has a domain that is too long: write at most ${labelMax} characters between dots and ${domainMax} in all`)

/** Whether a label is written as the DNS has it: in ASCII, or as the A-label of some Unicode text (RFC 5890 §2.3.2.1). */
function isALabel(ascii: string): boolean {
  if (!ascii.startsWith('xn--')) return true
  const unicode = domainToUnicode(ascii)
  return unicode !== ascii && domainToASCII(unicode) === ascii
}

/** Labels of ASCII letters, digits and hyphens, none of them an A-label, and the last no number: UTS 46 changes their case alone. */
const usualDomain = /^(?:(?!xn--)[a-z0-9][a-z0-9-]{0,62}\.)*(?!xn--)[a-z][a-z0-9-]{0,62}$/i

/**
 * The domain in lower-case A-labels. UTS 46 maps many texts to one domain, so one address could be written in many ways.
 * So a text that it changes other than by case is refused. Its mapping of numbers to IPv4 addresses (WHATWG URL) is such a change.
 */
function asciiDomain(plain: string): string {
  if (plain.length <= domainMax && usualDomain.test(plain)) return plain.toLowerCase()
  // An A-label is never shorter than the text that it stands for, so this needs no look at what a mebibyte maps to.
  if ([...plain].length > domainMax) throw tooLong
  // Letter by letter, as UTS 46 does: `toLowerCase` of a whole word makes another domain of a capital sigma at its end.
  const lower = [...plain]
    .map((character) => character.toLowerCase())
    .join('')
    .normalize('NFC')
  const ascii = domainToASCII(lower)
  const [given, found, unicode] = [lower, ascii, domainToUnicode(ascii)].map((domain) => domain.split('.'))
  const isItself = given?.length === found?.length && given?.every((each, index) => each === found?.[index] || each === unicode?.[index])
  if (ascii !== '' && isItself !== true) throw new Mismatch(`has the domain '${lower}': write '${ascii}'`)
  if (ascii === '' || found?.every(isALabel) !== true || /^[0-9]+$/.test(found.at(-1) ?? ''))
    throw new Mismatch(`has the domain '${lower}', which no host can have: write the name of a domain`)
  if (ascii.length > domainMax || found.some((each) => each.length > labelMax)) throw tooLong
  return ascii
}

/** Trimmed, NFC, lower case; any RFC 5322 local part; the domain in A-labels (spec rule 5). */
export const emailKind: Kind<string> = textKind(
  'email',
  (value) => {
    const folded = formerAddress(value)
    const plain = plainText(value)
    return `${localPart(folded.slice(0, folded.lastIndexOf('@')))}@${asciiDomain(plain.slice(plain.lastIndexOf('@') + 1))}`
  },
  { pattern: emailForm },
  // A local part may have any letters (RFC 6531), which the format `email` does not allow.
  { former: formerAddress, format: 'idn-email' },
)
