import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { type Mail, type Mailer, MailRefused, mailText } from '@freehold/frame/mail'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { temporaryFolder } from '../../../../test/folders/temporary-folder.ts'
import { openOutbox, sesMailer, smtpMailer } from './index.ts'
import { transportMailer } from './transport-mailer.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  vi.unstubAllEnvs()
  for (let close = closers.pop(); close !== undefined; close = closers.pop()) await close()
})

const from = { address: 'no-reply@portal.example', name: 'The Portal' }
const mail: Mail = {
  id: '01JD0000000000000000000000',
  to: { address: 'ada@example.org', name: 'Ada "the first"\r\nBcc: eve@example.org' },
  subject: 'Your account at Löwe & Söhne',
  ...mailText(['Hello <b>Ada</b>,', { label: 'Choose a password', link: 'https://portal.example/welcome?user=u&x="1"' }]),
}

/** A real SMTP server on loopback that keeps what it takes. */
async function smtpServer(options: SMTPServerOptions = {}) {
  const taken: { readonly to: readonly string[]; readonly text: string; readonly user: unknown }[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address)
        taken.push({ to, text: Buffer.concat(chunks).toString(), user: session.user })
        done()
      })
    },
    ...options,
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  closers.push(() => new Promise<void>((resolve) => server.close(resolve)))
  const { port } = server.server.address() as AddressInfo
  return { taken, port }
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  closers.push(() => new Promise((resolve) => server.close(resolve)))
  return (server.address() as AddressInfo).port
}

const failed = (mailer: Mailer) =>
  mailer.send(mail).then(
    () => undefined,
    (error: unknown) => error,
  )

describe('SMTP', () => {
  test('a mail arrives once, with both forms and the id of the attempt; no value adds a header or a recipient', async () => {
    const { taken, port } = await smtpServer()
    const { messageId } = await smtpMailer(`smtp://127.0.0.1:${port}`, from).send(mail)
    expect(messageId).toBe('<01JD0000000000000000000000@portal.example>')
    expect(taken).toHaveLength(1)
    expect(taken[0]?.to).toEqual(['ada@example.org'])
    const text = taken[0]?.text ?? ''
    expect(text).toContain(`Message-ID: ${messageId}`)
    expect(text).toContain('Content-Type: text/plain')
    expect(text).toContain('Hello <b>Ada</b>')
    expect(text).toContain('Hello &lt;b&gt;Ada&lt;/b&gt;')
    expect(text).not.toMatch(/^Bcc:/im)
    expect(text).toMatch(/^Subject: =\?UTF-8\?/m)
  })

  test('user and password of the URL are used, and are in no error', async () => {
    const onAuth: SMTPServerOptions['onAuth'] = ({ username, password }, _session, done) =>
      password === 'p@ss' ? done(null, { user: username }) : done(new Error('Invalid username or password'))
    const { taken, port } = await smtpServer({ authOptional: false, allowInsecureAuth: true, onAuth })
    await smtpMailer(`smtp://me:p%40ss@127.0.0.1:${port}`, from).send(mail)
    expect(taken[0]?.user).toBe('me')
    const error = await failed(smtpMailer(`smtp://me:s3cret@127.0.0.1:${port}`, from))
    expect(error).toBeInstanceOf(MailRefused)
    expect(String(error)).not.toContain('s3cret')
    expect(() => smtpMailer('http://me:s3cret@host', from)).toThrow(/^(?!.*s3cret).*no URL/)
  })

  test('a refused sender, recipient or text is certain; so is a server that is not there', async () => {
    const no = new Error('5.7.1 not here')
    const refusing: SMTPServerOptions[] = [
      { onMailFrom: (_address, _session, done) => done(no) },
      { onRcptTo: (_address, _session, done) => done(no) },
      {
        onData: (stream, _session, done) => {
          stream.resume()
          stream.on('end', () => done(no))
        },
      },
    ]
    for (const options of refusing) {
      const { port } = await smtpServer(options)
      const error = await failed(smtpMailer(`smtp://127.0.0.1:${port}`, from))
      expect(error).toBeInstanceOf(MailRefused)
      expect(String(error)).toContain('not here')
    }
    const gone = createServer()
    const port = await listening(gone)
    await new Promise((resolve) => gone.close(resolve))
    expect(await failed(smtpMailer(`smtp://127.0.0.1:${port}`, from))).toBeInstanceOf(MailRefused)
  })

  test('a connection that breaks after the text leaves it open whether the mail was sent', async () => {
    const { port } = await smtpServer({
      onData: (stream, session) => {
        stream.resume()
        stream.on('end', () => closeOf(session.id))
      },
    })
    // A proxy that cuts the connection once the text has gone through.
    let closeOf = (_id: string) => {}
    const proxy = createServer((client) => {
      const server = connect(port, '127.0.0.1')
      client.pipe(server).pipe(client)
      client.on('error', () => {})
      server.on('error', () => {})
      closeOf = () => {
        client.destroy()
        server.destroy()
      }
    })
    const error = await failed(smtpMailer(`smtp://127.0.0.1:${await listening(proxy)}`, from))
    expect(error).toBeInstanceOf(Error)
    expect(error).not.toBeInstanceOf(MailRefused)
  })

  test('a server elsewhere must encrypt', async () => {
    const { port } = await smtpServer()
    // 0.0.0.0 is this machine, and not a loopback address by its name.
    const error = await failed(smtpMailer(`smtp://0.0.0.0:${port}`, from))
    expect(error).toBeInstanceOf(MailRefused)
  })
})

