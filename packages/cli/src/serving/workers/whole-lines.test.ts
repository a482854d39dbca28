import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { wholeLines } from './whole-lines.ts'

test('pieces are whole lines of at most 4,096 bytes, and none is lost', () => {
  const line = fc.string({ maxLength: 3_000, unit: 'binary' }).map((text) => `${text.replaceAll('\n', '')}\n`)
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
      const pieces: string[] = []
      wholeLines((piece) => pieces.push(piece))(lines.join(''))
      expect(pieces.join('')).toBe(lines.join(''))
      for (const piece of pieces) {
        expect(piece.endsWith('\n')).toBe(true)
        const isOneLine = piece.indexOf('\n') === piece.length - 1
        expect(isOneLine || Buffer.byteLength(piece) <= 4_096).toBe(true)
      }
    }),
  )
})
