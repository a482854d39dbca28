import { randomUUID } from 'node:crypto'
import { meter, prove, senderOf } from '@freehold/table'
import { afterAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { type ApiKeys, openKeys } from './api-keys.ts'
import { serviceDesign } from './design.ts'

const sender = senderOf({ endpoint: inject('endpoint') })
afterAll(() => sender.close())

let table = ''
let now_ms = 0
const open = (more: { readonly maxStalenessMs?: number } = {}) => openKeys({ sender, table, now: () => new Date(now_ms), ...more })
const requests = async (work: () => Promise<unknown>) => (await meter(work)).cost.requests

beforeEach(() => {
  table = `keys-${randomUUID()}`
  now_ms = Date.parse('2025-01-01T00:00:00Z')
})

test('the design of the keys is proven', () => {
  expect(prove(serviceDesign).findings).toEqual([])
})

describe('the first start', () => {
  test('makes one key, and no later start makes any', async () => {
    const first = await (await open()).firstKey()
    expect(first?.text).toMatch(/^fhk_[0-9A-HJKMNP-TV-Z]{26}_[A-Za-z0-9_-]{43}$/)
    const later = await open()
    expect(await later.firstKey()).toBeUndefined()
    expect(await later.verify(first?.text ?? '')).toBe(first?.keyId)
  })

  test('makes one key though several processes start at once', async () => {
    const processes = await Promise.all(Array.from({ length: 8 }, () => open()))
    const made = (await Promise.all(processes.map((keys) => keys.firstKey()))).filter((key) => key !== undefined)
    expect(made).toHaveLength(1)
    expect(await (await open()).list()).toHaveLength(1)
  })

  test('is over for good: a table of which every key was revoked gets no new one by itself', async () => {
    const keys = await open()
    const first = await keys.firstKey()
    await keys.revoke(first?.keyId ?? '')
    expect(await (await open()).firstKey()).toBeUndefined()
  })
})

describe('a key', () => {
  let keys: ApiKeys
  beforeEach(async () => {
    keys = await open()
  })

  test('is listed by its id and name, oldest first', async () => {
    const one = await keys.newKey('one')
    now_ms += 1000
    const two = await keys.newKey()
    expect(await keys.list()).toEqual([
      { keyId: one.keyId, name: 'one', createdAt: '2025-01-01T00:00:00.000Z' },
      { keyId: two.keyId, name: 'key', createdAt: '2025-01-01T00:00:01.000Z' },
    ])
  })

  test('is stored as a hash only', async () => {
    const { text, keyId } = await keys.newKey()
    const secret = text.slice(`fhk_${keyId}_`.length)
    const { Items } = await sender.send('Scan', { TableName: table })
    expect(secret).toHaveLength(43)
    expect(JSON.stringify(Items)).toContain(keyId)
    expect(JSON.stringify(Items)).not.toContain(secret)
  })

  test.each<[string, (text: string) => string]>([
    ['with another secret', (text) => text.slice(0, -43) + 'A'.repeat(43)],
    ['with one character less', (text) => text.slice(0, -1)],
    ['in lower case', (text) => text.toLowerCase()],
    ['with a space before it', (text) => ` ${text}`],
    ['with a line break after it', (text) => `${text}\n`],
    ['of another id', (text) => text.replace(/_.{26}_/, `_${'0'.repeat(26)}_`)],
    ['that is empty', () => ''],
  ])('%s is refused', async (_, change) => {
    const { text } = await keys.newKey()
    expect(await keys.verify(change(text))).toBeUndefined()
    expect(await keys.verify(text)).toBeDefined()
  })

  test('that was revoked is refused at once by the process that revoked it, however its id was spelt', async () => {
    const { text, keyId } = await keys.newKey()
    expect(await keys.verify(text)).toBe(keyId)
    await keys.revoke(keyId.toLowerCase())
    expect(await keys.verify(text)).toBeUndefined()
    expect(await keys.list()).toEqual([])
    await expect(keys.revoke(keyId)).rejects.toMatchObject({ code: 'NotFound' })
  })

  test('that another process revoked is refused once the bound is over', async () => {
    const { text, keyId } = await keys.newKey()
    await keys.verify(text)
    await (await open()).revoke(keyId)
    now_ms += 4_999
    expect(await keys.verify(text)).toBe(keyId)
    now_ms += 1
    expect(await keys.verify(text)).toBeUndefined()
  })

  test('that another process revoked is refused once the clock was set back: ages would be taken for less than they are', async () => {
    const { text, keyId } = await keys.newKey()
    const another = await keys.newKey()
    await keys.verify(text)
    await (await open()).revoke(keyId)
    now_ms += 8_000
    await keys.verify(another.text)
    now_ms -= 7_000
    expect(await keys.verify(text)).toBeUndefined()
  })

  test('costs one read in five seconds, which requests at once share', async () => {
    const { text } = await keys.newKey()
    expect(await requests(() => Promise.all([keys.verify(text), keys.verify(text), keys.verify(text)]))).toBe(1)
    expect(await requests(() => keys.verify(text))).toBe(0)
    now_ms += 5_000
    expect(await requests(() => keys.verify(text))).toBe(1)
  })

  test('is read each time where nothing may be remembered', async () => {
    const careful = await open({ maxStalenessMs: 0 })
    const { text } = await careful.newKey()
    await careful.verify(text)
    expect(await requests(() => careful.verify(text))).toBe(1)
  })

  test('is read consistently, so that one that was revoked is not found again', async () => {
    const { text } = await keys.newKey()
    // An eventually consistent read takes half a unit.
    expect((await meter(() => keys.verify(text))).cost).toMatchObject({ requests: 1, readUnits: 1 })
  })

  test('that does not exist is not remembered as such, and what cannot be one costs no read', async () => {
    const unknown = `fhk_${'0'.repeat(26)}_${'A'.repeat(43)}`
    expect(await requests(() => keys.verify(unknown))).toBe(1)
    expect(await requests(() => keys.verify(unknown))).toBe(1)
    expect(await requests(() => keys.verify('Bearer'))).toBe(0)
  })

  test('is no key where the table does not answer: that is an error, and not remembered', async () => {
    const { text, keyId } = await keys.newKey()
    let isDown = true
    const broken = await openKeys({
      table,
      patience_ms: 0,
      sender: {
        send: (operation, input) =>
          isDown && operation === 'GetItem'
            ? Promise.reject(Object.assign(new Error('down'), { code: 'ECONNREFUSED' }))
            : sender.send(operation, input),
        close: () => undefined,
      },
    })
    await expect(broken.verify(text)).rejects.toMatchObject({ code: 'Unavailable' })
    isDown = false
    expect(await broken.verify(text)).toBe(keyId)
  })
})