describe('SES', () => {
  const credentials = { AWS_ACCESS_KEY_ID: 'none', AWS_SECRET_ACCESS_KEY: 'none' }

  /** Answers as SES does, and counts. */
  async function ses(status: number, body: unknown) {
    const asked: string[] = []
    const server = createHttpServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        asked.push(Buffer.concat(chunks).toString())
        response.writeHead(status, {
          'content-type': 'application/json',
          ...(status === 200 ? {} : { 'x-amzn-errortype': 'MessageRejected' }),
        })
        response.end(JSON.stringify(body))
      })
    })
    const port = await listening(server)
    for (const [name, value] of Object.entries(credentials)) vi.stubEnv(name, value)
    return { asked, mailer: sesMailer(from, { region: 'eu-central-1', endpoint: `http://127.0.0.1:${port}` }) }
  }

  test('a mail is one request, and its message id is that of SES', async () => {
    const { asked, mailer } = await ses(200, { MessageId: '0102-aa' })
    expect(await mailer.send(mail)).toEqual({ messageId: '<0102-aa@eu-central-1.amazonses.com>' })
    expect(asked).toHaveLength(1)
    const { Content, Destination } = JSON.parse(asked[0] ?? '{}')
    expect(Destination).toEqual({ ToAddresses: ['ada@example.org'] })
    expect(Buffer.from(Content.Raw.Data, 'base64').toString()).toContain('Content-Type: text/html')
  })

  test('a rejected mail is certain; an internal error is not, and is asked once', async () => {
    const rejected = await ses(400, { message: 'Email address is not verified.' })
    expect(await failed(rejected.mailer)).toBeInstanceOf(MailRefused)
    const broken = await ses(500, { message: 'Internal failure' })
    expect(await failed(broken.mailer)).not.toBeInstanceOf(MailRefused)
    expect(broken.asked).toHaveLength(1)
  })
})

describe('the outbox', () => {
  const folderOf = () => join(temporaryFolder(), 'outbox')

  test('keeps mails, the newest first, for their owner alone', async () => {
    const folder = folderOf()
    let at = Date.parse('2026-01-01T00:00:00.000Z')
    const { mailer, list } = openOutbox({ folder, from, now: () => new Date(at++) })
    expect(await list()).toEqual([])
    for (const id of ['a', 'b', 'c']) await mailer.send({ ...mail, id })
    expect((await list()).map(({ id }) => id)).toEqual(['c', 'b', 'a'])
    expect(await list({ limit: 1 })).toEqual([
      { ...mail, id: 'c', from: mailer.from, sentAt: '2026-01-01T00:00:00.002Z', messageId: '<c@portal.example>' },
    ])
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
  })

  test.each(['{', 'null', '{}', '{"id":"a","to":"b"}'])('lists the others beside a file that is no mail: %s', async (content) => {
    const folder = folderOf()
    const { mailer, list } = openOutbox({ folder, from })
    await mailer.send(mail)
    writeFileSync(join(folder, '2000-01-01-x.json'), content)
    expect((await list()).map(({ id }) => id)).toEqual([mail.id])
  })

  test.each(['../x', 'a/b', '', '.x', 'a b'])('takes no id %j', async (id) => {
    await expect(openOutbox({ folder: folderOf(), from }).mailer.send({ ...mail, id })).rejects.toMatchObject({ code: 'InvalidInput' })
  })
})

test('an error that is none of the transport’s leaves it open whether the mail was sent', async () => {
  const mailer = transportMailer(from, { sendMail: () => Promise.reject(Object.assign(new Error('x'), { code: 'ETIMEDOUT' })) })
  const error = await failed(mailer)
  expect(error).toMatchObject({ message: 'ETIMEDOUT' })
  expect(error).not.toBeInstanceOf(MailRefused)
})
