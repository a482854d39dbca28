import { createHmac } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { Secret, TOTP } from 'otpauth'
import { describe, expect, test } from 'vitest'
import { frequentPasswords } from './frequent-passwords.ts'
import {
  type DataKeys,
  newFactor,
  newFactorSecret,
  openDataKeys,
  passwordHashing,
  refusedPassword,
  usedFactor,
  withNewDataKey,
  withoutOldDataKeys,
} from './index.ts'
import { nobodysHash } from './password-hash.ts'
import { sourceOf } from './source-of.ts'

const { hash: hashed, verify: isPasswordOf, isOutdated } = passwordHashing

describe('a hash of a password', () => {
  test('is argon2id by the parameters of OWASP, and of that password alone', async () => {
    const stored = await hashed('correct horse battery')
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect([
      await isPasswordOf('correct horse battery', stored),
      await isPasswordOf('correct horse batterz', stored),
      isOutdated(stored),
    ]).toEqual([true, false, false])
  })

  test('is the same however a keyboard composes its letters', async () => {
    const stored = await hashed('Gr\u00fc\u00dfe an alle Welt')
    expect(await isPasswordOf('Gru\u0308\u00dfe\u00a0an alle Welt', stored)).toBe(true)
  })

  test('is of no text that is longer than a password may be, which is hashed as any other', async () => {
    const long = 'a'.repeat(1_025)
    const stored = await hash(long.slice(0, 1_024))
    expect([await isPasswordOf(long, stored), await isPasswordOf(long.slice(0, 1_024), stored)]).toEqual([false, true])
  })

  test('is refused while 66 others are made or wait, and made afterwards', async () => {
    const done = await Promise.allSettled(Array.from({ length: 70 }, () => isPasswordOf('x', '$argon2id$malformed')))
    expect(done.flatMap((each) => (each.status === 'rejected' ? [each.reason.code] : []))).toEqual(['Busy', 'Busy', 'Busy', 'Busy'])
    expect(await isPasswordOf('x', undefined)).toBe(false)
  })

  test('of nobody costs what that of anybody costs, and is right for no password', async () => {
    const parameters = (text: string) => text.split('$').slice(1, 4)
    expect(parameters(nobodysHash)).toEqual(parameters(await hashed('any')))
    // The library itself takes it: a malformed one would be quick.
    expect(await verify(nobodysHash, 'nobody')).toBe(true)
    expect(await isPasswordOf('nobody', undefined)).toBe(false)
  })

  // Of the test vectors of jBCrypt; of Python's hashlib; of the documentation of passlib.
  const imported: readonly (readonly [string, string])[] = [
    ['abc', '$2a$06$If6bvum7DFjUnE9p2uDeDu0YHzrHM6tf.iqN8.yx.jNN1ILEf7h0i'],
    ['Grüße an alle', '$scrypt$ln=14,r=8,p=1$MDEyMzQ1Njc4OWFiY2RlZg$gh811JrGGzr2rELKXGkWwIHvq5ybalGFe0eXgK+Uwqw'],
    [
      'Grüße an alle',
      '$pbkdf2-sha512$i=1000,l=64$MDEyMzQ1Njc4OWFiY2RlZg$8q4+oKDWrkzYnvJRKrCa0gf/g0l+5nfBlSfmvE3XUmEaiZLAssgavhtvuPzp+R4J26C/Urbdyi/K6qdgX8duvg',
    ],
    ['Grüße an alle', '$pbkdf2$1000$MDEyMzQ1Njc4OWFiY2RlZg$ADHFr18cFM/eG2mIolKv6TPbPTo'],
    ['password', '$pbkdf2-sha256$6400$.6UI/S.nXIk8jcbdHx3Fhg$98jZicV16ODfEsEZeYPGHU3kbrUrvUEXOPimVSQDD44'],
  ]
  test.each(imported)('of another program is verified, and outdated: %s %s', async (password, stored) => {
    expect([await isPasswordOf(password, stored), await isPasswordOf(`${password} `, stored), isOutdated(stored)]).toEqual([
      true,
      false,
      true,
    ])
  })

  test.each([
    ['of argon2id of less memory', async () => hash('a', { memoryCost: 8_192 }), true],
    ['of argon2id of less passes', async () => hash('a', { timeCost: 1, memoryCost: 65_536 }), true],
    ['of argon2id of more memory', async () => hash('a', { memoryCost: 65_536 }), false],
  ])('%s', async (_, make, outdated) => {
    const stored = await make()
    expect([await isPasswordOf('a', stored), isOutdated(stored)]).toEqual([true, outdated])
  })

  test.each([
    '',
    'abc',
    // Of `abc`, too.
    '$scrypt$ln=1.5,r=8,p=1$MDEyMzQ1Njc4OWFiY2RlZg$MDEyMzQ1Njc4OWFiY2RlZg',
    '$scrypt$ln=14,r=-8,p=1$MDEyMzQ1Njc4OWFiY2RlZg$MDEyMzQ1Njc4OWFiY2RlZg',
    '$scrypt$ln=14$MDEyMzQ1Njc4OWFiY2RlZg$MDEyMzQ1Njc4OWFiY2RlZg',
    '$pbkdf2-sha256$i=0$MDEyMzQ1Njc4OWFiY2RlZg$MDEyMzQ1Njc4OWFiY2RlZg',
    '$pbkdf2-sha256$many$MDEyMzQ1Njc4OWFiY2RlZg$MDEyMzQ1Njc4OWFiY2RlZg',
    '$argon2id$v=19$m=262145,t=1,p=1$MDEyMzQ1Njc4OWFiY2RlZg$QVZr0/o3MhndzlrmJxmjeDyUFdNxPt6IUBpQXE0Q04o',
    '$argon2id$v=19$m=8,t=21,p=1$MDEyMzQ1Njc4OWFiY2RlZg$J8cG5FATs1ACjfo9zPsYkhVU+Tq9p+UbY6meL1l7yxI',
    '$2b$16$P14ntSC8heXtzLzx2F.wJeE23zhNEuGGM.4hSNW7j3A7r1IkH4Wf.',
    '$scrypt$ln=18,r=8,p=2$MDEyMzQ1Njc4OWFiY2RlZg$hHNhJsYEDF4oEs5cV5a9KVy7ltU6p4zbVEFc9xcP2G4',
    '$pbkdf2-sha256$i=10000001$MDEyMzQ1Njc4OWFiY2RlZg$9VWL0jpWHD114cm24YYXjrYtT8HgzlyVv2Fi0xsA3P8',
    '$pbkdf2-sha256$i=1$MDEyMzQ1Njc4OWFiY2RlZg$6QrzIQHzaZo',
    // Of nothing.
    '$scrypt$ln=30,r=8,p=1$MDEyMzQ1Njc4OWFiY2RlZg$MDEyMzQ1Njc4OWFiY2RlZg',
  ])('that is malformed, or would take the whole machine, is of no password: %s', async (stored) => {
    expect(await isPasswordOf('abc', stored)).toBe(false)
  })
})

