import { accessSync, constants, statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { type DecisionLog, lineQueue, rotatedFile, type Say, type ServiceMetrics } from '@freehold/service'
import type { Settings } from '../config/settings.ts'
import { invalid } from '../input/invalid.ts'
import { safeText } from '../output/safe-text.ts'
import type { Shell } from '../shell.ts'
import type { Closing } from './closing.ts'

/** True for the path that stands for stdout, which a file of settings makes relative to itself. */
const isStdout = (path: string) => basename(path) === '-'

/** The part of all questions that a sample has. */
const sampled = 0.01

/** Nothing is opened: a pipe without a reader would be waited for. */
function isWritable(path: string): boolean {
  try {
    const stats = statSync(path, { throwIfNoEntry: false })
    accessSync(stats === undefined ? dirname(path) : path, constants.W_OK)
    return stats === undefined ? statSync(dirname(path)).isDirectory() : !stats.isDirectory()
  } catch {
    return false
  }
}

/**
 * Checks where decisions are to be written, before anything is started.
 * @throws InvalidInput for a path that cannot be written, and for a file that several processes would write and rotate: each would move away what
 * another writes
 */
export function checkDecisionLog({ decisionLog: path, workers }: Settings): void {
  if (path === undefined || isStdout(path)) return
  if (workers > 1) throw invalid('Workers cannot share a file of decisions: set decisionLog to -, and collect what stdout has.')
  if (isWritable(path)) return
  throw invalid(
    `The decision log ${safeText(path)} cannot be written: name a file in a folder that is there, and that this user may write.`,
  )
}

/** Opens the decision log, if one is named. What waits is written when the server closes. */
export function openDecisionLog(
  { settings, out }: Pick<Shell, 'settings' | 'out'>,
  opened: Closing,
  say: Say,
  metrics: ServiceMetrics | undefined,
): DecisionLog | undefined {
  const { decisionLog: path, decisionLogOf: of, decisionLogEvidence: hasEvidence } = settings
  if (path === undefined) return undefined
  const file = isStdout(path) ? { append: out, close: async () => {} } : rotatedFile({ path })
  const queue = lineQueue({
    append: file.append,
    onDrop: (count) => metrics?.dropped(count),
    onProblem: (error) => {
      const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
      const why = error === undefined ? 'they come faster than they can be written' : `${path} cannot be written${code}`
      say(`Lines of the decision log are dropped: ${why}.`, 'error')
    },
  })
  const pending = new Set<Promise<void>>()
  opened.add(async () => {
    await Promise.all(pending)
    await queue.close()
    await file.close()
  })
  return {
    write: queue.write,
    which: of === 'sample' ? sampled : of,
    hasEvidence,
    pending: (line) => {
      pending.add(line)
      void line.finally(() => pending.delete(line))
    },
  }
}
