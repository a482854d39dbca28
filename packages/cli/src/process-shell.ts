import { readEnvironment } from './environment.ts'
import type { Surroundings } from './shell.ts'

/** The shell of this process. */
export function processShell(designs: Surroundings['designs']): Surroundings {
  const { stdin, stdout, stderr } = process
  // The caller of a failed write gets its error. Without a listener the stream's own event would also end the process.
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
    errTaken: () => (stderr.writableLength === 0 ? undefined : new Promise((resolve) => stderr.write('', () => resolve()))),
    columns: stdout.isTTY ? stdout.columns : undefined,
    isInteractive: stderr.isTTY === true,
    now: () => new Date(),
    isProcess: true,
  }
}