describe('a new password', () => {
  // Composed, they would be no more than the pairs: so long a text is not composed at all.
  const marks = 'a\u0301'.repeat(513).slice(0, 1_025)
  const words = ['Ada', 'Li', 'Lovelace', 'ada.lovelace@engines.example', 'Kontor Portal']
  test.each<readonly [string, boolean, RegExp | undefined]>([
    [marks, false, /1025 characters\. It may have at most 256/],
    ['fourteen chars', false, /14 characters\. It needs at least 15/],
    ['fifteen chars ok', false, undefined],
    ['seven c', true, /7 characters\. It needs at least 8/],
    ['tree-9-k', true, undefined],
    ['🦊🦊🦉🦉🐻🐻🐼', true, /7 characters/],
    ['пароль из слов зимой', false, undefined],
    [`${'ab cd ef gh '.repeat(22)}`, false, /264 characters\. It may have at most 256/],
    [`${'long words, many of them: '.repeat(10)}`.slice(0, 256), false, undefined],
    ['trustno1', true, /first that an attacker tries/],
    ['TrustNo1', true, /first that an attacker tries/],
    ['ｔｒｕｓｔｎｏ１', true, /first that an attacker tries/],
    ['iloveyou2026!', true, /first that an attacker tries/],
    ['passwordpassword', false, /first that an attacker tries/],
    ['aaaaaaaaaaaaaaaa', false, /first that an attacker tries/],
    ['abcdefghijklmnop', false, /first that an attacker tries/],
    // Longer than the common ones, and made of them: few lists have passwords of fifteen characters.
    ['123456789012345', false, /first that an attacker tries/],
    ['password12345678', false, /first that an attacker tries/],
    ['password password', false, /first that an attacker tries/],
    ['passwordpassword1', false, /first that an attacker tries/],
    ['qwertyuiopasdfghjkl', false, /first that an attacker tries/],
    ['12345678987654321', false, /first that an attacker tries/],
    ['111222333444555', false, /first that an attacker tries/],
    ['sunshinemichelle', false, /first that an attacker tries/],
    ['aaaaaaaaaaaaaab', false, /first that an attacker tries/],
    ['kqzvkqzvkqzvkqzv', false, /first that an attacker tries/],
    ['p a s s w o r d 1', false, /first that an attacker tries/],
    ['p\0a\0s\0s\0w\0o\0r\0d', false, /first that an attacker tries/],
    ['sunshine over mountains', false, undefined],
    ['83920174', true, undefined],
    ['🦊🐻🦉🐼🐸🐯🦁🐨', true, undefined],
    ['!?§$%&/()=*+~#-', false, undefined],
    ['lovelace2026', true, /made of lovelace/],
    ['AdaLovelaceKontorPortal', false, /made of (lovelace|kontor portal|portal|kontor)/],
    ['engines.example 12', true, /made of/],
    ['lovelace likes green tea', false, undefined],
    // Two letters are in too many words.
    ['lila lili likes', false, undefined],
    ['\ud800 is no character at all', false, /broken character/],
  ])('%s, with a factor: %s', (password, hasFactor, refused) => {
    const said = refusedPassword(password, { words, hasFactor })
    if (refused === undefined) expect(said).toBeUndefined()
    else expect(said).toMatch(refused)
  })

  test('is none of the common ones, with a factor and, if it is long enough, without', () => {
    const taken = (hasFactor: boolean) => [...frequentPasswords].filter((each) => refusedPassword(each, { words, hasFactor }) === undefined)
    expect([frequentPasswords.size > 3_000, taken(true), taken(false)]).toEqual([true, [], []])
  })
})

