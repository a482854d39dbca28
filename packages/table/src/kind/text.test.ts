import { domainToASCII } from 'node:url'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Attribute } from '../design/attribute.ts'
import { code, email, phone, text, username, verbatim } from '../design/attributes.ts'

/** The stored value of an input, or the sentence that refuses it. */
function stored({ schema }: Attribute, input: unknown): unknown {
  const result = schema.safeParse(input)
  return result.success ? result.data : { refused: result.error.issues.map(({ message }) => message).join('; ') }
}
const kelvin = '\u212a'
const longS = '\u017f'

describe('an e-mail address', () => {
  test.each([
    ['ada@example.com', 'ada@example.com'],
    ['  Ada.Lovelace@Example.COM\n', 'ada.lovelace@example.com'],
    ['ada+tag@example.com', 'ada+tag@example.com'],
    ['a#b@example.com', 'a#b@example.com'],
    ["!#$%&'*+/=?^_`{|}~-@example.com", "!#$%&'*+/=?^_`{|}~-@example.com"],
    ['"Ada Lovelace"@example.com', '"ada lovelace"@example.com'],
    ['"a@b"@example.com', '"a@b"@example.com'],
    ['"a\\"b"@example.com', '"a\\"b"@example.com'],
    ['""@example.com', '""@example.com'],
    ['ada@localhost', 'ada@localhost'],
    ['ada@sub.example-1.co.uk', 'ada@sub.example-1.co.uk'],
    ['Jose\u0301@example.com', 'jos\u00e9@example.com'],
    ['JOS\u00c9@B\u00dcCHER.example', 'jos\u00e9@xn--bcher-kva.example'],
    ['\uff21da@example.com', '\uff41da@example.com'], // full-width letters stay another address
    ['\u0391\u0394\u0391@example.com', '\u03b1\u03b4\u03b1@example.com'],
    ['\u0131@example.com', '\u0131@example.com'], // a dotless i is lower case already, and no i
  ])('%j is stored as %j', (input, value) => {
    expect(stored(email(), input)).toBe(value)
  })

  test.each([
    '',
    'ada',
    '@example.com',
    'ada@',
    'ada@@example.com',
    'ada lovelace@example.com',
    'ada@exa mple.com',
    '.ada@example.com',
    'ada.@example.com',
    'a..b@example.com',
    'ada@example..com',
    'ada@-example.com',
    'ada@example-.com',
    'ada@.example.com',
    'ada@exam_ple.com',
    'a,b@example.com',
    'a;b@example.com',
    'a(b)@example.com',
    'a<b>@example.com',
    '"ada@example.com',
    '"a"b"@example.com',
    'ada\u0000@example.com',
    'ada\u0085x@example.com',
    'ada\u00a0x@example.com',
    'ada@exa\u2028mple.com',
    '"a\u0007b"@example.com',
    '"a\u{10FFFF}b"@example.com',
    'ada\u{10FFFF}@example.com',
    'ada@example.com\nbcc@example.com',
    'Ada <ada@example.com>',
  ])('%j is refused', (input) => {
    expect(stored(email(), input)).toEqual({ refused: 'is not an e-mail address' })
  })

  test('that an impostor spells with a letter that folds into ASCII is refused', () => {
    expect(stored(email(), `mar${kelvin}@example.com`)).toEqual({ refused: `holds '${kelvin}', which would turn into the letter 'k'` })
    expect(stored(email(), `admin@ban${kelvin}.example`)).toEqual({ refused: `holds '${kelvin}', which would turn into the letter 'k'` })
    // Normalisation alone makes these ASCII: a Greek question mark and a Greek varia.
    expect(stored(email(), 'a\u037eb@example.com')).toEqual({ refused: "holds '\u037e', which would turn into the letter ';'" })
    expect(stored(email(), 'a\u1fefb@example.com')).toEqual({ refused: "holds '\u1fef', which would turn into the letter '`'" })
  })

  test.each([
    ['ada@xn--bcher-kva.example', 'ada@xn--bcher-kva.example'],
    ['ada@XN--BCHER-KVA.Example', 'ada@xn--bcher-kva.example'],
    ['ada@fa\u00df.de', 'ada@xn--fa-hia.de'], // UTS 46 is nontransitional: this is not fass.de
    ['ada@\u039f\u0394\u039f\u03a3.gr', 'ada@xn--pxavbq.gr'], // as UTS 46 folds a capital sigma, at the end of a word, too
    ['"ada"@example.com', 'ada@example.com'],
    ['"A\\da.b"@example.com', 'ada.b@example.com'],
    ['"a\\ b"@example.com', '"a b"@example.com'],
    ['"a..b"@example.com', '"a..b"@example.com'],
    ['"\\\\"@example.com', '"\\\\"@example.com'],
    [`ada@${'a'.repeat(63)}.example`, `ada@${'a'.repeat(63)}.example`],
  ])('%j has one spelling: %j', (input, value) => {
    expect(stored(email(), input)).toBe(value)
    expect(stored(email(), value)).toBe(value)
  })

  test.each([
    ['a@a\u3002org', "has the domain 'a\u3002org': write 'a.org'"],
    ['a@\uff21.org', "has the domain '\uff41.org': write 'a.org'"],
    ['a@\u24d0.org', "has the domain '\u24d0.org': write 'a.org'"],
    ['a@a\u200b.org', "has the domain 'a\u200b.org': write 'a.org'"],
    ['a@a\u00adb.org', "has the domain 'a\u00adb.org': write 'ab.org'"],
    ['a@0x7f.1', "has the domain '0x7f.1': write '127.0.0.1'"],
    ['a@1.2', "has the domain '1.2': write '1.0.0.2'"],
    ['a@127.0.0.1', "has the domain '127.0.0.1', which no host can have: write the name of a domain"],
    ['a@a.1', "has the domain 'a.1', which no host can have: write the name of a domain"],
    ['a@a\u200d.org', "has the domain 'a\u200d.org', which no host can have: write the name of a domain"],
    ['a@xn--a.org', "has the domain 'xn--a.org', which no host can have: write the name of a domain"],
    ['a@xn--a--.org', 'is not an e-mail address'],
    [`a@${'a'.repeat(64)}.org`, 'has a domain that is too long: write at most 63 characters between dots and 253 in all'],
    [`a@${'a.'.repeat(130)}org`, 'has a domain that is too long: write at most 63 characters between dots and 253 in all'],
    ['a\u200ba@a.org', 'holds U+200B, which nobody sees: write it without'],
    ['a\u00ada@a.org', 'holds U+00AD, which nobody sees: write it without'],
    ['a\u202ea@a.org', 'holds U+202E, which nobody sees: write it without'],
    ['a\ufe0fa@a.org', 'holds U+FE0F, which nobody sees: write it without'],
    ['a\u3164a@a.org', 'holds U+3164, which nobody sees: write it without'],
    ['"a\u2060"@a.org', 'holds U+2060, which nobody sees: write it without'],
    ['"a\u00a0b"@a.org', 'holds white space that is no space'],
  ])('%j is another spelling of some mailbox, or of none', (input, refused) => {
    expect(stored(email(), input)).toEqual({ refused })
  })

  test('of a domain is stored in one spelling, whatever UTS 46 would make of others', () => {
    let many = 0
    const letters = fc.constantFrom(...'aZ09-.\u00fc\u00dc\u00df\u03a3\u03c2\uff21\u3002\u200b\u200d\u00ad\u2460\u05d0\u0130', 'xn--', '0x')
    fc.assert(
      fc.property(fc.string({ unit: letters, minLength: 1, maxLength: 6 }), (domain) => {
        const value = stored(email(), `a@${domain}.org`)
        if (typeof value !== 'string') return
        many += 1
        expect(value).toMatch(/^[ -~]+$/)
        expect(value).toBe(value.toLowerCase())
        expect(stored(email(), value)).toBe(value)
        expect(value).toBe(`a@${domainToASCII(`${domain}.org`)}`)
      }),
      { numRuns: 3_000 },
    )
    expect(many).toBeGreaterThan(300)
  })

  test('that was stored before is still read', () => {
    for (const former of ['ada@b\u00fccher.example', '"ada"@example.com', 'a@a\u3002org', 'a\u200b@a.org'])
      expect(email().kind.holds(former)).toBe(true)
  })

  test('with a half of a surrogate pair is refused', () => {
    expect(stored(email(), 'ada\ud800@example.com')).toEqual({ refused: 'holds an unpaired surrogate' })
  })

  test('of a mebibyte is judged without exhausting anything', () => {
    expect(stored(email(), `${'a'.repeat(1 << 20)}`)).toEqual({ refused: 'is not an e-mail address' })
    expect(stored(email(), `a@${'a-'.repeat(1 << 19)}`)).toEqual({ refused: 'is not an e-mail address' })
    expect(stored(email(), `a@${'a.'.repeat(1 << 19)}`)).toEqual({ refused: 'is not an e-mail address' })
    expect(stored(email(), `"${'\\'.repeat(1 << 20)}`)).toEqual({ refused: 'is not an e-mail address' })
  })
})

