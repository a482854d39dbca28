import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { FreeholdError } from '@freehold/table'
import { atQuietTurn } from './quiet-turn.ts'

/** Where a server listens. */
export interface Bound {
  /** For example `http://127.0.0.1:3000`. */
  readonly address: string
  readonly port: number
}

/** The error of a server that cannot listen, by Node's code. */
function cannotListen(cause: NodeJS.ErrnoException, host: string, port: number): FreeholdError {
  const why =
    cause.code === 'EADDRINUSE'
      ? `Port ${port} of ${host} is in use: stop the program there, or choose another port`
      : cause.code === 'EACCES'
        ? `Port ${port} of ${host} is not allowed for this user: choose one from 1024 on`
        : `It is not possible to listen on port ${port} of ${host}: choose an address of this machine`
  return new FreeholdError('Unavailable', `${why}.`, { host, port }, { cause })
}

/** @throws FreeholdError `Unavailable` if the port is in use or not allowed */
export async function listenOn(server: Server, host: string, port: number): Promise<Bound> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(cannotListen(error, host, port)))
    server.listen(port, host, resolve)
  })
  // A server that listens on TCP has an AddressInfo. The other types are for pipes and closed servers.
  const bound = server.address() as AddressInfo
  return { address: `http://${host.includes(':') ? `[${host}]` : host}:${bound.port}`, port: bound.port }
}

/** A port whose connections other processes answer. */
export interface SharedPort extends Bound {
  /** Resolves when all connections have been taken, and no more are accepted. */
  close(): Promise<void>
}

/**
 * Listens for other processes, whose servers get the connections by `Serving.take`.
 * @param take gets each connection before anything of it is read
 * @throws FreeholdError `Unavailable` if the port is in use or not allowed
 */
export async function sharePort(host: string, port: number, take: (socket: Socket) => void): Promise<SharedPort> {
  let accepted = 0
  const server = createServer({ pauseOnConnect: true, noDelay: true }, (socket) => {
    accepted++
    take(socket)
  })
  const bound = await listenOn(server, host, port)
  const close = () =>
    new Promise<void>((resolve) => {
      const stop = () => {
        server.close()
        resolve()
      }
      atQuietTurn(() => accepted, stop)
    })
  return { ...bound, close }
}
