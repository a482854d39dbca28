import type { Pendable } from '@freehold/table/runtime'
import type { Shell } from '../shell.ts'
import { safeText } from './safe-text.ts'

/** Tells of the jobs that something done has left, on stderr: the command that shows how far they are, and why they did not end here. */
export function tellPending(shell: Shell, design: string, { pending = [] }: Pendable): void {
  for (const { job, reason } of pending) {
    const why = reason === undefined ? '' : ` ${reason.message} (${reason.code})`
    const goesOn = `The next command on this table goes on with it, or a server; \`freehold jobs ${design}\` shows how far it is.`
    shell.err(`${safeText(`Done, but for the job ${job}.${why} ${goesOn}`)}\n`)
  }
}