describe('a user name', () => {
  test.each([
    [' Ada ', 'ada'],
    ['ADA#1', 'ada#1'],
    ['J\u0301', 'j\u0301'],
    ['stra\u00dfe', 'stra\u00dfe'],
    ['\u0130x', 'i\u0307x'], // a dotted capital keeps its dot
    ['ΟΔΟΣ', 'οδος'],
  ])('%j is stored as %j', (input, value) => {
    expect(stored(username(), input)).toBe(value)
  })

  test('that becomes ASCII by folding is refused', () => {
    expect(stored(username(), `${kelvin}im`)).toEqual({ refused: `holds '${kelvin}', which would turn into the letter 'k'` })
  })
})

const unseen = ['\u200b', '\u200d', '\u2060', '\u00ad', '\u202e', '\u2066', '\ufe0f', '\u034f', '\u3164', '\u{e0041}', '\u2028']

describe.each([
  ['a unique name', text({ lookAlikes: 'refused' })],
  ['a user name', username()],
  ['a code', code()],
])('%s', (_name, attribute) => {
  test.each(unseen)('with %j is refused: nobody would see it', (character) => {
    expect(stored(attribute, `a${character}b`)).toEqual({ refused: expect.stringContaining('nobody sees: write it without') })
  })

  test.each(['\uff21', '\ufb01', '\u2460', '\u2160', '\u00b2', '\u2122', '\u3000x\u00a0y'])(
    'with %j, which NFKC would change, is refused with a sentence that says what to write',
    (text) => {
      expect(stored(attribute, `a${text}b`)).toEqual({ refused: expect.stringMatching(/^holds '.+'(?:: write '.+'|, which would turn)/u) })
    },
  )

  test('is what NFKC leaves as it is', () => {
    let many = 0
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 }), (text) => {
        const value = stored(attribute, text)
        if (typeof value !== 'string') return
        many += 1
        expect(value.normalize('NFKC')).toBe(value)
        expect(value).not.toMatch(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/u)
      }),
      { numRuns: 2_000 },
    )
    expect(many).toBeGreaterThan(100)
  })
})

