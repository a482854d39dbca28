import { FreeholdError } from '../errors.ts'
import { type Attribute, type Attributes, attribute } from './attribute.ts'
import { buildEntity } from './entity.ts'
import type { Copy, Edge, Entity, Reference } from './form.ts'
import { frozen } from './frozen.ts'
import { checkOptions } from './options.ts'
import { checkReference, resolveReference } from './reference.ts'
import type { CheckedKey, Keys, None, Value } from './types.ts'

/**
 * An end as a design writes it. By default the edge is removed with its end; with `refuse` the end cannot be removed while it has edges.
 */
type End = Entity | { readonly to: Entity; readonly onRemove?: 'cascade' | 'refuse' }
type WrittenEnds = Readonly<Record<string, End>>
type EntitiesAt<W> = { [H in keyof W]: W[H] extends { readonly to: infer T extends Entity } ? T : W[H] extends Entity ? W[H] : never }
type Ends = Readonly<Record<string, Entity>>
type EndIds<E extends Ends> = {
  [H in keyof E]: Attribute<H extends keyof E[H]['attributes'] ? Value<E[H]['attributes'][H]> : string, 'given'>
}
type Path<E extends Ends> = { [H in keyof E & string]: `${H}.${keyof E[H]['attributes'] & string}` }[keyof E & string]
type At<E extends Ends, P> = P extends `${infer H}.${infer F}`
  ? H extends keyof E
    ? F extends keyof E[H]['attributes']
      ? Attribute<Value<E[H]['attributes'][F]>, 'copied'>
      : never
    : never
  : never
type Copied<E extends Ends, C> = { [F in keyof C]: At<E, C[F]> }
type SideAttributes<E extends Ends, A, C, N> = EndIds<E> & A & (N extends keyof C ? Copied<E, C[N]> : None)
/** By entity at an end: the attributes that an item of the edge has from it. */
type SourcesOf<E extends Ends, C> = {
  readonly [H in keyof E & string as E[H]['name']]: C[keyof C] extends infer P ? (P extends `${H}.${infer F}` ? F : never) : never
}
type CopyPaths = Readonly<Record<string, string>>

function endAttribute(ends: Readonly<Record<string, Reference>>, name: string): Attribute {
  const end = ends[name]
  const placeholder = Object.entries(end?.by ?? {}).find(([, own]) => own === name)?.[0]
  const kind = placeholder === undefined ? undefined : end?.to.attributes[placeholder]?.kind
  if (kind === undefined) throw new FreeholdError('InvalidDesign', `The end '${name}' fills no placeholder of its entity's key.`)
  return attribute({ kind, presence: 'given' })
}

function resolveCopies(paths: CopyPaths, side: string): Copy[] {
  return Object.entries(paths).map(([name, path]) => {
    const [through, from] = path.split('.')
    if (through === undefined || from === undefined)
      throw new FreeholdError('InvalidDesign', `${side}.${name} is copied from '${path}', which is not 'end.attribute'.`)
    return { attribute: name, through, from }
  })
}

/** A copy that has the name of its source has had the former ones, too, but for those that the edge uses itself. */
function copiedAttributes(copies: readonly Copy[], ends: Readonly<Record<string, Reference>>, side: string, given: Attributes): Attributes {
  const isFree = (each: string) => given[each] === undefined && copies.every(({ attribute }) => attribute !== each)
  return Object.fromEntries(
    copies.map(({ attribute: name, through, from }) => {
      const source = ends[through]?.to.attributes[from]
      if (source === undefined)
        throw new FreeholdError('InvalidDesign', `${side}.${name} is copied from '${through}.${from}', which does not exist.`)
      const { kind, isSecret, why } = source
      const formerNames = name === from ? frozen(source.formerNames.filter(isFree)) : undefined
      return [name, attribute({ kind, isSecret, why, formerNames, presence: 'copied', source: frozen({ through, attribute: from }) })]
    }),
  )
}

