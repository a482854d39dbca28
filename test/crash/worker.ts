import { createReadStream } from 'node:fs'
import { importMatrix, type RebacTable, rebac } from '@freehold/designs/rebac'
import { matrixColumns, readCsv } from '@freehold/frame/exchange'
import { connect } from '@freehold/table'
import { type Sender, senderOf } from '@freehold/table/runtime'

/** The work of a worker; the process ends itself with SIGKILL at one of its requests, or comes to the end. */
export type Task =
  | { readonly do: 'remove location'; readonly locationId: string }
  | { readonly do: 'rename user'; readonly userId: string; readonly displayName: string }
  | { readonly do: 'import'; readonly userRoles: string; readonly rolePermissions: string }
  | { readonly do: 'resume' }

export interface WorkerOptions {
  readonly endpoint: string
  readonly table: string
  readonly task: Task
  /** The number of the request at which the process is killed; none if absent. */
  readonly killAt?: number
  /** Before the request is sent; while it is on its way; or once it is answered, before anybody hears of that. */
  readonly killWhen?: 'before' | 'during' | 'after'
  /** How far its clock is ahead: leases of a process that was killed are over by then. */
  readonly ahead_ms: number
}

/** The message of a worker that has come to the end. */
export interface WorkerReport {
  readonly requests: number
}

function kill(): Promise<never> {
  process.kill(process.pid, 'SIGKILL')
  // The signal is on its way; nothing more happens here.
  return new Promise(() => {})
}

function mortal(inner: Sender, { killAt, killWhen = 'before' }: WorkerOptions): Sender & { count(): number } {
  let count = 0
  return {
    count: () => count,
    close: () => inner.close(),
    send: async (operation, input, options) => {
      if (++count !== killAt) return inner.send(operation, input, options)
      if (killWhen === 'before') return kill()
      const answer = inner.send(operation, input, options)
      if (killWhen === 'after') await answer
      else await new Promise((resolve) => setImmediate(resolve))
      return kill()
    },
  }
}

async function work(table: RebacTable, task: Task): Promise<void> {
  switch (task.do) {
    case 'remove location':
      await table.Location.remove({ locationId: task.locationId })
      return
    case 'rename user':
      await table.User.update({ userId: task.userId }, { displayName: task.displayName })
      return
    case 'import':
      await importMatrix(table, {
        userRoles: readCsv(createReadStream(task.userRoles), matrixColumns.userRoles),
        rolePermissions: readCsv(createReadStream(task.rolePermissions), matrixColumns.rolePermissions),
        location: 'HQ',
      })
      return
    case 'resume':
      await table.jobs.resume()
  }
}

const options: WorkerOptions = JSON.parse(process.argv[2] ?? '')
const sender = mortal(senderOf({ endpoint: options.endpoint }), options)
const table = connect(rebac, { table: options.table, sender, now: () => new Date(Date.now() + options.ahead_ms) })
await work(table, options.task)
// Conflicts make the number of requests vary: it may be done before the one at which it is to die.
if (options.killAt !== undefined) await kill()
const report: WorkerReport = { requests: sender.count() }
process.stdout.write(JSON.stringify(report))
table.close()
