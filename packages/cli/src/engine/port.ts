import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { FreeholdError } from '@freehold/table'
import { usualHost } from './address.ts'
import { hasCode } from './atomic-file.ts'

/**
 * A free port of an address of this machine: the wanted one, or any for 0. The engine does not report a port that it chose itself, so one is chosen here.
 * Another program may take it before the engine starts.
 *
 * @returns undefined if the wanted port is in use, or the system has no such address.
 * @throws InvalidInput if it is not a port, or one that this user may not open.
 */
export async function freePort(wanted: number, host: string = usualHost): Promise<number | undefined> {
  const server = createServer()
  try {
    server.listen(wanted, host)
    await once(server, 'listening')
    // A server that listens on TCP has an AddressInfo. The other types are for pipes and closed servers.
    return (server.address() as AddressInfo).port
  } catch (error) {
    if (hasCode(error, 'EADDRINUSE') || hasCode(error, 'EADDRNOTAVAIL')) return undefined
    const why = hasCode(error, 'EACCES') ? 'may be opened by an administrator only' : 'is not a port number from 0 to 65535'
    throw new FreeholdError('InvalidInput', `Port ${wanted} ${why}: choose another with --port.`, {}, { cause: error })
  } finally {
    server.close()
  }
}
