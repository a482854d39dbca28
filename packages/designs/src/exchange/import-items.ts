import { FreeholdError, keyText, type Runtime, readItems, type TableKey } from '@freehold/table'
import { type GoodRow, type Importer, type ImportOptions, type ImportReport, importRows, type Planned, rowFault } from './import-rows.ts'
import { guardedKey, type ItemRow, itemParts, itemRow } from './item-row.ts'
import type { SourceRow } from './source-row.ts'

type Values = Readonly<Record<string, unknown>>
type Row = GoodRow<Values>

const consistent = { consistent: true }

async function planItems(runtime: Runtime, rows: readonly Row[]): Promise<Planned<Values>[]> {
  const items = rows.map(({ values }) => rowFault(() => itemRow(runtime, values)))
  const good = items.filter((item): item is ItemRow => item !== undefined && !(item instanceof FreeholdError))
  const guards = await readItems(
    runtime,
    good.flatMap((item) => item.guards.map(({ key }) => key)),
    consistent,
  )
  const keys = new Map(good.map((item): [ItemRow, TableKey | undefined] => [item, item.key ?? guardedKey(item, guards)]))
  const found = await readItems(
    runtime,
    [...keys.values()].filter((key) => key !== undefined),
    consistent,
  )
  return items.map((item, index) => {
    const row = rows[index]
    if (item instanceof FreeholdError) return item
    if (item === undefined || row === undefined) return 'skipped'
    const key = keys.get(item)
    const parts = rowFault(() => itemParts(runtime, item, key === undefined ? undefined : found.get(keyText(key))))
    return parts instanceof FreeholdError ? parts : { row, parts }
  })
}

function itemImporter(runtime: Runtime): Importer<Values> {
  return {
    awaitsEnds: true,
    plan: (rows) => planItems(runtime, rows),
    again: async (row, cause) => {
      const [planned = 'skipped'] = await planItems(runtime, [row])
      // Its own place is still free: what stands in its way is an end that is not there, or a guard of another owner.
      const isStuck = planned !== 'skipped' && !(planned instanceof FreeholdError) && planned.parts.length > 0
      return isStuck && (cause.code === 'MissingEnd' || cause.details.guard !== undefined) ? cause : planned
    },
  }
}

/**
 * Imports items of any design: rows of `Type` and attributes, without keys. It only adds. An item that is there counts as unchanged where it
 * has all that its row gives, else the row fails with `AlreadyExists`. Guards and mirrors are skipped and copies left out, as they are
 * derived; one item of an edge is enough. Rows may come before those they refer to, ten thousand of them at once.
 */
export function importItems(runtime: Runtime, rows: AsyncIterable<SourceRow>, options: ImportOptions = {}): Promise<ImportReport> {
  return importRows(runtime, rows, itemImporter(runtime), options)
}
