import { describe, expect, test } from 'vitest'
import { encryptedSecret, passwordHash } from '../../../frame/src/secrets/secret-attributes.ts'
import { hashOf, sealed } from '../account-secrets.ts'

const bcrypt = '$2b$12$R9h/cIPz0gi.URNNX3kh2OPST9/PgBkqquzi.Ss7KIUgO2t0jWMUW'
const base32 = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
const ciphertext = sealed('').slice('kms:'.length)

describe('the hash of a password', () => {
  test.each([
    hashOf('secret'),
    '$argon2id$v=19$m=65536,t=2,p=1$gZiV/M1gPc22ElAH/Jh1Hw$CWOrkoo7oJBQ/iyh7uJ0LO2aLEfrHwTWllSAxT0zRno',
    '$scrypt$ln=16,r=8,p=1$aM15713r3Xsvxbi31lqr1Q$nFNh2CVHVjNldFVKDHDlm4CbdRSCdEBsjjJxD+iCs5E',
    '$pbkdf2-sha256$i=600000,l=32$c2FsdHNhbHRzYWx0$RdescudvJCsgt3ub+b4dWRWJJTmmR0HBhzmW0BB5wQo',
    '$pbkdf2-sha512$25000$LyWE0HrP2RsjZCxlDGFMKQ$1vC5Ohk2mCS9b6akqsEfgeb4l74SF8XjH.SljXf3dMLHdlY1GK9ojcCKts6/asR4aPqBmk74nCDddU3tvSCJvw',
    '$7$C6..../....SodiumChloride$kBGj9fHznVYFQMEn/qDCfrDevf9YDtcDdKvEqHJLV8D',
    bcrypt,
    bcrypt.replace('2b', '2y'),
  ])('is %s', (hash) => {
    expect(passwordHash().schema.safeParse(hash)).toMatchObject({ success: true, data: hash })
  })

  test.each([
    'correct horse battery staple',
    '5f4dcc3b5aa765d61d8327deb882cf99',
    '{SHA}W6ph5Mm5Pz8GgiULbPgzG37mj9g=',
    '$1$saltsalt$qjXMvbEw8oaL.CzflDtaK/',
    '$6$saltsalt$qFmFH.bQmmtXzyBY0s9v7Oicd2z4XSIecDzlB5KiA2/jctKu9YterLp8wwnSq.qc.eoxqOmSuNp2xS0ktL3nh/',
    '$argon2i$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$9sTbSlTio3Biev89thdrlKKiCaYsjjYVJxGAL3swxpQ',
    '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ',
    '$argon2id$secret',
    `${bcrypt} `.repeat(2),
    bcrypt.slice(0, -1),
    bcrypt.replace('$12$', '$99$'),
    `x${hashOf('secret')}`,
  ])('is not %s, and the error does not repeat it', (text) => {
    const { success, error } = passwordHash().schema.safeParse(text)
    expect([success, JSON.stringify(error?.issues.map(({ message }) => message))]).toEqual([false, expect.stringContaining('PHC')])
    expect(String(error?.issues[0]?.message)).not.toContain(text)
  })
})

describe('the secret of a second factor', () => {
  test.each([
    sealed('secret'),
    `vault:v1:${ciphertext}`,
    `aes-256-gcm:${ciphertext}=`,
    `kms:key-1:${ciphertext}`,
    'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..48V1_ALb6US04U3b.5eym8TW_c8SuK0ltJ3rpYIzOeDQz7TALvtu6UG9oMo4vpzs9tX_EFShS8iB7j6ji.XFBoMYUZodetZdvTiFvSkQ',
  ])('is encrypted as %s', (text) => {
    expect(encryptedSecret().schema.safeParse(text)).toMatchObject({ success: true, data: text })
  })

  test.each([
    'JBSWY3DPEHPK3PXP',
    'jbsw y3dp ehpk 3pxp',
    base32,
    base32.toLowerCase(),
    `${base32}====`,
    `kms:${base32}`,
    `kms:v1:${base32.toLowerCase()}`,
    `kms:${base32.match(/.{4}/g)?.join('-')}`,
    `otpauth:${ciphertext}`,
    'otpauth://totp/Acme:ada@example.org?secret=JBSWY3DPEHPK3PXP&issuer=Acme',
    `kms:${'48656c6c6f21deadbeef'.repeat(4)}`,
    ciphertext,
    'kms:c2hvcnQ',
    'sealed',
  ])('is refused as %s', (text) => {
    expect(encryptedSecret().schema.safeParse(text).error?.issues).toMatchObject([{ message: expect.stringContaining('is not encrypted') }])
  })
})
