import type { Shell } from '../shell.ts'

/** Tells a person that nothing was done, since the same was done before under this idempotency key. */
export function tellReplayed(shell: Shell, toldOnce: readonly string[] = []): void {
  const secrets = toldOnce.length === 0 ? '' : ` The secret of its answer (${toldOnce.join(', ')}) is told only once.`
  shell.err(`This was done before, under the same idempotency key, and is not done again.${secrets}\n`)
}
