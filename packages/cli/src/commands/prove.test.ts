import { expect, test } from 'vitest'
import { freehold } from '../../test/recorded-shell.ts'

test('prove says that rebac is proven, without a database, and exits with 0', async () => {
  const { exit, out, err } = await freehold(['prove', 'rebac'], { env: {} })
  expect({ exit, err }).toEqual({ exit: 0, err: '' })
  expect(out).toMatch(/^rebac is proven: 0 errors/)
})

test('prove keeps to the width of a terminal', async () => {
  const { out } = await freehold(['prove', 'rebac'], { env: {}, columns: 80 })
  expect(out.split('\n').filter((line) => line.length > 80)).toEqual([])
})

test('prove as JSON holds findings, access patterns and partitions', async () => {
  const { exit, out } = await freehold(['prove', 'rebac', '--json'], { env: {} })
  expect(exit).toBe(0)
  expect(JSON.parse(out)).toMatchObject({
    design: 'rebac',
    isProven: true,
    findings: expect.any(Array),
    patterns: expect.any(Array),
    partitions: expect.any(Array),
  })
})
