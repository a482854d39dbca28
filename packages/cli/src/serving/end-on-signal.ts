const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Runs `end` at the first Ctrl-C, kill or closing of the terminal. The process then dies of that signal, as its parent expects, unless
 * `end` has exited with a code of its own. A second signal while `end` runs ends the process at once.
 *
 * @returns a function that restores the default handling of signals.
 */
export function endOnSignal(end: (signal: NodeJS.Signals) => Promise<void>): () => void {
  const release = (): void => {
    for (const signal of signals) process.off(signal, onSignal)
  }
  const onSignal = (signal: NodeJS.Signals): void => {
    release()
    end(signal)
      .catch((error: unknown) => process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`))
      .finally(() => process.kill(process.pid, signal))
  }
  for (const signal of signals) process.on(signal, onSignal)
  return release
}
