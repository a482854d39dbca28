import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { kmsKeyOf, kmsWrapping, openDataKeys, withNewDataKey, withoutOldDataKeys, wrappedIn } from './index.ts'

// A KMS of its own: it checks the signature as AWS documents it, and encrypts for a key and a context.

const region = 'eu-central-1'
const arn = `arn:aws:kms:${region}:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab`
const other = arn.replace('1234abcd', '9999abcd')
const master = randomBytes(32)
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** The signature of Version 4, by the headers that the request says are signed. The engine's own credentials are `local`. */
function isSigned({ method, url, headers }: IncomingMessage, body: string): boolean {
  const [, scope = '', names = '', signature] =
    /Credential=local\/(\S+), SignedHeaders=(\S+), Signature=([0-9a-f]{64})$/.exec(headers.authorization ?? '') ?? []
  const [day = '', ...of] = scope.split('/')
  const signed = names.split(';').map((name) => `${name}:${headers[name]}\n`)
  const canonical = [method, url, '', signed.join(''), names, sha256(body)].join('\n')
  const key = [day, ...of].reduce<string | Buffer>((under, part) => createHmac('sha256', under).update(part).digest(), 'AWS4local')
  const text = `AWS4-HMAC-SHA256\n${headers['x-amz-date']}\n${scope}\n${sha256(canonical)}`
  const isOfKms = of.join('/') === `${region}/kms/aws4_request` && headers['content-type'] === 'application/x-amz-json-1.1'
  return isOfKms && createHmac('sha256', key).update(text).digest('hex') === signature
}

interface Asked {
  readonly KeyId: string
  readonly EncryptionContext: unknown
  readonly Plaintext?: string
  readonly CiphertextBlob?: string
}

function answered(operation: string, { KeyId, EncryptionContext, Plaintext = '', CiphertextBlob = '' }: Asked) {
  const bound = Buffer.from(JSON.stringify([KeyId, EncryptionContext]))
  if (operation === 'TrentService.Encrypt') {
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', master, nonce).setAAD(bound)
    const bytes = [nonce, cipher.update(Buffer.from(Plaintext, 'base64')), cipher.final(), cipher.getAuthTag()]
    return { KeyId, CiphertextBlob: Buffer.concat(bytes).toString('base64') }
  }
  const bytes = Buffer.from(CiphertextBlob, 'base64')
  const decipher = createDecipheriv('aes-256-gcm', master, bytes.subarray(0, 12)).setAAD(bound).setAuthTag(bytes.subarray(-16))
  return { KeyId, Plaintext: Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString('base64') }
}

const asked: { operation: unknown; context: unknown }[] = []
/** What it answers in place of the truth. */
let lie: unknown
const kms = createServer((request, response) => {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    const body = Buffer.concat(parts).toString()
    const refuse = (name: string) => response.writeHead(400).end(JSON.stringify({ __type: name, message: 'no' }))
    if (!isSigned(request, body)) return refuse('InvalidSignatureException')
    const operation = String(request.headers['x-amz-target'])
    const input = JSON.parse(body)
    asked.push({ operation, context: input.EncryptionContext })
    if (lie !== undefined) return response.end(JSON.stringify(lie))
    try {
      response.end(JSON.stringify(answered(operation, input)))
    } catch {
      refuse('InvalidCiphertextException')
    }
  })
})
let endpoint = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => kms.listen(0, '127.0.0.1', resolve))
  const address = kms.address()
  endpoint = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
})
afterAll(() => {
  kms.close()
})

const now = new Date('2026-03-01T12:00:00Z')
const of = { user: 'ada', kind: 'totp' }

test('wraps data keys by KMS, each for its own id; the file tells the key of KMS, and no data key', async () => {
  const wrapping = kmsWrapping(arn, endpoint)
  const text = await withNewDataKey(undefined, now, wrapping)
  const [entry] = JSON.parse(text).keys
  expect([Object.keys(entry), kmsKeyOf(wrappedIn(text) ?? '')]).toEqual([['id', 'wrapped'], arn])
  const keys = await openDataKeys(text, kmsWrapping(undefined, endpoint))
  const sealed = keys.seal('a secret', of)
  const { current } = keys
  expect(asked).toEqual(
    ['Encrypt', 'Decrypt', 'Decrypt'].map((each) => ({ operation: `TrentService.${each}`, context: { 'freehold:data-key': current } })),
  )
  // Another process, after a rotation to another key of KMS.
  const rotated = withoutOldDataKeys(await withNewDataKey(text, now, kmsWrapping(other, endpoint)))
  const next = await openDataKeys(rotated, kmsWrapping(undefined, endpoint))
  expect([next.open(sealed, of), next.isCurrent(sealed), kmsKeyOf(wrappedIn(rotated) ?? '')]).toEqual(['a secret', false, other])
})

test.each<[string, (entry: { id: string; wrapped: string }) => object, RegExp]>([
  ['of another id', ({ wrapped }) => ({ id: 'another', wrapped }), /did not decrypt the data key another: InvalidCiphertextException/],
  ['of another key of KMS', ({ id, wrapped }) => ({ id, wrapped: wrapped.replace(arn, other) }), /InvalidCiphertextException/],
  ['that was changed', ({ id, wrapped }) => ({ id, wrapped: `${wrapped.slice(0, -8)}AAAAAAA=` }), /InvalidCiphertextException/],
  ['that names no key of KMS', ({ id }) => ({ id, wrapped: 'evil.example#AAAA' }), /is no ARN of a key of KMS/],
])('opens no wrapped key %s', async (_, change, sentence) => {
  const text = await withNewDataKey(undefined, now, kmsWrapping(arn, endpoint))
  const changed = JSON.stringify({ keys: [change(JSON.parse(text).keys[0])] })
  await expect(openDataKeys(changed, kmsWrapping(undefined, endpoint))).rejects.toThrow(sentence)
})

test.each<[string, unknown, RegExp]>([
  ['with nothing', null, /is no ARN of a key of KMS/],
  ['without its key', { CiphertextBlob: 'AAAA' }, /is no ARN of a key of KMS/],
  ['with another data key', { KeyId: arn, CiphertextBlob: 'AAAA', Plaintext: Buffer.alloc(32).toString('base64') }, /unwrapped as another/],
  ['with a short one', { KeyId: arn, CiphertextBlob: 'AAAA', Plaintext: 'AAAA' }, /unwrapped as another/],
])('makes no file of a key that could not be unwrapped: KMS answers %s', async (_, answer, sentence) => {
  lie = answer
  await expect(withNewDataKey(undefined, now, kmsWrapping(arn, endpoint))).rejects.toThrow(sentence)
  lie = undefined
})

test('says that KMS did not answer', async () => {
  await expect(withNewDataKey(undefined, now, kmsWrapping(arn, 'http://127.0.0.1:1'))).rejects.toMatchObject({ code: 'Unavailable' })
})
