import type { z } from 'zod'
import { FreeholdError } from '../errors.ts'
import { parseTemplate } from '../key/template.ts'
import { strictShape } from '../kind/kind.ts'
import { type Source, sourceName } from './attribute.ts'
import type { Created, Entity, Form, KeyTemplates, Reference, Upcast } from './form.ts'
import { frozen } from './frozen.ts'
import type { Needed } from './needed.ts'
import { checkOptions } from './options.ts'
import { checkReferences, type Refers, resolveReferences } from './reference.ts'
import type {
  Attributes,
  Checked,
  CheckedKey,
  Key,
  Keys,
  Lacking,
  Maybe,
  None,
  OrNull,
  Placeholder,
  Show,
  Sure,
  Value,
  Values,
} from './types.ts'

/**
 * A stored item as reads return it. `version` counts its writes. `deleting` names the job that removes it. A copied attribute may be
 * absent: its source may lack it, and another program may have written the item. So may an addition that says what its absence means.
 */
export type Item<E> =
  E extends Entity<infer N, infer A> ? Show<{ Type: N; version: number; deleting?: string } & Sure<A> & Lacking<A>> : never
/** The attributes that a caller gives to create an item. */
export type New<E> =
  E extends Entity<string, infer A> ? Show<Values<A, 'given'> & OrNull<Values<A, 'optional'>> & Maybe<Values<A, 'made'>>> : never
/** The attributes that a caller gives to change an item. Null removes an optional attribute. */
export type Change<E> = E extends Entity<string, infer A> ? Show<Maybe<Values<A, 'given' | 'made'>> & OrNull<Values<A, 'optional'>>> : never
type OptionalPlaceholder<A> = keyof Values<A, 'optional'>
/** The attributes of the table key. */
export type Id<E> =
  E extends Entity<string, infer A, infer K>
    ? Show<
        { [H in Exclude<Placeholder<K[number]> & keyof A, OptionalPlaceholder<A>>]: Value<A[H]> } & {
          [H in Placeholder<K[number]> & OptionalPlaceholder<A>]?: Value<A[H]> | null | undefined
        }
      >
    : never

/** Attributes that the runtime writes into every item. No entity may declare them. */
export const reservedAttributes: readonly string[] = ['PK', 'SK', 'Type', 'version', 'writeId', 'deleting', 'pending', 'ttl']

const options = ['attributes', 'key', 'indexes', 'refers', 'fixed', 'appendOnly', 'expires', 'sequence', 'schema', 'upcast', 'addition']
/** The stored attribute that holds the number of an entity's schema, if it declares one. */
export const schemaName = 'schema'

/**
 * The stored attribute that lists the former names under which the last write of this version has put a value. One that is listed and absent was removed by a
 * program of the former version, which knows no other name.
 */
export const formerlyName = 'formerly'

/** DynamoDB's naming rule for indexes. */
const indexName = /^[A-Za-z0-9_.-]{3,255}$/

export function keyTemplates([partition, sort]: Key): KeyTemplates {
  return Object.freeze({ partition: parseTemplate(partition), sort: parseTemplate(sort) })
}

/** Zod's schema of a new item: all attributes but copied ones. Null is an absent optional attribute. */
function creationSchema<A>(attributes: Attributes): z.ZodType<Created<A>> {
  const shape: Record<string, z.ZodType> = {}
  for (const [name, { schema, presence }] of Object.entries(attributes)) {
    if (presence === 'copied') continue
    shape[name] =
      presence === 'given' ? schema : presence === 'made' ? schema.optional() : schema.nullish().transform((value) => value ?? undefined)
  }
  // The loop builds the shape from A, which types cannot follow.
  return strictShape(shape, 'attribute') as unknown as z.ZodType<Created<A>>
}

/** No update changes these: the list must say something that is not so without it. */
function checkFixed(name: string, attributes: Attributes, { fixed, appendOnly }: Form, refuse: (message: string) => FreeholdError): void {
  for (const own of fixed) {
    const attribute = attributes[own]
    if (attribute === undefined) throw refuse(`${name} fixes '${own}', which is not an attribute of it.`)
    if (attribute.madeOnWrite) throw refuse(`${name} fixes '${own}', which each update makes again.`)
  }
  if (appendOnly && fixed.length > 0) throw refuse(`${name} fixes '${fixed[0]}', but no update changes any of its items.`)
}

