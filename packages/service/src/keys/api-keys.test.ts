import { randomUUID } from 'node:crypto'
import { meter } from '@freehold/table'
import { prove } from '@freehold/table/prove'
import { type Sender, tableKeyIfPresent } from '@freehold/table/runtime'
import { beforeEach, describe, expect, test } from 'vitest'
import { engineSender } from '../../../../test/engine/endpoint.ts'
import { senderAfter } from '../../../../test/engine/sender-after.ts'
import { type ApiKeys, type KeysOptions, openKeys } from './api-keys.ts'
import { ApiKeyEntry, serviceDesign } from './design.ts'

const sender = engineSender()

let table = ''
let now_ms = 0
const open = (more: KeysOptions = {}) => openKeys({ sender, table, now: () => new Date(now_ms), ...more })
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

  test('costs one read in five seconds, which requests at once share, and at first one of its entry', async () => {
    const { text } = await keys.newKey()
    expect(await requests(() => Promise.all([keys.verify(text), keys.verify(text), keys.verify(text)]))).toBe(2)
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
    expect((await meter(() => keys.verify(text))).cost).toMatchObject({ requests: 2, readUnits: 2 })
  })

  test('that does not exist is remembered as such for a second, and what cannot be one costs no read', async () => {
    const unknown = `fhk_${'0'.repeat(26)}_${'A'.repeat(43)}`
    expect(await requests(() => Promise.all([keys.verify(unknown), keys.verify(unknown)]))).toBe(1)
    now_ms += 999
    expect(await requests(() => keys.verify(unknown))).toBe(0)
    now_ms += 1
    expect(await requests(() => keys.verify(unknown))).toBe(1)
    expect(await requests(() => keys.verify('Bearer'))).toBe(0)
  })

  test('that was just made works at once in the process that made it, and within a second in others, even where its id was asked for before', async () => {
    const [keyId, another] = ['01ARZ3NDEKTSV4RRFFQ69G5FAV', '01ARZ3NDEKTSV4RRFFQ69G5FAW']
    const ids = [keyId, another]
    const making = await open({ ids: { uuid: randomUUID, ulid: () => ids.shift() ?? '' } })
    for (const id of [keyId, another]) {
      const wrong = `fhk_${id}_${'A'.repeat(43)}`
      for (const process of [making, keys]) expect(await process.verify(wrong)).toBeUndefined()
    }
    const { text } = await making.newKey()
    expect(await making.verify(text)).toBe(keyId)
    expect(await (await open()).verify(text)).toBe(keyId)
    now_ms += 1000
    expect(await keys.verify(text)).toBe(keyId)
  })

  test('is no key where the table does not answer: that is an error, and not remembered', async () => {
    const { text, keyId } = await keys.newKey()
    let isDown = true
    const broken = await open({
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
    now_ms += 5_000
    isDown = true
    await expect(broken.verify(text)).rejects.toMatchObject({ code: 'Unavailable' })
    isDown = false
    expect(await broken.verify(text)).toBe(keyId)
  })

  test('that was revoked while it was looked up is not remembered', async () => {
    const { text, keyId } = await keys.newKey()
    let meanwhile: () => Promise<void> = async () => {}
    const slow: Sender = {
      send: async (operation, input) => {
        const output = await sender.send(operation, input)
        if (operation === 'GetItem') await meanwhile()
        return output
      },
      close: () => undefined,
    }
    const looking = await open({ sender: slow })
    meanwhile = async () => {
      meanwhile = async () => {}
      await looking.revoke(keyId)
    }
    expect(await looking.verify(text)).toBeUndefined()
    expect(await looking.verify(text)).toBeUndefined()
  })

  test('that lies in the table without its entry is refused, listed as foreign, and can be revoked', async () => {
    const { text, keyId } = await keys.newKey('planted')
    const { runtime } = keys.table
    const { PK = '', SK = '' } = tableKeyIfPresent(ApiKeyEntry, { keyId }) ?? {}
    await runtime.sender.send('DeleteItem', { TableName: runtime.table, Key: { PK: { S: PK }, SK: { S: SK } } })
    expect(await (await open()).verify(text)).toBeUndefined()
    expect((await keys.list()).map((key) => key.keyId)).not.toContain(keyId)
    expect(await keys.foreign()).toEqual([{ keyId, name: 'planted', createdAt: expect.any(String) }])
    await keys.revoke(keyId)
    expect(await keys.foreign()).toEqual([])
  })
})

