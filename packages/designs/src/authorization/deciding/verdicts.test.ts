import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { atOnceFor, inTurns } from './verdicts.ts'

const telling = (bytes: number) => ({ action: 'read', resource: { type: 'Ticket', id: 't1' }, context: { text: 'x'.repeat(bytes) } })

test('the more a question tells, the fewer are decided before others get their turn', async () => {
  const runs: number[] = []
  for (const bytes of [0, 1_000, 8_000]) {
    let done = 0
    let isOver = false
    const longest: number[] = []
    const others = (async () => {
      for (let before = 0; !isOver; before = done) {
        await setImmediate()
        longest.push(done - before)
      }
    })()
    await inTurns(Array.from({ length: 600 }), atOnceFor(telling(bytes)), async () => {
      done++
    })
    isOver = true
    await others
    expect(done).toBe(600)
    runs.push(Math.max(...longest))
  }
  const [small = 0, larger = 0, largest = 0] = runs
  expect([small <= 300, larger <= 100, largest <= 10]).toEqual([true, true, true])
})
