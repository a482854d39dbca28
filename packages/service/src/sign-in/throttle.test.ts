import { expect, test } from 'vitest'
import { delayAfter } from './throttle.ts'

test('a delay grows with each guess, and is never longer than a minute', () => {
  const delays = [1, 4, 5, 6, 7, 10, 11, 12, 1_000_000].map((guesses) => delayAfter(guesses, 5))
  expect(delays).toEqual([0, 0, 1000, 2000, 4000, 32_000, 60_000, 60_000, 60_000])
})