/** Each former name was that of one attribute, and each older schema has the one function that leads on from it. */
function checkHistory(
  name: string,
  attributes: Attributes,
  { schema = 0, upcast = {} }: Form,
  refuse: (message: string) => FreeholdError,
): void {
  const former = Object.entries(attributes).flatMap(([own, { formerNames }]) => formerNames.map((each) => [own, each] as const))
  for (const [index, [own, each]] of former.entries()) {
    const other = attributes[each] === undefined ? former.slice(0, index).find(([, one]) => one === each)?.[0] : each
    if (other !== undefined) throw refuse(`${name}.${own} was '${each}', which is also ${name}.${other}.`)
    if (reservedAttributes.includes(each)) throw refuse(`${name}.${own} was '${each}', which the runtime writes itself.`)
  }
  if (!Number.isInteger(schema) || schema < 0) throw refuse(`${name} has the schema ${schema}; it is a whole number.`)
  const numbers = Object.keys(upcast).map(Number)
  const missing = Array.from({ length: schema }, (_, number) => number).find((number) => !numbers.includes(number))
  if (missing !== undefined) throw refuse(`${name} has the schema ${schema}, but no upcast from ${missing}.`)
  const stray = numbers.find((number) => !(number >= 0 && number < schema))
  if (stray !== undefined) throw refuse(`${name} has an upcast from ${stray}, which is not below its schema ${schema}.`)
}

function checkForm(name: string, attributes: Attributes, form: Form): void {
  const { key, indexes, part, references, expires, sequence } = form
  const refuse = (message: string) => new FreeholdError('InvalidDesign', message, { entity: name })
  if (form.schema !== undefined && attributes[schemaName] !== undefined)
    throw refuse(`${name} declares '${schemaName}', which the runtime writes itself, since it has a schema number.`)
  checkHistory(name, attributes, form, refuse)
  if (attributes[formerlyName] !== undefined && Object.values(attributes).some(({ formerNames }) => formerNames.length > 0))
    throw refuse(`${name} declares '${formerlyName}', which the runtime writes itself, since it has former names.`)
  const reserved = Object.keys(attributes).find((attribute) => reservedAttributes.includes(attribute) || /^GSI\d+[PS]K$/.test(attribute))
  if (reserved !== undefined) throw refuse(`${name} declares '${reserved}', which the runtime writes itself.`)
  const inherited = Object.keys(attributes).find((attribute) => attribute in Object.prototype)
  if (inherited !== undefined) throw refuse(`${name} declares '${inherited}', which every object of JavaScript has: give it another name.`)
  const inert = Object.entries(attributes).find(([, { kind }]) => kind.inert !== undefined)
  if (inert !== undefined) throw refuse(`${name}.${inert[0]}: ${inert[1].kind.inert}.`)
  const unnamed = Object.keys(indexes).find((index) => !indexName.test(index))
  if (unnamed !== undefined) throw refuse(`${name} has a key in '${unnamed}', which is not a name that DynamoDB gives an index.`)
  for (const { partition, sort } of [key, ...Object.values(indexes)]) {
    for (const template of [partition, sort]) {
      for (const placeholder of template.placeholders) {
        const attribute = attributes[placeholder]
        if (attribute === undefined) throw refuse(`{${placeholder}} in '${template.source}' is not an attribute of ${name}.`)
        if (attribute.kind.domain === undefined)
          throw refuse(`{${placeholder}} in '${template.source}' is a ${attribute.kind.name}; a key holds text that is normalised.`)
        if (attribute.isSecret) throw refuse(`{${placeholder}} in '${template.source}' is secret; a key is shown and logged.`)
      }
    }
  }
  if (expires !== undefined && attributes[expires]?.kind.name !== 'instant')
    throw refuse(`${name} expires at '${expires}', which is not an instant of it.`)
  if (sequence !== undefined && attributes[sequence]?.takes !== 'amounts')
    throw refuse(`${name} counts its numbers by '${sequence}', which is no whole number of it.`)
  checkFixed(name, attributes, form, refuse)
  checkReferences(name, attributes, references)
  // A guard or lookup item may lack its key: if an attribute of the key is absent, the item is not written.
  if (part.kind === 'guard' || part.kind === 'mirror') return
  for (const template of [key.partition, key.sort]) {
    const last = template.alternatives.at(-1)
    const absent = last?.placeholders.find((placeholder) => attributes[placeholder]?.presence === 'optional')
    if (absent !== undefined) throw refuse(`{${absent}} in '${template.source}' may be absent, but ${name} always needs its table key.`)
  }
}