describe('keys that are made up', () => {
  const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
  const madeUp = (count: number) =>
    Array.from({ length: count }, (_, index) => {
      const last = [alphabet[Math.floor(index / 32)], alphabet[index % 32]].join('')
      return `fhk_${'0'.repeat(24)}${last}_${'A'.repeat(43)}`
    })
  const codeOf = (asking: Promise<unknown>) =>
    asking.then(
      (keyId) => keyId ?? 'unknown',
      (error: { readonly code?: string }) => error.code,
    )

  /** Holds every read of a key until it is let go, and counts those that are under way. */
  function gate() {
    const held: (() => void)[] = []
    const seen = { isShut: false, isDown: false, reads: 0 }
    const gated = senderAfter(async (operation) => {
      if (operation === 'GetItem' && seen.isDown) throw Object.assign(new Error('down'), { code: 'ECONNREFUSED' })
      if (operation === 'GetItem' && seen.isShut) {
        seen.reads++
        await new Promise<void>((resolve) => held.push(resolve))
      }
    })
    const open = () => {
      seen.isShut = false
      for (const letGo of held.splice(0)) letGo()
    }
    return { gated, seen, open }
  }

  test('are looked up a few at once, others wait, and what exceeds that is Busy before anything is read', async () => {
    const { gated, seen, open: letGo } = gate()
    const keys = await open({ sender: gated, lookups: { atOnce_max: 2, waiting_max: 3 } })
    seen.isShut = true
    const asked = madeUp(9).map((text) => codeOf(keys.verify(text)))
    expect(await Promise.all(asked.slice(5))).toEqual(Array(4).fill('Busy'))
    await expect.poll(() => seen.reads).toBe(2)
    letGo()
    expect(await Promise.all(asked.slice(0, 5))).toEqual(Array(5).fill('unknown'))
    expect(await codeOf(keys.verify(madeUp(10).at(-1) ?? ''))).toBe('unknown')
  })

  test('keep no key waiting that is remembered, or was and is read again', async () => {
    const { gated, seen, open: letGo } = gate()
    const keys = await open({ sender: gated, lookups: { atOnce_max: 2, waiting_max: 0 } })
    const { text, keyId } = await keys.newKey()
    await keys.verify(text)
    seen.isShut = true
    const asked = madeUp(2).map((other) => codeOf(keys.verify(other)))
    expect(await keys.verify(text)).toBe(keyId)
    now_ms += 5_000
    const again = codeOf(keys.verify(text))
    await expect.poll(() => seen.reads).toBe(3)
    letGo()
    expect(await again).toBe(keyId)
    expect(await Promise.all(asked)).toEqual(['unknown', 'unknown'])
  })

  test('keep no key waiting that was remembered when the table did not answer', async () => {
    const { gated, seen, open: letGo } = gate()
    const keys = await open({ sender: gated, patience_ms: 0, lookups: { atOnce_max: 1, waiting_max: 0 } })
    const { text, keyId } = await keys.newKey()
    await keys.verify(text)
    seen.isShut = true
    const asked = madeUp(1).map((other) => codeOf(keys.verify(other)))
    await expect.poll(() => seen.reads).toBe(1)
    now_ms += 5_000
    seen.isDown = true
    expect(await codeOf(keys.verify(text))).toBe('Unavailable')
    Object.assign(seen, { isDown: false, isShut: false })
    expect(await codeOf(keys.verify(text))).toBe(keyId)
    letGo()
    expect(await Promise.all(asked)).toEqual(['unknown'])
  })

  test('let a key through that is not remembered, after those that came before it', async () => {
    const { gated, seen, open: letGo } = gate()
    const keys = await open({ sender: gated, lookups: { atOnce_max: 1 } })
    const { text, keyId } = await (await open()).newKey()
    seen.isShut = true
    const asked = madeUp(500).map((other) => codeOf(keys.verify(other)))
    const own = codeOf(keys.verify(text))
    await expect.poll(() => seen.reads).toBe(1)
    letGo()
    expect(await own).toBe(keyId)
    expect(new Set(await Promise.all(asked))).toEqual(new Set(['unknown']))
  })

  test('drive no key out of memory, however many there are', async () => {
    const keys = await open()
    const { text } = await keys.newKey()
    await keys.verify(text)
    for (const other of madeUp(1001)) await keys.verify(other)
    expect(await requests(() => keys.verify(text))).toBe(0)
  })
})
