import { FreeholdError } from '@freehold/table'
import { expect, test } from 'vitest'
import { watchStore } from './watch-store.ts'

/** A watch whose requests a test lets happen, one after another. */
function watched(answers: readonly (boolean | Error)[]) {
  const logged: string[] = []
  const left = [...answers]
  let [wake, paused]: (() => void)[] = []
  const stop = watchStore({
    called: 'the policy store PS1',
    refresh: async () => {
      const answer = left.shift() ?? false
      if (answer instanceof Error) throw answer
      return answer
    },
    log: (sentence) => logged.push(sentence),
    pause: () =>
      new Promise<void>((resolve) => {
        wake = resolve
        paused?.()
      }),
  })
  /** Lets one request happen: it is over when the watch pauses again. */
  const ask = () =>
    new Promise<void>((resolve) => {
      paused = resolve
      wake?.()
    })
  return { ask, logged, stop }
}

test('a store that has changed is told, and one that cannot be read once', async () => {
  const away = new FreeholdError('Unavailable', 'Verified Permissions did not answer.')
  const { ask, logged, stop } = watched([false, true, false, away, away, new Error('secret'), true, away])
  for (let asked = 0; asked < 8; asked++) await ask()
  const unread = 'Kept what was read of the policy store PS1 before. Verified Permissions did not answer.'
  expect(logged).toEqual([
    'Read the policy store PS1 again, which has changed.',
    unread,
    'Kept what was read of the policy store PS1 before. It could not be read.',
    'Read the policy store PS1 again, which has changed.',
    unread,
  ])
  stop()
})

test('a watch that has ended asks nothing', async () => {
  let asked = 0
  const waiting: (() => void)[] = []
  const stop = watchStore({
    called: 'the store',
    refresh: async () => {
      asked++
      return true
    },
    log: () => {},
    pause: () => new Promise<void>((resolve) => waiting.push(resolve)),
  })
  stop()
  for (const wake of waiting) wake()
  await new Promise(setImmediate)
  expect(asked).toBe(0)
})