/** Builds the frozen value of an entity, for `entity`, `unique`, `mirror` and `edge`. */
export function buildEntity<N extends string, A, K extends Key, X, H = None>(
  name: N,
  attributes: A,
  key: K,
  indexes: X,
  form: Omit<Form, 'key' | 'indexes' | 'references'>,
  refers: (itself: Entity) => readonly Reference[] = () => [],
): Entity<N, A, K, X, H> {
  // A and X are the literal types of records that are checked below. Callers' names are looked up in `plain`, so it has no prototype.
  const plain: Attributes = Object.freeze(Object.assign(Object.create(null), attributes))
  // Filled in below: a reference may lead to this entity itself.
  const references: Reference[] = []
  const compiled = {
    ...frozen({
      ...form,
      key: keyTemplates(key),
      indexes: Object.fromEntries(Object.entries(indexes as Keys).map(([index, templates]) => [index, keyTemplates(templates)])),
    }),
    references,
  }
  const built = Object.freeze({
    name,
    attributes: plain as A, // the same attributes as were given
    key: frozen(key),
    indexes: frozen(indexes),
    form: Object.freeze(compiled),
    schema: creationSchema<A>(plain),
  })
  references.push(...refers(built as unknown as Entity)) // its literal types are not needed there
  Object.freeze(references)
  checkForm(name, plain, compiled)
  return built
}

/** Every entity to which the reference may lead must have the source attribute. */
function checkSource(name: string, attribute: string, source: Source | undefined, references: readonly Reference[]): void {
  if (source === undefined) return
  const targets = references.filter(({ attribute: own, isEach }) => own === source.through && isEach === undefined).map(({ to }) => to)
  if (targets.length > 0 && targets.every((to) => to.attributes[sourceName(source, attribute, to.name)] !== undefined)) return
  throw new FreeholdError('InvalidDesign', `${name}.${attribute} is copied from '${source.through}', which refers to nothing that has it.`)
}

type ReferencesOf<A> = { readonly [H in keyof A]?: Refers }
type NotIn<A, R, N> = { readonly [H in Exclude<keyof R, keyof A>]: `${H & string} is not an attribute of ${N & string}` }

/**
 * Declares an entity. Key templates name attributes in braces. An item without an attribute of an index key is not in that index.
 * Throws `InvalidDesign` for mistakes that the types cannot find.
 */
export function entity<
  const N extends string,
  A extends Attributes,
  const P extends string,
  const S extends string,
  const X extends Keys = None,
  const R extends ReferencesOf<A> = None,
  const T extends keyof A & string = never,
>(
  name: N,
  shape: {
    attributes: A
    key: readonly [Checked<P, A, N>, Checked<S, A, N>]
    indexes?: { [G in keyof X]: CheckedKey<X[G], A, N> }
    /** The target of each reference. Every write checks that it exists; `onRemove` says what happens to this item when it is removed. */
    refers?: R & NotIn<A, R, N>
    /** Attributes that no update may change. */
    fixed?: readonly (keyof A & string)[]
    /** Created once, never updated or removed. */
    appendOnly?: true
    /** The attribute that holds the instant at which the item expires. */
    expires?: T
    /** The whole number that counts the numbers taken so far (`take`). Only that changes the item, so that no number comes twice. */
    sequence?: keyof A & string
    /** The number of the form that its items have now. Each write stamps it; an item without one has the number 0. */
    schema?: number
    /** By schema number: what makes the attributes of the next form of those of this one. Pure, since each read of such an item calls it. */
    upcast?: Readonly<Record<number, Upcast>>
    addition?: { why: string }
  },
): Entity<N, A, Key<P, S>, X, Needed<N, A, R, T>> {
  checkOptions(`The entity ${name}`, shape, options)
  const refers = Object.entries<Refers | undefined>(shape.refers ?? {})
  const resolved = (itself: Entity) =>
    refers.flatMap(([attribute, to]) => (to === undefined ? [] : resolveReferences(itself, attribute, to)))
  // Checked<P, A, N> is P if the call compiles.
  const key = shape.key as unknown as Key<P, S>
  const form = {
    part: { kind: 'entity' },
    fixed: shape.fixed ?? [],
    appendOnly: shape.appendOnly === true,
    expires: shape.expires,
    sequence: shape.sequence,
    schema: shape.schema,
    upcast: shape.upcast ?? {},
    addition: shape.addition?.why,
  } as const
  const built = buildEntity<N, A, Key<P, S>, X, Needed<N, A, R, T>>(name, shape.attributes, key, (shape.indexes ?? {}) as X, form, resolved)
  for (const [attribute, { source }] of Object.entries(shape.attributes)) checkSource(name, attribute, source, built.form.references)
  return built
}
