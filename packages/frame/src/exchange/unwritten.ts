import { type Entity, FreeholdError, type Runtime } from '@freehold/table'
import { keyText, type TableKey, tableKeyIfPresent, targetKeys } from '@freehold/table/runtime'
import { rowFault } from './import-rows.ts'
import { ownerOf, ownItems } from './part.ts'

type Values = Readonly<Record<string, unknown>>

/**
 * Rows of one import that were not written. What lies under their keys is not what the file says: a row that refers to it would, as an
 * assignment, give a role that nobody meant. It takes memory for the keys of these rows, however large the file is.
 */
export interface Unwritten {
  add(line: number, entity: Entity, values: Values): void
  /** Why an item may not be written: the first of its ends that is of such a row. */
  faultOf(entity: Entity, values: Values): FreeholdError | undefined
}

/** The values of a row that fit, even if others do not. */
export function saidValues(entity: Entity, row: Values): Values {
  return Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) => {
      const said = entity.attributes[name]?.schema.safeParse(value)
      return said?.success ? [[name, said.data]] : []
    }),
  )
}

/** Gives the keys of what is derived from an item and others refer to, as a place by its bare id. */
export function referableKeys({ design }: Runtime): (entity: Entity, values: Values) => TableKey[] {
  const referred = new Set([...design.form.entities.values()].flatMap(({ form }) => form.references.map(({ to }) => to)))
  return (entity, values) =>
    design.form.derivedItemsOf(entity).flatMap((derived) => {
      const key = referred.has(derived) ? tableKeyIfPresent(derived, values) : undefined
      return key === undefined ? [] : [key]
    })
}

export function unwrittenRows({ design }: Runtime): Unwritten {
  const lines = new Map<string, number>()
  return {
    add: (line, entity, values) => {
      for (const own of ownItems(design, entity)) {
        const key = rowFault(() => tableKeyIfPresent(own, values))
        if (key !== undefined && !(key instanceof FreeholdError) && !lines.has(keyText(key))) lines.set(keyText(key), line)
      }
    },
    faultOf: (entity, values) => {
      const { part, references } = entity.form
      for (const reference of part.kind === 'edge' ? part.edge.ends : references) {
        const [line] = targetKeys(reference, values).flatMap((key) => lines.get(keyText(key)) ?? [])
        if (line === undefined) continue
        const { to, attribute } = reference
        const { name } = ownerOf(to) ?? to
        const details = { entity: entity.name, attribute }
        return new FreeholdError('MissingEnd', `${attribute} refers to the ${name} of line ${line}, which was not written.`, details)
      }
      return undefined
    },
  }
}
