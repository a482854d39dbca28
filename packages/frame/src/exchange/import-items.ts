import { FreeholdError, type Runtime } from '@freehold/table'
import { consistent, keyText, readItems, type TableKey } from '@freehold/table/runtime'
import { type GoodRow, type Importer, type ImportOptions, type ImportReport, importRows, type Planned, rowFault } from './import-rows.ts'
import { guardedKey, type ItemRow, itemParts, itemRow } from './item-row.ts'
import type { SourceRow } from './source-row.ts'
import { referableKeys, saidValues, type Unwritten, unwrittenRows } from './unwritten.ts'

type Values = Readonly<Record<string, unknown>>
type Row = GoodRow<Values>

/** Lets fail, of rows that were looked up together and in whatever order they come, those that refer to one that is not written. */
function failReferring(
  unwritten: Unwritten,
  planned: readonly Planned<Values>[],
  items: readonly (ItemRow | FreeholdError | undefined)[],
): Planned<Values>[] {
  const plans = [...planned]
  for (let isNews = true; isNews; ) {
    isNews = false
    for (const [index, plan] of plans.entries()) {
      const item = items[index]
      if (item === undefined || item instanceof FreeholdError || plan === 'skipped' || plan instanceof FreeholdError) continue
      if (plan.parts.length === 0) continue
      const fault = unwritten.faultOf(item.entity, item.values)
      if (fault === undefined) continue
      plans[index] = fault
      unwritten.add(plan.row.line, item.entity, item.values)
      isNews = true
    }
  }
  return plans
}

async function planItems(runtime: Runtime, unwritten: Unwritten, rows: readonly Row[]): Promise<Planned<Values>[]> {
  const items = rows.map(({ values }) => rowFault(() => itemRow(runtime, values)))
  const good = items.filter((item): item is ItemRow => item !== undefined && !(item instanceof FreeholdError))
  const guards = await readItems(
    runtime,
    good.flatMap((item) => item.guards.map(({ key }) => key)),
    consistent,
  )
  const keys = new Map(good.map((item): [ItemRow, TableKey | undefined] => [item, item.key ?? guardedKey(item, guards)]))
  const referable = referableKeys(runtime)
  const derived = new Map(good.map((item) => [item, rowFault(() => referable(item.entity, item.values))]))
  const found = await readItems(
    runtime,
    [...keys.values(), ...derived.values()].flatMap((key) => (key === undefined || key instanceof FreeholdError ? [] : key)),
    consistent,
  )
  const planned = rows.map((row, index): Planned<Values> => {
    const item = items[index]
    if (item === undefined) return 'skipped'
    if (item instanceof FreeholdError) {
      const entity = runtime.design.form.entities.get(String(row.values.Type))
      if (entity !== undefined) unwritten.add(row.line, entity, saidValues(entity, row.values))
      return item
    }
    const key = keys.get(item)
    const parts = rowFault(() => itemParts(runtime, item, key === undefined ? undefined : found.get(keyText(key))))
    const own = derived.get(item)
    const isIdTaken = Array.isArray(own) && own.some((at) => found.get(keyText(at)) !== undefined)
    // Its own place is free, and yet its bare id leads to another: the write is going to fail.
    if (parts instanceof FreeholdError || (parts.length > 0 && isIdTaken)) unwritten.add(row.line, item.entity, item.values)
    return parts instanceof FreeholdError ? parts : { row, parts }
  })
  return failReferring(unwritten, planned, items)
}

function itemImporter(runtime: Runtime): Importer<Values> {
  const unwritten = unwrittenRows(runtime)
  return {
    awaitsEnds: true,
    plan: (rows) => planItems(runtime, unwritten, rows),
    again: async (row, cause) => {
      const [planned = 'skipped'] = await planItems(runtime, unwritten, [row])
      // Its own place is still free: what stands in its way is an end that is not there, or a guard of another owner.
      const isStuck = planned !== 'skipped' && !(planned instanceof FreeholdError) && planned.parts.length > 0
      return isStuck && (cause.code === 'MissingEnd' || cause.details.guard !== undefined) ? cause : planned
    },
  }
}

/**
 * Imports items of any design: rows of `Type` and attributes, without keys. It only adds. An item that is there counts as unchanged where it
 * has all that its row gives, else the row fails with `AlreadyExists`. Guards and mirrors are skipped and copies left out, as they are
 * derived; one item of an edge is enough. Rows may come before those they refer to, ten thousand of them at once. One that refers to an item
 * whose row failed, with it or before it, fails, too, whatever else lies under that key.
 */
export function importItems(runtime: Runtime, rows: AsyncIterable<SourceRow>, options: ImportOptions = {}): Promise<ImportReport> {
  return importRows(runtime, rows, itemImporter(runtime), options)
}
