import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { wholeLines } from './whole-lines.ts'

test('pieces are whole lines of at most 4,096 bytes, and none is lost', () => {
  const line = fc.string({ maxLength: 3_000, unit: 'binary' }).map((text) => `${text.replaceAll('\n', '')}\n`)
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
      const pieces: string[] = []
      void wholeLines((piece) => void pieces.push(piece))(lines.join(''))
      expect(pieces.join('')).toBe(lines.join(''))
      for (const piece of pieces) {
        expect(piece.endsWith('\n')).toBe(true)
        const isOneLine = piece.indexOf('\n') === piece.length - 1
        expect(isOneLine || Buffer.byteLength(piece) <= 4_096).toBe(true)
      }
    }),
  )
})

test('a piece waits until the one before is taken, and what is written meanwhile comes after', async () => {
  const begun: string[] = []
  const taken: (() => void)[] = []
  const write = wholeLines((piece) => {
    begun.push(piece)
    return new Promise<void>((resolve) => taken.push(resolve))
  })
  const [a, b, c] = ['a', 'b', 'c'].map((letter) => `${letter.repeat(4_000)}\n`)
  const first = write(`${a}${b}`)
  const second = write(`${c}`)
  expect(begun).toEqual([a])
  for (const expected of [
    [a, b],
    [a, b, c],
    [a, b, c],
  ]) {
    taken.shift()?.()
    await new Promise(setImmediate)
    expect(begun).toEqual(expected)
  }
  await Promise.all([first, second])
})

test('a reader that has gone is told, and the lines that waited go with it', async () => {
  const begun: string[] = []
  let isGone = true
  const write = wholeLines(async (piece) => {
    begun.push(piece)
    if (isGone) throw new Error('EPIPE')
  })
  await expect(write(`${'a'.repeat(4_000)}\n${'b'.repeat(4_000)}\n`)).rejects.toThrow('EPIPE')
  isGone = false
  await write('c\n')
  expect(begun.map((piece) => piece[0])).toEqual(['a', 'c'])
})
