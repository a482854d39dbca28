import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

/**
 * The seed of all properties of a run: `TEST_SEED`, or else one of the committed tree. So a commit that passed passes again, and each commit draws
 * values that no other has drawn.
 * @returns a whole number of 32 bits. Without git it is 0.
 */
export function seedOfTree({ TEST_SEED: given } = process.env): number {
  if (given !== undefined && !/^-?\d{1,10}$/.test(given)) throw new Error('TEST_SEED is not a whole number.')
  return given === undefined ? Number.parseInt(treeHash().slice(0, 8), 16) | 0 : Number(given) | 0
}

/** Of a commit with the same files it is the same, whoever committed it. */
function treeHash(): string {
  try {
    const cwd = join(import.meta.dirname, '..', '..')
    return execFileSync('git', ['rev-parse', 'HEAD^{tree}'], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  } catch {
    return '0'
  }
}
