import { basename } from 'node:path'
import { type DecisionLog, lineQueue, rotatedFile, type Say, type ServiceMetrics } from '@freehold/service'
import { FreeholdError } from '@freehold/table'
import type { Settings } from '../config/settings.ts'
import type { Shell } from '../shell.ts'
import type { Closing } from './closing.ts'

/** True for the path that stands for stdout, which a file of settings makes relative to itself. */
const isStdout = (path: string) => basename(path) === '-'

function whichOf({ decisionLogOf: of, decisionLogPercent: percent }: Settings): NonNullable<DecisionLog['which']> {
  return of === 'sample' ? percent / 100 : of
}

/** Throws `InvalidInput` for a file that several processes would write and rotate: each would move away what another writes. */
export function refuseSharedLog({ decisionLog: path, workers }: Settings): void {
  if (workers === 1 || path === undefined || isStdout(path)) return
  throw new FreeholdError('InvalidInput', 'Workers cannot share a file of decisions: set decisionLog to -, and collect what stdout has.', {
    issues: [],
  })
}

/** Opens the decision log, if one is named. What waits is written when the server closes. */
export function openDecisionLog(
  { settings, out }: Pick<Shell, 'settings' | 'out'>,
  opened: Closing,
  say: Say,
  metrics: ServiceMetrics | undefined,
): DecisionLog | undefined {
  const { decisionLog: path, decisionLogEvidence: hasEvidence, decisionLogBytesMax: bytes_max, decisionLogFilesMax: files_max } = settings
  if (path === undefined) return undefined
  const file = isStdout(path) ? { append: out, close: async () => {} } : rotatedFile({ path, bytes_max, files_max })
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
    which: whichOf(settings),
    hasEvidence,
    pending: (line) => {
      pending.add(line)
      void line.finally(() => pending.delete(line))
    },
  }
}
