import { createHash } from 'node:crypto'
import { keyNames } from '../../design/compiled-pattern.ts'
import type { AnyDesign } from '../../design/design.ts'
import { FreeholdError } from '../../errors.ts'
import type { Leftovers } from '../../plan/adoption.ts'
import { tableDefinition } from '../../publish/table-definition.ts'
import { ensureTimeToLive } from '../ensure-table.ts'
import { meter } from '../meter.ts'
import type { FlowJob, JobHandler, Runtime } from '../runtime.ts'
import { runAdoption, type Survey, surveyTable } from './adopt-table.ts'
import { type IndexChanges, indexChanges, migrateIndexes } from './migrate-indexes.ts'

/** The name of the job in lists of jobs. */
export const migrateJob = 'migrate'

/** The input of the job. */
export interface Migrating {
  /** No program of a former version runs: what only that needs goes, too. */
  readonly isFinal: boolean
}

/** The version of a design, so that no program of another one takes its migration over and ends it. */
function versionOf({ form }: AnyDesign): string {
  const entities = [...form.entities.values()].map((each) => [
    each.name,
    each.key,
    Object.entries(each.attributes).map(([name, { kind, presence, formerNames, fill }]) => [name, kind.name, presence, formerNames, fill]),
    Object.entries(each.form.indexes).map(([name, { partition, sort }]) => [name, partition.source, sort.source]),
    each.form.schema ?? 0,
  ])
  const text = JSON.stringify([entities, [...form.dropped.keys()]])
  return createHash('sha256').update(text).digest('base64url').slice(0, 16)
}

/** The input of the job that migrates the table to the runtime's design. */
export function migrationInput({ design }: Pick<Runtime, 'design'>, { isFinal }: Migrating) {
  return { version: versionOf(design), isFinal }
}

function readInput({ input, runtime: { design } }: FlowJob): Migrating {
  const { version, isFinal } = (input ?? {}) as Partial<ReturnType<typeof migrationInput>>
  if (version === versionOf(design)) return { isFinal: isFinal === true }
  const message = `This migration leads to another version of the design ${design.name}: a program of that version does it.`
  throw new FreeholdError('Unavailable', message, {})
}

const leftoversOf = ({ design }: Runtime, { removed }: IndexChanges, isFinal: boolean): Leftovers => ({
  isFinal,
  indexKeys: [...design.form.indexes, ...removed].flatMap((name) => keyNames(name)),
})

/**
 * Does the job: adds the indexes that the table lacks, then makes each item what the design would write. If it is final, it removes what only former
 * versions need. It names each item as it was read, so that a write beside it wins; and it may begin anew after a crash.
 */
export const runMigration: JobHandler = async (job) => {
  const { isFinal } = readInput(job)
  const { runtime, advance } = job
  const { design, table } = runtime
  const changes = await indexChanges(runtime)
  const { ttl } = tableDefinition(design, table)
  if (ttl !== undefined) await ensureTimeToLive(runtime, ttl)
  const wait = () => advance(0)
  await migrateIndexes(runtime, false, wait)
  await runAdoption(job, leftoversOf(runtime, changes, isFinal))
  if (isFinal) await migrateIndexes(runtime, true, wait)
}

/** What a migration does, or has left to do. */
export interface Migration extends Survey {
  readonly indexes: IndexChanges
  /** The read units of this look. A migration takes as many for each of its passes. */
  readonly readUnits: number
}

/** Looks at the whole table, and tells what a migration does. Nothing is written. */
export async function surveyMigration(
  runtime: Runtime,
  { isFinal }: Migrating,
  onLooked?: (items: number, of: number) => void,
): Promise<Migration> {
  const { itemCount, ...indexes } = await indexChanges(runtime)
  const leftovers = leftoversOf(runtime, indexes, isFinal)
  const { result, cost } = await meter(() => surveyTable(runtime, { leftovers, onLooked: (items) => onLooked?.(items, itemCount) }))
  return { ...result, indexes, readUnits: cost.readUnits }
}
