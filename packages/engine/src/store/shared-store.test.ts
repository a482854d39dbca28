import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../../test/folders/temporary-folder.ts'
import { openSharedStore } from './shared-store.ts'

test('a process opens a file again while it writes, and closes it once for each opening', async () => {
  const path = temporaryFolder()
  const link = join(temporaryFolder(), 'link')
  symlinkSync(path, link)
  const first = await openSharedStore(link)
  const writes = Array.from({ length: 20 }, (_, at) => first.store.write((writing) => writing.put(`k${at}`, [at])))
  const second = await openSharedStore(path)
  expect(second.store).toBe(first.store)
  await Promise.all([first.close(), first.close()])
  await Promise.all(writes)
  await second.store.write((writing) => writing.put('l', [1]))
  const closing = second.close()
  const third = await openSharedStore(path)
  await closing
  expect(third.store.read((reading) => reading.count({ start: 'k', end: 'm' }))).toBe(21)
  await third.close()
})
