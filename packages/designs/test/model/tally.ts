import type { AnyDesign, Entity, ErrorCode } from '@freehold/table'
import { isDerived, isEdge, referencesOf, sidesOf } from './parts.ts'
import type { Watch } from './play.ts'
import { verbs } from './step.ts'

/** The errors that a design's own declarations give. */
function refusals(entities: readonly Entity[]): readonly ErrorCode[] {
  const references = entities.flatMap(referencesOf)
  return [
    ...(['AlreadyExists', 'NotFound', 'VersionConflict', 'InvalidInput', 'MissingEnd'] as const),
    ...(entities.some(isDerived) ? (['DerivedItem'] as const) : []),
    ...(entities.some(({ form }) => form.appendOnly) ? (['Immutable'] as const) : []),
    ...(references.some(({ onRemove }) => onRemove === 'refuse') ? (['InUse'] as const) : []),
  ]
}

/** True where an update can give an attribute another value: one that is no copy, no end of an edge, not fixed and no stamp of the creation. */
function isChangeable(entity: Entity): boolean {
  const ends = isEdge(entity) ? referencesOf(entity).flatMap(({ by }) => Object.values(by)) : []
  return Object.entries(entity.attributes).some(
    ([name, { presence, madeOnce }]) => presence !== 'copied' && !madeOnce && !entity.form.fixed.includes(name) && !ends.includes(name),
  )
}

/** The steps that came out as foreseen, so that nothing is left out unnoticed. */
export class Tally {
  steps = 0
  /** `create User`, `query usersOfClient` that found something, `refused InUse`. */
  private readonly done = new Set<string>()
  /** Entities of which there was an item. */
  private readonly seen = new Set<string>()

  readonly watch: Watch = ({ verb, subject }, { codes, items, gives }) => {
    this.steps++
    if (codes.length === 1) this.done.add(`refused ${codes[0]}`)
    if (codes.length > 0) return
    if (verb === 'create') for (const { Type } of items.values()) this.seen.add(String(Type))
    const isFound = Array.isArray(gives) ? gives.length > 0 : gives !== null
    if (isFound) this.done.add(`${verb} ${subject}`)
  }

  private has(doing: string, names: readonly string[]): boolean {
    return names.some((name) => this.done.has(`${doing} ${name}`))
  }

  /** By name: each verb, entity, access pattern and refusal of a design that did not come about. */
  missing({ entities, patterns }: AnyDesign): readonly string[] {
    const all = Object.values(entities)
    const writable = all.filter((entity) => !isDerived(entity))
    const missing = refusals(all).flatMap((code) => (this.has('refused', [code]) ? [] : [`refused ${code}`]))
    for (const verb of verbs) if (![...this.done].some((each) => each.startsWith(`${verb} `))) missing.push(verb)
    for (const { name } of all) if (!this.seen.has(name)) missing.push(`an item of ${name}`)
    for (const entity of writable) {
      // An edge is written by any of its sides.
      const names = isEdge(entity) ? sidesOf(entity).map(({ name }) => name) : [entity.name]
      if (!this.has('create', names)) missing.push(`create ${entity.name}`)
      if (entity.form.appendOnly) continue
      if (isChangeable(entity) && !this.has('update', names) && !this.has('move', names)) missing.push(`update ${entity.name}`)
      if (!this.has('remove', names)) missing.push(`remove ${entity.name}`)
    }
    for (const name of Object.keys(patterns))
      if (!this.has('query', [name]) && !this.has('get', [name])) missing.push(`an answer of ${name}`)
    return missing
  }
}
