import { randomUUID } from 'node:crypto'
import { meter } from '@freehold/table'
import type { Sender } from '@freehold/table/runtime'
import { beforeEach, describe, expect, test } from 'vitest'
import { engineSender } from '../../../../test/engine/endpoint.ts'
import { senderAfter } from '../../../../test/engine/sender-after.ts'
import { type KeysOptions, type KeyToMake, openKeys } from './api-keys.ts'

const sender = engineSender()

const hour_ms = 3_600_000
let table = ''
let now_ms = 0
const open = (more: KeysOptions = {}) => openKeys({ sender, table, now: () => new Date(now_ms), ...more })
const at = (ms: number) => new Date(now_ms + ms).toISOString()
const requests = async (work: () => Promise<unknown>) => (await meter(work)).cost.requests

beforeEach(() => {
  table = `keys-${randomUUID()}`
  now_ms = Date.parse('2025-01-01T00:00:00Z')
})

describe('a key with limits', () => {
  test('tells them, and its maker', async () => {
    const keys = await open()
    const limits = { purpose: 'tenant', designs: ['platform'], tenant: 'acme', expiresAt: at(hour_ms) } as const
    const { text, ...made } = await keys.newKey('acme', { ...limits, createdBy: 'key 1' })
    expect(made).toEqual({ keyId: made.keyId, name: 'acme', createdAt: at(0), createdBy: 'key 1', ...limits })
    expect(await keys.list()).toEqual([made])
    expect(await keys.identify(text)).toEqual({ keyId: made.keyId, ...limits })
  })

  test('is no operator to a program that asks for its id alone', async () => {
    const keys = await open()
    for (const limits of [{ purpose: 'read' }, { designs: ['rebac'] }, { purpose: 'operator', designs: ['rebac'] }] as const)
      expect(await keys.verify((await keys.newKey('limited', limits)).text)).toBeUndefined()
    const { text, keyId } = await keys.newKey('operator', { purpose: 'operator', expiresAt: at(1) })
    expect(await keys.verify(text)).toBe(keyId)
  })

  test('is refused from its end on, cached or not', async () => {
    const keys = await open()
    const { text, keyId } = await keys.newKey('short', { purpose: 'read', expiresAt: at(1_000) })
    expect(await keys.identify(text)).toMatchObject({ keyId })
    now_ms += 999
    // What is cached makes nobody wait.
    expect(keys.identify(text)).not.toBeInstanceOf(Promise)
    expect(await requests(async () => expect(await keys.identify(text)).toMatchObject({ keyId }))).toBe(0)
    now_ms += 1
    expect(await requests(async () => expect(await keys.identify(text)).toBeUndefined())).toBe(0)
    expect(await (await open()).identify(text)).toBeUndefined()
  })

  test.each<[string, KeyToMake]>([
    ['a tenant without its purpose', { tenant: 'acme', designs: ['platform'] }],
    ['a purpose without its tenant', { purpose: 'tenant', designs: ['platform'] }],
    ['a blank tenant', { purpose: 'tenant', designs: ['platform'], tenant: ' ' }],
    ['a tenant of every design', { purpose: 'tenant', tenant: 'acme' }],
    ['a tenant of two designs', { purpose: 'tenant', tenant: 'acme', designs: ['a', 'b'] }],
    ['an application of every design', { purpose: 'application' }],
    ['an application of two designs', { purpose: 'application', designs: ['a', 'b'] }],
    ['flows without the purpose application', { purpose: 'flows', flows: ['a'] }],
    ['no flows in its list', { purpose: 'application', designs: ['a'], flows: [] }],
    ['more than 100 flows', { purpose: 'application', designs: ['a'], flows: Array.from({ length: 101 }, (_, index) => `flow${index}`) }],
    ['no designs', { designs: [] }],
    ['an end that has passed', { expiresAt: '2025-01-01T00:00:00Z' }],
    ['an end that is none', { expiresAt: 'tomorrow' }],
    ['an end after that of its maker', { expiresAt: '2025-01-03T00:00:00Z', until: '2025-01-02T00:00:00Z' }],
    ['no end, by a maker with one', { until: '2025-01-02T00:00:00Z' }],
  ])('has not %s', async (_, limits) => {
    const keys = await open()
    await expect(keys.newKey('wrong', limits)).rejects.toMatchObject({ code: 'InvalidInput' })
    expect(await keys.list()).toEqual([])
  })

  test('without a purpose, as keys were made before, is an operator', async () => {
    const keys = await open()
    expect(await keys.identify((await keys.newKey('before')).text)).toMatchObject({ purpose: 'operator' })
  })
})

