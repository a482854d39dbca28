import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb'
import { describe, expect, test } from 'vitest'
import { connectionOf } from './connection.ts'
import { failureOf } from './error.ts'
import type { HttpRequest } from './http-handler.ts'
import { sendWithRetry } from './retry.ts'
import { SignedSender } from './signed-sender.ts'

const input = { TableName: 'people', Key: { PK: { S: 'a' } } } as const
const minute_ms = 60_000
const credentials = { accessKeyId: 'AKID', secretAccessKey: 'secret' }

interface Answering {
  /** How far the clock of the server is ahead, in minutes, at each request. The last counts for all that follow. */
  readonly ahead: readonly number[]
  readonly code?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly config?: DynamoDBClientConfig
}

/** A server that refuses requests which are signed more than five minutes off its clock, as DynamoDB does, or all of them. */
function answering({ ahead, code, headers = {}, config = {} }: Answering) {
  let seen = 0
  const requestHandler = {
    handle: async (request: HttpRequest) => {
      const theirs_ms = Date.now() + (ahead[Math.min(seen, ahead.length - 1)] ?? 0) * minute_ms
      seen += 1
      const isLate = Math.abs(signedAt_ms(request) - theirs_ms) > 5 * minute_ms
      const body = code !== undefined || isLate ? `{"__type":"${code ?? 'com.amazon.coral.service#InvalidSignatureException'}"}` : '{}'
      const statusCode = body === '{}' ? 200 : 400
      return { response: { statusCode, headers: { date: new Date(theirs_ms).toUTCString(), ...headers }, body: Buffer.from(body) } }
    },
  }
  const sender = new SignedSender(connectionOf(new DynamoDBClient({ region: 'us-east-1', credentials, ...config, requestHandler })))
  const kind = async () => failureOf(await sender.send('GetItem', input).catch((caught) => caught)).kind
  return { sender, kind, seen: () => seen }
}

function signedAt_ms({ headers }: HttpRequest): number {
  return Date.parse((headers['x-amz-date'] ?? '').replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5'))
}

/** A retry that waits for nothing. Its clock ends it after so many attempts. */
const retrying = (attempts = 20) => {
  let now = 0
  return { monotonic_ms: () => now++, deadlineMs: attempts, sleep: async () => {}, random: () => 0 }
}

describe('a machine whose clock is wrong', () => {
  test.each([10, -10, 60 * 24, -60 * 24 * 365])('by %i minutes is corrected by the first refusal', async (minutes) => {
    const { sender, seen } = answering({ ahead: [minutes] })
    expect(await sendWithRetry(sender, 'GetItem', input, retrying())).toMatchObject({ ok: true, output: {} })
    expect(seen()).toBe(2)
    await sender.send('GetItem', input)
    expect(seen()).toBe(3)
  })

  test('is corrected for all requests that were under way', async () => {
    const { kind, sender } = answering({ ahead: [10] })
    expect(await Promise.all([kind(), kind(), kind()])).toEqual(['clock', 'clock', 'clock'])
    expect(await sender.send('GetItem', input)).toEqual({})
  })

  test('and is set right later, is corrected once more', async () => {
    const { sender, seen } = answering({ ahead: [10, 10, 0] })
    for (const requests of [2, 4]) {
      expect(await sendWithRetry(sender, 'GetItem', input, retrying())).toMatchObject({ ok: true })
      expect(seen()).toBe(requests)
    }
  })

  test('among servers that do not agree ends with an error that says so', async () => {
    const { sender } = answering({ ahead: Array.from({ length: 60 }, (_, index) => (index % 2 === 0 ? 10 : -10)) })
    const details = { failure: 'clock', uncertain: false }
    await expect(sendWithRetry(sender, 'PutItem', { TableName: 'people', Item: {} }, retrying())).rejects.toMatchObject({ details })
  })
})

describe('a refusal', () => {
  test.each<[string, Answering, string]>([
    ['with a date that agrees', { ahead: [0], code: 'InvalidSignatureException' }, 'refused'],
    ['with a date that hardly differs', { ahead: [3], code: 'InvalidSignatureException' }, 'refused'],
    ['from a cache', { ahead: [10], headers: { age: '600' } }, 'refused'],
    ['without a date', { ahead: [10], headers: { date: '' } }, 'refused'],
    ['with a date that is none', { ahead: [10], headers: { date: 'soon' } }, 'refused'],
    ['for another cause', { ahead: [10], code: 'ValidationException' }, 'invalid'],
    ['of a condition', { ahead: [10], code: 'ConditionalCheckFailedException' }, 'condition'],
    ['if the correction is switched off', { ahead: [10], config: { disableClockSkewCorrection: true } }, 'refused'],
  ])('%s corrects nothing', async (_, how, expected) => {
    const { kind } = answering(how)
    expect([await kind(), await kind()]).toEqual([expected, expected])
  })

  test.each(['RequestTimeTooSkewed', 'RequestExpired', 'RequestInTheFuture', 'SignatureDoesNotMatch'])(
    '%s corrects the clock',
    async (code) => {
      const { kind } = answering({ ahead: [10], code })
      expect([await kind(), await kind()]).toEqual(['clock', 'refused'])
    },
  )
})
