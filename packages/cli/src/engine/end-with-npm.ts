import type { Environment } from '../environment.ts'

const look_ms = 500

/**
 * Ends this process, as a kill would, when the npm that started it is gone: npm passes signals on, but not the SIGKILL that it dies of
 * itself, and a server that nobody sees would go on.
 *
 * @returns what ends the watch
 */
export function endWithNpm({ npm_command }: Environment): () => void {
  if (npm_command === undefined) return () => {}
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    process.kill(process.pid, 'SIGTERM')
  }, look_ms)
  watch.unref()
  return () => clearInterval(watch)
}
