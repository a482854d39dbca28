import type { Environment } from '../environment.ts'

const look_ms = 500

/**
 * Ends this process when the npm that started it is gone. npm passes signals on, but if it is killed by SIGKILL, an invisible server would
 * go on.
 *
 * @returns a function that ends the watch
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