test('a unique name keeps its case, and is one for every way to compose it', () => {
  expect(stored(text({ lookAlikes: 'refused' }), ' Jose\u0301 M\u00fcller ')).toBe('Jos\u00e9 M\u00fcller')
  expect(stored(text({ lookAlikes: 'refused' }), 'Fa\u00dfbinder')).toBe('Fa\u00dfbinder')
  expect(text({ lookAlikes: 'refused' }).kind.holds('\ufb01n')).toBe(true) // as it may have been stored
})

describe('the id that another system compares exactly', () => {
  const id = text({ otherSpellings: 'refused' })
  test.each(['t-1', 'T-1', 'a b', '\u00e9', '\u{1f600}'])('%j is stored as it is', (given) => {
    expect(stored(id, given)).toBe(given)
    expect(stored(id.optional(), given)).toBe(given)
  })
  test.each([
    [' t-1', 't-1'],
    ['t-1\n', 't-1'],
    ['e\u0301', '\u00e9'],
  ])('%j is refused, and finds nothing', (given, other) => {
    const refused = `would be stored as ${JSON.stringify(other)}, which is another: write it in NFC, without white space around it`
    expect(stored(id, given)).toEqual({ refused })
    expect(stored(id.optional(), given)).toEqual({ refused })
    expect(id.kind.former?.(given).success).toBe(false)
  })
  test.each(['', ' '])('%j is refused: nothing has it', (blank) => {
    expect(stored(id, blank)).toEqual({ refused: 'is blank' })
  })
})

test('an optional text says something, or is absent', () => {
  for (const blank of ['', '  ', '\n\t'])
    expect(stored(text().optional(), blank)).toEqual({ refused: 'is blank: leave it out, or give null to remove it' })
  for (const attribute of [text(), text().optional(), text({ lookAlikes: 'refused' })])
    expect(stored(attribute, 'a\0b')).toEqual({ refused: 'holds a control character: NUL' })
  expect(text().optional().kind.holds('')).toBe(true) // as it may have been stored
})

