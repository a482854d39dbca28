import cluster from 'node:cluster'
import type { ToWorker } from './messages.ts'
import type { WorkerProcess } from './supervise.ts'

/** A process that runs the same command again. */
export function forkWorker(): WorkerProcess {
  const worker = cluster.fork()
  // The channel of a worker that has just died is closed, which its exit tells.
  worker.on('error', () => {})
  return {
    pid: worker.process.pid,
    send: (message) => {
      if (worker.isConnected()) worker.send(message)
    },
    hand: (socket, sent) => {
      const message: ToWorker = { does: 'connection' }
      worker.process.send(message, socket, {}, (error) => {
        if (error === null) sent()
      })
    },
    kill: () => worker.process.kill('SIGKILL'),
    onMessage: (take) => worker.on('message', (message) => message instanceof Object && take(message)),
    onExit: (take) => worker.once('exit', (code, signal) => take(signal ?? `exit code ${code}`)),
  }
}

/** True in a process that `forkWorker` has started. */
export const isWorker = cluster.isWorker
