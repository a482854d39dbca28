import { expect, test } from 'vitest'
import { checkRoom } from './disk-room.ts'

const block = { bsize: 4096, blocks: 1000 }

test.each([
  ['has room', { ...block, bavail: 256 }],
  ['tells no size', { bsize: 4096, blocks: 0, bavail: 0 }],
])('an engine may start on a disk that %s', (_, room) => {
  expect(() => checkRoom('/data', () => room)).not.toThrow()
})

test('an engine does not start on a disk that is full, and says what is left and what to do', () => {
  expect(() => checkRoom('/data', () => ({ ...block, bavail: 255 }))).toThrow(
    expect.objectContaining({
      code: 'Unavailable',
      message: 'The disk of /data is full: it has 1020 KB left, and an engine needs 1024 KB to start. Free some space, then try again.',
    }),
  )
})
