import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bundle } from '../../../test/bundle.js'
import { temporaryFolder } from '../../../test/folders/temporary-folder.ts'
import { kinds, outcome, tableInput } from './engines.ts'

test('writes under way that the disk does not take are told and not applied, and those that it takes can be read', async () => {
  const path = temporaryFolder()
  const engine = await kinds[1].open({ path })
  await engine.execute('CreateTable', tableInput())
  await engine.close()
  const blocks = Math.ceil(statSync(join(path, 'data.mdb')).size / 512) + 256
  const limited = `trap '' XFSZ; ulimit -f ${blocks}; exec "$0" "$@"`
  const worker = await bundle(join(import.meta.dirname, 'full-writer.ts'))
  const told = execFileSync('sh', ['-c', limited, process.execPath, worker, path], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const outcomes = new Map<string, unknown>(Object.entries(JSON.parse(told)))
  expect(outcomes.size).toBe(42)
  const kindsOf = (isLarge: boolean) => new Set([...outcomes].flatMap(([sk, told]) => (/large|last/.test(sk) === isLarge ? [told] : [])))
  // LMDB tells a write that the disk took in part as an input/output error.
  expect(['StorageFull', 'StorageFailed']).toEqual(expect.arrayContaining([...kindsOf(true)]))
  expect(['written', 'StorageFull', 'StorageFailed']).toEqual(expect.arrayContaining([...kindsOf(false)]))
  const after = await kinds[1].open({ path })
  const { Items = [] } = await outcome(after, 'Scan', { TableName: 'items' })
  const written = [...outcomes].flatMap(([sk, told]) => (told === 'written' ? [sk] : []))
  expect(Items.map(({ sk }) => Object(sk).S)).toEqual(written.sort())
  expect(written).toContain('small')
  expect(Items.at(-1)).toMatchObject({ shape: { M: { never: { S: 'x' } } } })
  const large = { pk: { S: 'p' }, sk: { S: 'last' }, text: { S: 'x'.repeat(300_000) } }
  expect(await outcome(after, 'PutItem', { TableName: 'items', Item: large })).toEqual({})
})
