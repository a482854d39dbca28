import { createHash } from 'node:crypto'
import { entity, map, stamp, text, uuid } from '@freehold/table'
import { expect, test } from 'vitest'
import { recordedChanges } from './recorded-changes.ts'

const Note = entity('Note', {
  attributes: {
    id: uuid(),
    title: text(),
    body: text().optional(),
    pin: text().optional().secret(),
    parts: map().optional(),
    updated_at: stamp.onWrite(),
  },
  key: ['NOTE#{id}', 'METADATA'],
})

test('what changed is recorded as it was and as it is, and what did not is not', () => {
  const changes = recordedChanges(
    Note,
    { title: 'a', body: 'same', parts: { x: 1 }, updated_at: '1' },
    { title: 'b', body: 'same', parts: { x: 1 }, updated_at: '2' },
  )
  expect(changes).toEqual({ title: { before: 'a', after: 'b' } })
})

test('what is new has no before, and what is gone no after', () => {
  expect(recordedChanges(Note, undefined, { title: 'a' })).toEqual({ title: { after: 'a' } })
  expect(recordedChanges(Note, { title: 'a', body: 'b' }, { title: 'a' })).toEqual({ body: { before: 'b' } })
  expect(recordedChanges(Note, { title: 'a' }, undefined)).toEqual({ title: { before: 'a' } })
})

test('secrets are left out', () => {
  expect(recordedChanges(Note, { pin: '1234' }, { pin: '9876' })).toEqual({})
})

const digest = (value: unknown) => ({
  sha256: createHash('sha256').update(JSON.stringify(value)).digest('hex'),
  bytes: Buffer.byteLength(JSON.stringify(value)),
})

test('a value of 16 KB is recorded, one byte more as its digest', () => {
  const fits = 'x'.repeat(16 * 1024 - 2) // two quotes
  const isLonger = `${fits}x`
  expect(recordedChanges(Note, { body: fits }, { body: isLonger })).toEqual({ body: { before: fits, after: digest(isLonger) } })
})

test('a map that nests as deep as an item can is recorded as its digest: within the record it would be too deep', () => {
  let deep: Record<string, unknown> = {}
  for (let level = 0; level < 30; level++) deep = { in: deep }
  expect(recordedChanges(Note, {}, { parts: deep })).toEqual({ parts: { after: digest(deep) } })
})

test('many long values together are recorded as digests, so that the record fits an item', () => {
  const names = Array.from({ length: 40 }, (_, index) => `a${index}`)
  const Wide = entity('Wide', {
    attributes: { id: uuid(), ...Object.fromEntries(names.map((name) => [name, text().optional()])) },
    key: ['WIDE#{id}', 'METADATA'],
  })
  const long = 'x'.repeat(10_000)
  const changes = recordedChanges(Wide, undefined, { id: 'short', ...Object.fromEntries(names.map((name) => [name, long])) })
  expect(Buffer.byteLength(JSON.stringify(changes))).toBeLessThan(300 * 1024)
  expect(changes).toMatchObject({ id: { after: 'short' }, a0: { after: digest(long) }, a39: { after: digest(long) } })
})
