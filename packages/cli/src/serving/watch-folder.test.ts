import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FreeholdError } from '@freehold/table'
import { expect, test } from 'vitest'
import { folder } from '../../test/recorded-shell.ts'
import { lookAt, watchFolder } from './watch-folder.ts'

/** A watch whose looks a test lets happen, one after another. */
function watched(reload: () => Promise<void>) {
  const logged: string[] = []
  const asked: (() => void)[] = []
  let state = 'a'
  let wake: (() => void) | undefined
  const stop = watchFolder(
    {
      ...{ called: 'the folder policies', look: async () => state, reload, log: (sentence) => logged.push(sentence) },
      pause: () =>
        new Promise<void>((resolve) => {
          wake = resolve
          asked.shift()?.()
        }),
    },
    state,
  )
  /** Lets one look happen: it is over when the watch pauses again. */
  const look = (seen: string) => {
    state = seen
    return new Promise<void>((resolve) => {
      asked.push(resolve)
      wake?.()
    })
  }
  return { look, logged, stop }
}

test('a change is loaded once two looks in a row see the same', async () => {
  let loads = 0
  const { look, logged, stop } = watched(async () => {
    loads++
  })
  const counts: number[] = []
  for (const seen of ['a', 'a', 'b', 'c', 'c', 'c', 'd', 'c', 'c', 'd', 'd']) {
    await look(seen)
    counts.push(loads)
  }
  expect(counts).toEqual([0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 2])
  expect(logged).toEqual(['Reloaded the folder policies.', 'Reloaded the folder policies.'])
  stop()
})

test('a refused state is told once with its reason, and the next one is loaded', async () => {
  const errors = [new FreeholdError('InvalidInput', 'roles.cedar:3 unexpected \u001b end', { issues: [] }), new Error('secret'), undefined]
  const { look, logged, stop } = watched(async () => {
    const error = errors.shift()
    if (error !== undefined) throw error
  })
  for (const seen of ['b', 'b', 'b', 'b', 'c', 'c', 'd', 'd']) await look(seen)
  expect(logged).toEqual([
    expect.stringMatching(/^Kept what the folder policies held before: its new state is refused\. roles\.cedar:3 unexpected \P{Cc}*end$/u),
    expect.stringMatching(/It could not be read\.$/),
    'Reloaded the folder policies.',
  ])
  stop()
})

test('a stopped watch loads nothing more', async () => {
  let loads = 0
  const { look, stop } = watched(async () => {
    loads++
  })
  await look('b')
  stop()
  void look('b')
  await new Promise(setImmediate)
  expect(loads).toBe(0)
})

test('each change of a folder looks different: a file written, added, removed, replaced, behind a link, and the folder moved', async () => {
  const root = folder()
  const path = join(root, 'policies')
  mkdirSync(path)
  mkdirSync(join(root, 'real'))
  const look = () => lookAt(path, (name) => name.endsWith('.cedar'))
  const steps: readonly (() => void)[] = [
    () => writeFileSync(join(path, 'a.cedar'), 'one'),
    () => writeFileSync(join(path, 'a.cedar'), 'two'),
    () => writeFileSync(join(root, 'new'), 'six'),
    () => renameSync(join(root, 'new'), join(path, 'a.cedar')),
    () => writeFileSync(join(root, 'real', 'b'), 'b'),
    () => symlinkSync(join(root, 'real', 'b'), join(path, 'b.cedar')),
    () => writeFileSync(join(root, 'real', 'b'), 'bb'),
    () => rmSync(join(path, 'a.cedar')),
    () => rmSync(join(root, 'real', 'b')),
    () => rmSync(path, { recursive: true }),
    () => mkdirSync(path),
  ]
  const seen = [await look()]
  for (const step of steps) {
    step()
    seen.push(await look())
  }
  const unlike = seen.slice(1).map((each, index) => each !== seen[index])
  // Two of the steps are made outside the folder. A folder that is gone looks as one with a link that leads nowhere, and neither is loaded.
  expect(unlike).toEqual([true, true, false, true, false, true, true, true, true, false, true])
})

test('files that a module does not read, and hidden ones, change nothing', async () => {
  const path = folder({ 'a.cedar': 'one' })
  const look = () => lookAt(path, (name) => name.endsWith('.cedar'))
  const before = await look()
  writeFileSync(join(path, 'README.md'), 'words')
  writeFileSync(join(path, '.#a.cedar'), 'a lock of an editor')
  symlinkSync('nowhere', join(path, '.b.cedar'))
  expect(await look()).toBe(before)
})
