import { expect, test } from 'vitest'
import { memoryBytes } from './definitions.ts'

test('what is held is counted with what holds it', () => {
  const text = 'x'.repeat(1000)
  const alone = memoryBytes(text)
  expect(alone).toBeGreaterThan(2000)
  for (const holder of [{ text }, [text], new Set([text]), new Map([['', text]]), new Map([[text, '']]), { deep: [{ text }] }])
    expect(memoryBytes(holder)).toBeGreaterThan(alone + 100)
  expect(memoryBytes([text, text])).toBeGreaterThan(2 * alone)
})

test('nothing is for free', () => {
  for (const value of [undefined, null, 0, true, '', {}, [], new Map(), new Set()]) expect(memoryBytes(value)).toBeGreaterThan(0)
  expect(memoryBytes([1, 2])).toBeGreaterThan(memoryBytes([1]))
})
