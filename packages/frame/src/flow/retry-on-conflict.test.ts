import { FreeholdError, type Runtime } from '@freehold/table'
import { expect, test } from 'vitest'
import { retryOnConflict } from './retry-on-conflict.ts'

/** Of a runtime, what waiting needs. */
const runtime = { sleep: async () => {}, random: () => 0 } as unknown as Runtime
const conflict = () => new FreeholdError('VersionConflict', 'another was faster')

test('what another overtook is decided anew', async () => {
  let count = 0
  const answer = await retryOnConflict(runtime, async () => {
    if (++count < 3) throw conflict()
    return count
  })
  expect(answer).toBe(3)
})

test('what others keep overtaking is called off: Busy', async () => {
  let count = 0
  const overtaken = async () => {
    count++
    throw conflict()
  }
  await expect(retryOnConflict(runtime, overtaken)).rejects.toMatchObject({ code: 'Busy', cause: { code: 'VersionConflict' } })
  expect(count).toBe(20)
})

test.each([
  new FreeholdError('NotFound', 'gone'),
  new FreeholdError('VersionConflict', 'the caller named a version', { named: true }),
  new TypeError('a defect'),
])('%s is not tried again', async (error) => {
  let count = 0
  const failing = async () => {
    count++
    throw error
  }
  await expect(retryOnConflict(runtime, failing)).rejects.toBe(error)
  expect(count).toBe(1)
})