/**
 * Declares a relationship that is stored as several items, one for each way to read it. One transaction writes or removes them all, and
 * checks that every end exists and is not being deleted (spec rule 10). `copies` follow their end (rule 11). Each item is an entity of the
 * returned object.
 */
export function edge<
  const W extends WrittenEnds,
  A extends Attributes,
  const S extends Keys,
  const C extends Readonly<Record<string, Readonly<Record<string, Path<E>>>>> = None,
  E extends Ends = EntitiesAt<W>,
>(shape: {
  ends: W
  attributes: A
  items: { [N in keyof S]: CheckedKey<S[N], EndIds<E> & A, N & string> }
  copies?: C & { readonly [N in Exclude<keyof C, keyof S>]: `${N & string} is not an item of this edge` }
  within?: Entity
  additions?: { readonly [N in NoInfer<keyof S & string>]?: string }
}): { [N in keyof S & string]: Entity<N, SideAttributes<E, A, C, N>, S[N], None, N extends keyof C ? SourcesOf<E, C[N]> : None> } {
  const items = shape.items as unknown as Keys
  const label = Object.keys(items).join(' and ')
  checkOptions(`The edge of ${label}`, shape, ['ends', 'attributes', 'items', 'copies', 'within', 'additions'])
  const following = Object.entries(shape.attributes).find(([, { presence }]) => presence === 'copied')
  if (following !== undefined)
    throw new FreeholdError(
      'InvalidDesign',
      `${label} copy '${following[0]}' by from(). An edge says in 'copies' which of its items copies what: { ${Object.keys(items)[0]}: { ${following[0]}: 'end.attribute' } }.`,
    )
  const ends = Object.fromEntries(Object.entries(shape.ends).map(([name, to]) => [name, resolveReference(label, name, to)]))
  const outlived = Object.values(ends).find(({ onRemove }) => onRemove === 'keep')
  if (outlived !== undefined)
    throw new FreeholdError(
      'InvalidDesign',
      `${label} cannot outlive ${outlived.to.name}: an end takes its edges with it, or refuses to go.`,
    )
  const given: Attributes = {
    ...Object.fromEntries(Object.keys(ends).map((name) => [name, endAttribute(ends, name)])),
    ...shape.attributes,
  }
  const paths = (shape.copies ?? {}) as Readonly<Record<string, CopyPaths | undefined>>
  const additions = (shape.additions ?? {}) as Readonly<Record<string, string | undefined>>
  const stray = [...Object.keys(paths), ...Object.keys(additions)].find((side) => items[side] === undefined)
  if (stray !== undefined) throw new FreeholdError('InvalidDesign', `${stray} is not an item of this edge.`)
  const copies = Object.freeze(Object.fromEntries(Object.keys(items).map((side) => [side, frozen(resolveCopies(paths[side] ?? {}, side))])))
  const sides: Entity[] = []
  const relationship: Edge = Object.freeze({ ends: Object.freeze(Object.values(ends)), sides, copies, within: shape.within })
  if (shape.within !== undefined && shape.within.form.part.kind !== 'edge')
    throw new FreeholdError('InvalidDesign', `${label} lie within ${shape.within.name}, which is not an item of an edge.`)
  for (const [side, key] of Object.entries(items)) {
    const taken = copies[side]?.find(({ attribute: name }) => given[name] !== undefined)
    if (taken !== undefined) throw new FreeholdError('InvalidDesign', `${side}.${taken.attribute} is copied, and is also given.`)
    const attributes = { ...given, ...copiedAttributes(copies[side] ?? [], ends, side, given) }
    for (const end of relationship.ends) checkReference(side, attributes, end)
    const part = { kind: 'edge', edge: relationship } as const
    sides.push(buildEntity(side, attributes, key, {}, { part, fixed: [], appendOnly: false, addition: additions[side] }))
  }
  Object.freeze(sides)
  // The loop above builds one entity for each key of S, with the attributes of SideAttributes.
  return Object.fromEntries(sides.map((side) => [side.name, side])) as never
}
