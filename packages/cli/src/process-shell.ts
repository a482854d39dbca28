import { readEnvironment } from './environment.ts'
import type { Shell } from './shell.ts'

/** The shell that this process was started from. */
export function processShell(designs: Shell['designs']): Shell {
  const { stdin, stdout, stderr } = process
  // A write that fails tells its caller; without a listener the stream's own event would end the process besides.
  stdout.on('error', () => {})
  stderr.on('error', () => {})
  return {
    env: readEnvironment(),
    designs,
    cwd: process.cwd(),
    stdin,
    out: (text) => new Promise((resolve, reject) => stdout.write(text, (error) => (error ? reject(error) : resolve()))),
    err: (text) => {
      stderr.write(text)
    },
    columns: stdout.isTTY ? stdout.columns : undefined,
    isInteractive: stderr.isTTY === true,
    now: () => new Date(),
  }
}