describe('a code', () => {
  test.each([
    [' nyc001 ', 'NYC001'],
    ['münchen', 'MÜNCHEN'],
    ['mu\u0308', 'M\u00dc'],
  ])('%j is stored as %j', (input, value) => {
    expect(stored(code(), input)).toBe(value)
  })

  test.each([
    ['stra\u00dfe', "holds '\u00df', which would turn into the letter 'SS'"],
    ['\u0131stanbul', "holds '\u0131', which would turn into the letter 'I'"],
    [`${longS}x`, `holds '${longS}', which would turn into the letter 'S'`],
    ['\ufb01n', "holds '\ufb01', which would turn into the letter 'FI'"],
    [`x${kelvin}`, `holds '${kelvin}', which would turn into the letter 'K'`],
  ])('%j is refused: it would take the place of another', (input, refused) => {
    expect(stored(code(), input)).toEqual({ refused })
  })
})

describe('a phone number', () => {
  test.each([
    ['+4930123456', '+4930123456'],
    [' +49 30 123-456 ', '+4930123456'],
    ['+1 (555) 010.9999', '+15550109999'],
    ['+390612345', '+390612345'],
    ['+123456789012345', '+123456789012345'],
  ])('%j is stored as %j', (input, value) => {
    expect(stored(phone(), input)).toBe(value)
  })

  test.each([
    '',
    '030123456',
    '0049 30 123456',
    '+0301234',
    '+1',
    '+1234567890123456',
    '+49 30 12a',
    '+49x',
    '49 30 123',
    '+٤٩٣٠',
    '++49301',
    '+４９３０',
  ])('%j is refused', (input) => {
    expect(stored(phone(), input)).toEqual({ refused: "is not a phone number of the form '+4930123456' (E.164)" })
  })

  test('with a trunk zero beside its country code is refused: its digits would be another number', () => {
    expect(stored(phone(), '+44 (0)20 7946 0958')).toEqual({ refused: "holds '(0)', which is no part of an international number" })
  })
})

describe('text', () => {
  test.each([
    ['  Ada  Lovelace\t', 'Ada  Lovelace'],
    ['Jose\u0301', 'Jos\u00e9'],
    [`${kelvin}`, 'K'],
    ['', ''],
    ['two\nlines', 'two\nlines'],
    ['\ufeffname', 'name'],
  ])('%j is stored as %j', (input, value) => {
    expect(stored(text(), input)).toBe(value)
  })

  test.each([
    [undefined, 'is missing'],
    [null, 'is not text'],
    [7, 'is not text'],
    [['a'], 'is not text'],
    [{}, 'is not text'],
    ['\udc00', 'holds an unpaired surrogate'],
  ])('%j is refused', (input, refused) => {
    expect(stored(text(), input)).toEqual({ refused })
  })

  test('has no endless run of combining marks, which takes the square of its length to normalise', () => {
    const refused = { refused: 'holds more than 30 combining marks in a row' }
    for (const attribute of [text(), code(), username(), email(), phone()])
      expect(stored(attribute, '\u0301\u0316'.repeat(1 << 18))).toEqual(refused)
    expect(stored(text(), `x${'\u0316'.repeat(30)}`)).toBe(`x${'\u0316'.repeat(30)}`)
    // A stored value must be valid input: normalisation and case folding give these more marks.
    expect(stored(text(), `x${'\u0344'.repeat(30)}`)).toEqual(refused)
    expect(stored(username(), `\u0130${'\u0316'.repeat(30)}`)).toEqual(refused)
  })

  test('has limits, which hold for what is stored', () => {
    expect(stored(text({ max: 3 }), '  abc  ')).toBe('abc')
    expect(stored(text({ max: 3 }), 'abcd')).toEqual({ refused: 'is longer than 3 characters' })
  })

  test('matches its pattern as a whole, each time', () => {
    const colour = text({ pattern: /red|redder/g, saying: 'is not a red' })
    for (let time = 0; time < 3; time++) expect(stored(colour, 'redder')).toBe('redder')
    expect(stored(colour, 'reddest')).toEqual({ refused: 'is not a red' })
    expect(stored(text({ pattern: /[a-z]+/m }), 'ab\ncd')).toEqual({ refused: 'does not match /[a-z]+/m' })
    expect(colour.kind.holds('redder') && colour.kind.holds('redder')).toBe(true)
    expect(colour.kind.holds('infrared')).toBe(false)
  })

  test('that is verbatim keeps every space, and does not stand in keys', () => {
    expect(stored(verbatim(), '  e\u0301 ')).toBe('  e\u0301 ')
    expect(stored(verbatim({ max: 2 }), '   ')).toEqual({ refused: 'is longer than 2 characters' })
    expect(stored(verbatim(), '\ud800')).toEqual({ refused: 'holds an unpaired surrogate' })
    expect(verbatim().kind.domain).toBeUndefined()
  })
})