describe('a second factor', () => {
  // RFC 6238, appendix B: the last six of the eight digits, for SHA-1.
  const secret = Secret.fromLatin1('12345678901234567890').base32
  test.each([
    [59, '94287082'],
    [1111111109, '07081804'],
    [1111111111, '14050471'],
    [1234567890, '89005924'],
    [2000000000, '69279037'],
    [20000000000, '65353130'],
  ])('has the codes of RFC 6238: at %s it is %s', (time_s, code) => {
    expect(usedFactor({ secret, step: 0, recovery: [] }, code.slice(2), new Date(time_s * 1000))?.step).toBe(Math.floor(time_s / 30))
  })

  const at = (time_s: number) => new Date(time_s * 1000)
  const codeAt = (time_s: number) => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: time_s * 1000 })
  const fresh = { secret, step: 0, recovery: [] }
  test.each([
    [-60, false],
    [-30, true],
    [0, true],
    [30, true],
    [60, false],
  ])('takes a code of %s seconds away: %s', (away_s, isTaken) => {
    expect(usedFactor(fresh, codeAt(1e9 + away_s), at(1e9)) !== undefined).toBe(isTaken)
  })

  test('takes each code once, and none before one that was taken', () => {
    const used = usedFactor(fresh, codeAt(1e9), at(1e9)) ?? fresh
    expect([codeAt(1e9), codeAt(1e9 - 30)].map((code) => usedFactor(used, code, at(1e9)))).toEqual([undefined, undefined])
    expect(usedFactor(used, codeAt(1e9 + 30), at(1e9))).toBeDefined()
  })

  test('begins with a code, and has ten recovery codes, each good once', () => {
    const own = newFactorSecret()
    const code = new TOTP({ secret: Secret.fromBase32(own) }).generate({ timestamp: 1e12 })
    expect(newFactor(own, code === '000000' ? '000001' : '000000', new Date(1e12))).toBeUndefined()
    const { factor, recoveryCodes } = newFactor(own, ` ${code.slice(0, 3)} ${code.slice(3)}`, new Date(1e12)) ?? {
      factor: fresh,
      recoveryCodes: [],
    }
    expect(new Set(recoveryCodes).size).toBe(10)
    const [first = ''] = recoveryCodes
    expect(first).toMatch(/^[a-z2-7]{4}(-[a-z2-7]{4}){5}$/)
    const used = usedFactor(factor, first.toUpperCase().replaceAll('-', ' '), new Date(1e12))
    expect(used?.recovery).toHaveLength(9)
    expect(usedFactor(used ?? factor, first, new Date(1e12))).toBeUndefined()
    expect(JSON.stringify(factor)).not.toContain(first.replaceAll('-', ''))
  })

  test.each(['', '12345', '1234567', 'abcdef', '１２３４５６'])('takes no %j', (code) => {
    expect(usedFactor(fresh, code, at(1e9))).toBeUndefined()
  })
})

