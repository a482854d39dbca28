import type { Pendable } from '@freehold/table/runtime'
import type { Shell } from '../shell.ts'
import { safeText } from './safe-text.ts'

/** Reports the jobs that a write has left on stderr: the command that shows their progress, and why they stopped here. */
export function tellPending(shell: Shell, design: string, { pending = [] }: Pendable): void {
  for (const { job, reason } of pending) {
    const why = reason === undefined ? '' : ` ${reason.message} (${reason.code})`
    const goesOn = `The next command on this table, or a server, continues it. \`freehold jobs ${design}\` shows its progress.`
    shell.err(`${safeText(`Done, except for the job ${job}.${why} ${goesOn}`)}\n`)
  }
}
