import { describe, expect, test } from 'vitest'
import { settledBy } from '../../test/settled.ts'
import { mailsOf } from './mailing.ts'

const place = { folder: '/nowhere', isEmbedded: false }
const from = 'The Portal <no-reply@Portal.example>'
const user = { userId: 'u&1', accountId: 'a', email: 'ada+x@example.org' }

describe('mails', () => {
  test('stay in the outbox with the embedded engine, and are not sent at all elsewhere', () => {
    const trial = mailsOf({}, { ...place, isEmbedded: true })
    expect(trial.outbox).toBeDefined()
    expect(trial.mailing?.credentialLink?.(user)).toBe('https://portal.example/welcome?user=u%261')
    expect(mailsOf({}, place)).toEqual({ mailing: undefined })
  })

  test('go out from the sender, with the link that is set', () => {
    const link = 'https://app.example/start?u={userId}&a={accountId}&e={email}'
    const { mailing, outbox } = mailsOf({ mail: 'ses:', mailFrom: from, credentialLink: link }, place)
    expect(outbox).toBeUndefined()
    expect(mailing?.mailer.from).toEqual({ address: 'no-reply@portal.example', name: 'The Portal' })
    expect(mailing?.credentialLink?.(user)).toBe('https://app.example/start?u=u%261&a=a&e=ada%2Bx%40example.org')
    expect(mailsOf({ mail: 'ses:', mailFrom: from }, place).mailing?.credentialLink).toBeUndefined()
  })

  test.each([
    [{ FREEHOLD_MAIL: 'ses:' }, /needs a sender/],
    [{ FREEHOLD_MAIL: 'smtp:', FREEHOLD_MAIL_FROM: from }, /FREEHOLD_MAIL is none of/],
    [{ FREEHOLD_MAIL: 'imap://me:s3cret@host', FREEHOLD_MAIL_FROM: from }, /^(?!.*s3cret).*FREEHOLD_MAIL is none of/],
    [{ FREEHOLD_MAIL_FROM: 'nobody' }, /FREEHOLD_MAIL_FROM/],
    [{ FREEHOLD_MAIL_FROM: 'A\nBcc: eve@x.org <a@x.org>' }, /FREEHOLD_MAIL_FROM/],
    [{ FREEHOLD_CREDENTIAL_LINK: 'https://app.example/start' }, /FREEHOLD_CREDENTIAL_LINK/],
    [{ FREEHOLD_CREDENTIAL_LINK: 'javascript:alert({userId})' }, /FREEHOLD_CREDENTIAL_LINK/],
    [{ FREEHOLD_CREDENTIAL_LINK: 'https://app.example/{password}?{userId}' }, /FREEHOLD_CREDENTIAL_LINK/],
  ])('are refused with %j', (env, message) => {
    expect(() => mailsOf(settledBy(env), place)).toThrow(message)
  })
})
