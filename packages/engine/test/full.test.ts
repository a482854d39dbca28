import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bundle } from '../../../test/bundle.js'
import { temporaryFolder } from '../../../test/folders/temporary-folder.ts'
import { kinds, outcome, tableInput } from './engines.ts'

test('a write that the disk does not take is told and not applied, and what is written after it can be read', async () => {
  const path = temporaryFolder()
  const engine = await kinds[1].open({ path })
  await engine.execute('CreateTable', tableInput())
  await engine.close()
  const blocks = Math.ceil(statSync(join(path, 'data.mdb')).size / 512) + 32
  const limited = `trap '' XFSZ; ulimit -f ${blocks}; exec "$0" "$@"`
  const worker = await bundle(join(import.meta.dirname, 'full-writer.ts'))
  const told = execFileSync('sh', ['-c', limited, process.execPath, worker, path], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  expect(told).toBe('StorageError')
  const after = await kinds[1].open({ path })
  expect(await outcome(after, 'Scan', { TableName: 'items' })).toMatchObject({
    Count: 1,
    Items: [{ sk: { S: 'small' }, shape: { M: { never: { S: 'x' } } } }],
  })
})