describe('data keys', () => {
  const now = new Date('2026-03-01T12:00:00Z')
  const of = { user: 'ada', kind: 'totp' }
  test('encrypt a secret for one person and one kind', async () => {
    const keys = await openDataKeys(await withNewDataKey(undefined, now))
    const sealed = keys.seal('the secret', of)
    expect(sealed).toMatch(/^aes-256-gcm:2026-03-01-[0-9a-f]{8}:/)
    expect(keys.seal('the secret', of)).not.toBe(sealed)
    const broken = [...sealed]
    broken[sealed.length - 6] = broken[sealed.length - 6] === 'A' ? 'B' : 'A'
    const others: readonly (readonly [string, { user: string; kind: string }])[] = [
      [sealed, { ...of, user: 'eve' }],
      [sealed, { ...of, kind: 'other' }],
      [broken.join(''), of],
      [sealed.slice(0, -8), of],
      [sealed.slice(0, 40), of],
      [sealed.replace('aes-256', 'aes-128'), of],
      ['aes-256-gcm:x:y', of],
      ['', of],
    ]
    expect([keys.open(sealed, of), ...others.map(([text, bound]) => keys.open(text, bound))]).toEqual([
      'the secret',
      ...others.map(() => undefined),
    ])
  })

  test('sign a text for one purpose', async () => {
    const file = await withNewDataKey(undefined, now)
    const keys = await openDataKeys(file)
    const text = keys.sign('reset', { user: 'ada' })
    const [content = '', mac] = text.split('.')
    const forged = `${Buffer.from('{"user":"eve"}').toString('base64url')}.${mac}`
    // A key that encrypts signs nothing.
    const encrypting = createHmac('sha256', Buffer.from(JSON.parse(file).keys[0].key, 'base64'))
    const others = [
      keys.signed('session', text),
      keys.signed('reset', forged),
      keys.signed('reset', `${content}.${encrypting.update(`reset\n${content}`).digest('base64url')}`),
      keys.signed('reset', `${text}.x`),
      keys.signed('reset', text.slice(0, -1)),
      keys.signed('reset', ''),
    ]
    expect([keys.signed('reset', text), ...others]).toEqual([{ user: 'ada' }, ...others.map(() => undefined)])
  })

  test('rotate: secrets of the former key are readable, and new ones are of the new key', async () => {
    const first = await withNewDataKey(undefined, now)
    const second = await withNewDataKey(first, now)
    const third = withoutOldDataKeys(await withNewDataKey(second, now))
    const [before, after, last] = (await Promise.all([first, second, third].map((text) => openDataKeys(text)))) as [
      DataKeys,
      DataKeys,
      DataKeys,
    ]
    const sealed = before.seal('the secret', of)
    expect([after.open(sealed, of), after.isCurrent(sealed), after.isCurrent(after.seal('x', of)), last.open(sealed, of)]).toEqual([
      'the secret',
      false,
      true,
      undefined,
    ])
    expect(after.signed('reset', before.sign('reset', 1))).toBe(1)
  })

  test('are wrapped by a key of another place', async () => {
    const wrapping = {
      wrap: async (key: Uint8Array) => `wrapped:${Buffer.from(key).reverse().toString('base64')}`,
      unwrap: async (text: string) => Buffer.from(text.replace('wrapped:', ''), 'base64').reverse(),
    }
    const text = await withNewDataKey(undefined, now, wrapping)
    const keys = await openDataKeys(text, wrapping)
    expect(keys.open(keys.seal('x', of), of)).toBe('x')
    await expect(openDataKeys(text)).rejects.toThrow(/is wrapped/)
  })

  test.each([
    '',
    '{}',
    '{"keys":[]}',
    '{"keys":[{"id":"a","key":"c2hvcnQ="}]}',
    '{"keys":[{"key":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="}]}',
    '{"keys":[{"id":"a"}]}',
    '{"keys":[{"id":"a","key":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=","wrapped":"x"}]}',
    'null',
    '{"keys":[{"id":"a:b","key":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="}]}',
  ])('are not in %j', async (text) => {
    await expect(openDataKeys(text)).rejects.toMatchObject({ code: 'InvalidInput' })
  })
})

describe('a source', () => {
  test.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8:1:2::6', '2001:db8:1:2'],
    ['2001:db8::6', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    [undefined, ''],
  ])('of guesses from %s is %s', (address, source) => {
    expect(sourceOf(address)).toBe(source)
  })
})
