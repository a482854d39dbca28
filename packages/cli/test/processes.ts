import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { temporaryFolder } from '../../../test/folders/temporary-folder.ts'

/** A data folder of its own for one test, which is not made yet. */
export function freshFolder(): string {
  return join(temporaryFolder(), '.freehold')
}

/** A port that was free just now. */
export async function portToUse(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('This machine has no free port.')
  return address.port
}
