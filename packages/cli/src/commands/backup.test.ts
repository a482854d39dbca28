import { mkdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openEngine } from '@freehold/engine'
import { afterEach, expect, test } from 'vitest'
import { freshFolder } from '../../test/processes.ts'
import { folder, freehold } from '../../test/recorded-shell.ts'
import { bundleCommand, endSpawned, runCommand } from '../../test/spawned.ts'

afterEach(endSpawned)

test('backup copies one instant of the data while it is written, and the copy opens', async () => {
  const directory = freshFolder()
  const cwd = dirname(directory)
  expect(await freehold(['setup', 'rebac', '--data', directory], { env: {} })).toMatchObject({ exit: 0 })
  const engine = await openEngine({ path: directory })
  let [written, isEnding] = [0, false]
  /** Two items that have the same number in each state. */
  const pair = (number: number) =>
    ['a', 'b'].map((name) => ({ Put: { TableName: 'rebac', Item: { PK: { S: name }, SK: { S: name }, number: { N: `${number}` } } } }))
  const writing = (async () => {
    while (!isEnding) {
      await engine.execute('TransactWriteItems', { TransactItems: pair(written + 1) })
      written += 1
    }
  })()
  await expect.poll(() => written).toBeGreaterThan(3)
  const before = written
  mkdirSync(join(cwd, 'copied'), { mode: 0o700 })
  const ran = await runCommand(['backup', 'copied/data.mdb'], { module: await bundleCommand(), cwd })
  isEnding = true
  await writing
  await engine.close()
  expect(ran).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/^Copied .* to copied\/data\.mdb\./) })
  expect(statSync(join(cwd, 'copied/data.mdb')).mode & 0o777).toBe(0o600)

  const copy = await openEngine({ path: join(cwd, 'copied') })
  const { Items } = (await copy.execute('Scan', { TableName: 'rebac' })) as { Items: { number?: { N: string } }[] } // As AWS answers.
  await copy.close()
  const numbers = Items.flatMap(({ number }) => (number === undefined ? [] : [Number(number.N)]))
  expect(numbers).toEqual([numbers[0], numbers[0]])
  expect(numbers[0]).toBeGreaterThanOrEqual(before)
  expect(await freehold(['query', 'rebac', 'users', '--data', join(cwd, 'copied')], { env: {} })).toMatchObject({ exit: 0 })
})

test.each([
  ['of no data', 'new.mdb', {}, 'There is no data in'],
  ['of DynamoDB elsewhere', 'new.mdb', { DYNAMODB_ENDPOINT: 'http://127.0.0.1:1' }, 'at AWS use point-in-time recovery'],
  ['of a service', 'new.mdb', { FREEHOLD_URL: 'http://127.0.0.1:1', FREEHOLD_API_KEY: 'fhk_x' }, 'works on a table'],
])('a backup %s is refused', async (_, file, env, words) => {
  expect(await freehold(['backup', file], { env })).toMatchObject({ exit: 2, out: '', err: expect.stringContaining(words) })
})

test('a backup overwrites nothing, and makes no folder', async () => {
  const cwd = folder({ 'there.mdb': 'mine' })
  expect(await freehold(['setup', 'rebac'], { env: {}, cwd })).toMatchObject({ exit: 0 })
  const backup = (file: string) => freehold(['backup', file], { env: {}, cwd })
  expect(await backup('there.mdb')).toMatchObject({ exit: 2, err: expect.stringContaining('there.mdb is there already: name a new file.') })
  expect(await backup('none/new.mdb')).toMatchObject({ exit: 2, err: expect.stringContaining('make the folder first') })
})