describe('a rotation', () => {
  test('of an application keeps its tenant and its flows', async () => {
    const keys = await open()
    const limits = { purpose: 'application', designs: ['platform'], tenant: 'acme', flows: ['inviteUser'] } as const
    const { keyId } = await keys.newKey('shop', limits)
    const next = await keys.rotate(keyId, { overlap_ms: hour_ms })
    expect(next).toMatchObject({ name: 'shop', ...limits })
    expect(await keys.identify(next.text)).toEqual({ keyId: next.keyId, name: 'shop', ...limits })
  })

  test('makes a key with the same limits, and keeps the former until the given end', async () => {
    const keys = await open()
    const former = await keys.newKey('gate', { purpose: 'decisions', designs: ['rebac'], expiresAt: at(48 * hour_ms) })
    const next = await keys.rotate(former.keyId.toLowerCase(), { overlap_ms: hour_ms, createdBy: 'key 1' })
    expect(next).toMatchObject({ name: 'gate', purpose: 'decisions', designs: ['rebac'], expiresAt: former.expiresAt, createdBy: 'key 1' })
    expect(await keys.list()).toMatchObject([{ replacedBy: next.keyId, expiresAt: at(hour_ms) }, { keyId: next.keyId }])
    now_ms += hour_ms - 1
    expect([await keys.identify(former.text), await keys.identify(next.text)]).toMatchObject([
      { keyId: former.keyId },
      { keyId: next.keyId },
    ])
    now_ms += 1
    expect([await keys.identify(former.text), await keys.identify(next.text)]).toMatchObject([undefined, { keyId: next.keyId }])
  })

  test('prolongs no key: neither the former beyond its end, nor one that has expired', async () => {
    const keys = await open()
    const former = await keys.newKey('short', { expiresAt: at(1_000) })
    const next = await keys.rotate(former.keyId, { overlap_ms: hour_ms })
    expect((await keys.list()).map(({ expiresAt }) => expiresAt)).toEqual([former.expiresAt, former.expiresAt])
    now_ms += 1_000
    await expect(keys.rotate(next.keyId, { overlap_ms: 0 })).rejects.toMatchObject({ code: 'InvalidInput' })
    expect([await keys.identify(former.text), await keys.identify(next.text)]).toEqual([undefined, undefined])
  })

  test('is made once, however many ask at once', async () => {
    const keys = await open()
    const { keyId } = await keys.newKey('gate')
    const asked = await Promise.allSettled(Array.from({ length: 4 }, () => keys.rotate(keyId, { overlap_ms: hour_ms })))
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await keys.list()).toHaveLength(2)
  })

  test('of no key, for too long, or by a maker who ends before, is refused', async () => {
    const keys = await open()
    const { keyId } = await keys.newKey('gate')
    await expect(keys.rotate('01ARZ3NDEKTSV4RRFFQ69G5FAV', { overlap_ms: 0 })).rejects.toMatchObject({ code: 'NotFound' })
    for (const rotation of [{ overlap_ms: -1 }, { overlap_ms: Number.NaN }, { overlap_ms: 721 * hour_ms }, { overlap_ms: 0, until: at(1) }])
      await expect(keys.rotate(keyId, rotation)).rejects.toMatchObject({ code: 'InvalidInput' })
    expect(await keys.list()).toHaveLength(1)
  })
})

describe('the last use of a key', () => {
  const lastUse = async () => (await (await open()).list())[0]?.lastUsedAt

  /** Counts the writes of last uses, and may let them fail. */
  function counting() {
    const seen = { updates: 0, isDown: false }
    const counted = senderAfter((operation) => {
      if (operation === 'UpdateItem') seen.updates++
      if (operation === 'UpdateItem' && seen.isDown) throw Object.assign(new Error('down'), { code: 'ECONNREFUSED' })
    })
    return { seen, counted }
  }

  test('is written once an hour, by all processes together', async () => {
    const { seen, counted } = counting()
    const keys = await open({ sender: counted })
    const { text } = await keys.newKey('used')
    expect(await lastUse()).toBeUndefined()
    await Promise.all([keys.identify(text), keys.identify(text)])
    await expect.poll(lastUse).toBe(new Date(now_ms).toISOString())
    now_ms += 3_599_999
    for (const each of [keys, await open({ sender: counted })]) await each.identify(text)
    expect(seen.updates).toBe(1)
    now_ms += 1
    await keys.identify(text)
    await expect.poll(lastUse).toBe(new Date(now_ms).toISOString())
    expect(seen.updates).toBe(2)
  })

  test('is not written for a secret that is wrong, nor for a key that has expired', async () => {
    const { seen, counted } = counting()
    const keys = await open({ sender: counted })
    const { text } = await keys.newKey('used', { expiresAt: new Date(now_ms + 1).toISOString() })
    await keys.identify(text.slice(0, -43) + 'A'.repeat(43))
    now_ms += 1
    await keys.identify(text)
    expect(seen.updates).toBe(0)
  })

  test('that cannot be written delays and fails no request', async () => {
    const { seen, counted } = counting()
    const keys = await open({ sender: counted, patience_ms: 0 })
    const { text, keyId } = await keys.newKey('used')
    seen.isDown = true
    expect(await keys.identify(text)).toMatchObject({ keyId })
    await expect.poll(() => seen.updates).toBe(1)
    now_ms += 5_000
    expect(await keys.identify(text)).toMatchObject({ keyId })
    expect(await lastUse()).toBeUndefined()
  })

  test('brings no revoked key back', async () => {
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    let answered = 0
    const slow: Sender = {
      send: async (operation, input) => {
        if (operation === 'UpdateItem') await held
        const sent = sender.send(operation, input)
        if (operation === 'UpdateItem') await sent.catch(() => undefined).then(() => answered++)
        return sent
      },
      close: () => undefined,
    }
    const keys = await open({ sender: slow })
    const { text, keyId } = await keys.newKey('used')
    await keys.identify(text)
    await (await open()).revoke(keyId)
    release()
    await expect.poll(() => answered).toBeGreaterThan(0)
    expect(await (await open()).foreign()).toEqual([])
    expect(await (await open()).identify(text)).toBeUndefined()
  })
})
