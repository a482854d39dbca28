import { join } from 'node:path'
import { openOutbox } from '@freehold/service/mail'
import { describe, expect, test } from 'vitest'
import { folder, freehold } from '../../test/recorded-shell.ts'

const data = folder()
const run = (...argv: readonly string[]) => freehold(['outbox', ...argv, '--data', data], { env: {} })

describe('outbox', () => {
  test('lists mails, the newest first, and prints one; no control character of a mail reaches the terminal', async () => {
    expect(await run()).toEqual({ exit: 0, out: 'The outbox is empty.\n', err: '' })
    const { mailer } = openOutbox({ folder: join(data, 'outbox'), from: { address: 'no-reply@portal.example' } })
    const mail = { to: { address: 'ada@example.org' }, text: 'Hello,\n\u001b[31mAda\n', html: '<p>Hello</p>' }
    await mailer.send({ ...mail, id: 'one', subject: 'The first' })
    await mailer.send({ ...mail, id: 'two', subject: 'The second' })
    const { out } = await run()
    expect(out).toMatch(/^mail .*\n.*\ntwo .*The second\n(.*\n)*one .*The first\n/)
    const lines = (await run('--limit', '1', '--json')).out
    expect(
      lines
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line).id),
    ).toEqual(['two'])
    const printed = (await run('one')).out
    expect(printed).toContain('Subject: The first\n\nHello,\n')
    expect(printed).not.toContain('\u001b')
  })

  test('refuses a mail that is not there, and says where there is no outbox', async () => {
    expect(await run('three')).toMatchObject({ exit: 1, err: expect.stringContaining('(NotFound)') })
    expect(await freehold(['outbox'])).toMatchObject({ exit: 2, err: expect.stringContaining('There is no outbox') })
  })
})
