import { type AnyDesign, type Entity, isFreeholdError, type Malformed, type Runtime } from '@freehold/table'
import { entityOf, isExpired, type Stored, scanItems, viewItem } from '@freehold/table/runtime'

export interface ExportOptions {
  /** Secrets are left out unless this is true (spec rule 17). */
  readonly withSecrets?: boolean | undefined
  /** Told of each item that does not fit its entity and is left out; without it, the first one ends the export with `MalformedItem`. */
  readonly onMalformed?: ((malformed: Malformed) => void) | undefined
}

/** An item as it is written to a file: `Type` and the attributes that are its own. */
export type ExportedItem = Readonly<Record<string, unknown>> & { readonly Type: string }

/** Entities whose items say something by themselves: no guard, no mirror, one item of each edge, the documented one where there is one. */
function ownEntities({ form }: AnyDesign): readonly Entity[] {
  return [...form.entities.values()].filter((entity) => {
    const { kind } = entity.form.part
    return kind === 'edge' ? entity === exportedAs(entity) : kind === 'entity'
  })
}

/** The entity under which an item is exported: of the items of an edge, the documented one where there is one. */
export function exportedAs(entity: Entity): Entity {
  const { part } = entity.form
  if (part.kind !== 'edge') return entity
  return part.edge.sides.find((side) => side.form.addition === undefined) ?? part.edge.sides[0] ?? entity
}

/** The entities of the items that an item needs before it can be created. */
function needsOf(entity: Entity): readonly Entity[] {
  const { part, references } = entity.form
  if (part.kind !== 'edge') return references.map(({ to }) => to)
  return [...part.edge.ends.map(({ to }) => to), ...(part.edge.within === undefined ? [] : [part.edge.within])]
}

/** Groups of entities, each after all that it needs. Those that need each other come last, together. */
export function inImportOrder(design: AnyDesign): readonly (readonly Entity[])[] {
  const groups: (readonly Entity[])[] = []
  for (let rest = ownEntities(design); rest.length > 0; ) {
    const left = rest
    const ready = left.filter((entity) => needsOf(entity).every((need) => need === entity || !left.includes(need)))
    const group = ready.length === 0 ? left : ready
    groups.push(group)
    rest = left.filter((entity) => !group.includes(entity))
  }
  return groups
}

/** An item as it is exported: `Type` and the attributes that are its own. Throws `MalformedItem`. */
export function exportedItem(entity: Entity, item: Stored, withSecrets = false): ExportedItem {
  const secrets = withSecrets ? Object.keys(entity.attributes) : []
  const view = viewItem(entity, item, secrets)
  const own = Object.keys(entity.attributes).filter((name) => view[name] !== undefined && entity.attributes[name]?.presence !== 'copied')
  return { Type: entity.name, ...Object.fromEntries(own.map((name) => [name, view[name]])) }
}

/**
 * Every item of a design, without keys, versions, copies and whatever else is derived, in an order in which it can be imported. It scans the
 * table, once for each step of that order, and is no snapshot: what is written meanwhile may be in it or not. What is being deleted or is
 * past its life is left out.
 */
export async function* exportItems(runtime: Runtime, options: ExportOptions = {}): AsyncGenerator<ExportedItem, void, void> {
  const { withSecrets = false, onMalformed } = options
  for (const [step, entities] of inImportOrder(runtime.design).entries()) {
    // The first scan looks at every item, so that none of an unknown Type is left out in silence. The runtime's own jobs are of no entity.
    for await (const page of scanItems(runtime, step === 0 ? undefined : entities)) {
      for (const item of page) {
        try {
          if (step === 0 && item.Type !== 'Job') entityOf(runtime.design.form, item)
          const entity = entities.find(({ name }) => name === item.Type)
          const isLeftOut = entity === undefined || item.deleting !== undefined || isExpired(entity, item, runtime.now())
          if (!isLeftOut) yield exportedItem(entity, item, withSecrets)
        } catch (error) {
          if (!isFreeholdError(error, 'MalformedItem') || onMalformed === undefined) throw error
          onMalformed({ key: { PK: String(item.PK), SK: String(item.SK) }, reason: error.message })
        }
      }
    }
  }
}
