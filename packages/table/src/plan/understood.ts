import { filledValue } from '../design/attribute.ts'
import { keyNames } from '../design/compiled-pattern.ts'
import type { DesignForm } from '../design/design.ts'
import { formerlyName, reservedAttributes, schemaName } from '../design/entity.ts'
import type { Entity } from '../design/form.ts'
import { isKeyOf, readKey } from '../key/format.ts'
import type { Template } from '../key/template.ts'
import type { Kind } from '../kind/kind.ts'
import { attributesOf } from './attributes-of.ts'
import { Carried } from './carried.ts'
import { isSpelled } from './entity-by-keys.ts'
import { respell } from './spelling.ts'
import { isOfForm, type Stored, schemaOf, storedValue, writeIdName } from './stored.ts'
import type { Values } from './values.ts'

// An item is understood once, where it enters the runtime. Everything behind sees it as the design would have written it (spec rules 16 and 26).

/** How an item differs from what the design would have written, or that another program may change it without a word. */
interface Understanding {
  /** The item as it lies in the table. */
  readonly stored: Stored
  /** The names by which it is understood. */
  readonly known: ReadonlySet<string>
  /** Nothing is to be added, and nothing contradicts. */
  readonly isWhole: boolean
  /** Another program may change the item, and its `version` does not tell. */
  readonly isShared: boolean
  /** Why it cannot be understood, or how it contradicts itself. */
  readonly fault?: string | undefined
}

const understanding: unique symbol = Symbol('understanding')

function understandingOf(item: Stored): Understanding | undefined {
  // Only `withUnderstanding` sets it.
  return (item as { readonly [understanding]?: Understanding })[understanding]
}

/** Spreads do not copy it: what is made of an item is another one. */
function withUnderstanding(item: Values, value: Understanding): Stored {
  return Object.defineProperty(item, understanding, { value })
}

/** The item as it lies in the table: without what was filled in. */
export function asStored(item: Stored): Stored {
  return understandingOf(item)?.stored ?? item
}

/**
 * The known attributes of an item, as they lie there, if its version does not tell a later write: it has none, or the table has the names of another
 * program, which does not count.
 */
export function readOf(item: Stored): Stored | undefined {
  const { stored, known, isShared } = understandingOf(item) ?? {}
  if (stored === undefined || known === undefined || (stored.version !== undefined && !isShared)) return undefined
  return Object.fromEntries([...known].filter((name) => !keyAttributes.has(name)).map((name) => [name, stored[name]]))
}

const keyAttributes: ReadonlySet<string> = new Set(['PK', 'SK'])

/** Why the item is malformed whatever it is asked for, or undefined. */
export function faultOf(item: Stored): string | undefined {
  return understandingOf(item)?.fault
}

/** True for an item that the next write completes: something was filled in, or another program wrote it and gave no version. */
export function isIncomplete(item: Stored): boolean {
  return understandingOf(item)?.isWhole === false
}

interface IndexKey {
  readonly name: string
  readonly template: Template
}

/** What the items of an entity are understood by. Compiled once, since every item passes here. */
interface Compiled {
  readonly entity: Entity
  readonly known: ReadonlySet<string>
  readonly indexKeys: readonly IndexKey[]
  /** The attributes that a read fills in where they are absent. */
  readonly filled: readonly string[]
  /** Former names of attributes. */
  readonly former: readonly string[]
  /** What may refer to other items. NULL refers to none, which conditions of DynamoDB do not know. */
  readonly referring: readonly string[]
}

function compile(entity: Entity): Compiled {
  const indexKeys = Object.entries(entity.form.indexes).flatMap(([index, { partition, sort }]) => {
    const [first, second] = keyNames(index)
    return [
      { name: first, template: partition },
      { name: second, template: sort },
    ]
  })
  const attributes = attributesOf(entity)
  const former = attributes.flatMap(([, { formerNames }]) => formerNames)
  return {
    entity,
    known: new Set([
      ...attributes.map(([name]) => name),
      ...former,
      ...(former.length > 0 ? [formerlyName] : []),
      ...indexKeys.map(({ name }) => name),
      ...reservedAttributes,
      schemaName,
    ]),
    indexKeys,
    filled: attributes.flatMap(([name, { fill }]) => (fill === undefined ? [] : [name])),
    former,
    referring: entity.form.references.map(({ attribute }) => attribute),
  }
}

const compiledEntities = new WeakMap<Entity, Compiled>()

function compiledOf(entity: Entity): Compiled {
  const known = compiledEntities.get(entity)
  if (known !== undefined) return known
  const compiled = compile(entity)
  compiledEntities.set(entity, compiled)
  return compiled
}

/** The attributes of an entity's items that are parsed. Former schemas had others, so with an `upcast` all are. */
export function knownNames(entity: Entity): ReadonlySet<string> | undefined {
  return entity.form.schema === undefined ? compiledOf(entity).known : undefined
}

const isAbsent = (value: unknown): value is null | undefined => value === undefined || value === null

/** True for an item to which nothing is to be added, and which does not contradict itself. */
function isWhole({ entity, indexKeys, filled, former, referring }: Compiled, item: Stored): boolean {
  const { key } = entity.form
  if (typeof item.version !== 'number') return false
  if (item.Type !== entity.name || !isKeyOf(key.partition, item, item.PK) || !isKeyOf(key.sort, item, item.SK)) return false
  for (const { name, template } of indexKeys) if (item[name] !== undefined && !isKeyOf(template, item, item[name])) return false
  for (const name of filled) if (isAbsent(item[name])) return false
  for (const name of former) if (item[name] !== undefined) return false
  if (former.length > 0 && item[formerlyName] !== undefined) return false
  for (const name of referring) if (item[name] === null) return false
  return isOfForm(entity, item)
}

/** True for two spellings of one value. */
function isSame(kind: Kind | undefined, one: unknown, other: string): boolean {
  if (one === other) return true
  const [first, second] = [kind?.schema.safeParse(one), kind?.schema.safeParse(other)]
  return first?.success === true && second?.success === true && first.data === second.data
}

const isNoKey = 'is no key of one'

/** True for an item that a program of this or another version of the design wrote last. */
const isOurs = (item: Stored) => item[writeIdName] !== undefined

/** True for an item that stands in the index under values that it no longer has: a program of a version without the index has changed it. */
export function isStaleIn(entity: Entity, item: Stored, index: string): boolean {
  if (!isIncomplete(item) || !isOurs(item)) return false
  return compiledOf(entity).indexKeys.some(
    ({ name, template }) => keyNames(index).includes(name) && !isKeyOf(template, item, asStored(item)[name]),
  )
}

/**
 * Reads the attributes that stand in a key and not beside it. Returns why the key contradicts the item.
 * @param isOwn the item is found by this key, so that an attribute has the spelling that it has here
 */
function readFromKey(entity: Entity, item: Values, { name, template }: IndexKey, isOwn: boolean): string | undefined {
  const text = item[name]
  if (isKeyOf(template, item, text)) return undefined
  const kindOf = (placeholder: string) => entity.attributes[placeholder]?.kind
  const isValue = (placeholder: string, value: string) => isSpelled(kindOf(placeholder), value)
  const read = typeof text === 'string' ? readKey(template, text, isValue) : undefined
  if (read === undefined) return `its ${name} ${isNoKey}`
  for (const [placeholder, value] of Object.entries(read.values)) {
    const beside = item[placeholder]
    if (isAbsent(beside) || (isOwn && isSame(kindOf(placeholder), beside, value))) item[placeholder] = value
    // What is of another kind is told as that.
    else if (kindOf(placeholder)?.holds(beside) === true && !isSame(kindOf(placeholder), beside, value))
      return `its ${name} says ${placeholder} ${JSON.stringify(value)}, and the attribute beside it says another`
  }
  const other = template.alternatives.find(({ placeholders }) => placeholders.every((each) => !isAbsent(item[each])))
  if (other === read.alternative || isKeyOf(template, item, text)) return undefined
  return `its ${name} says that it has no ${other?.placeholders.find((each) => read.values[each] === undefined)}, and it has one`
}

/** The value of the latest former name that the item has: only a program of that version changes it alone, or removes it. */
function readFormerNames(entity: Entity, item: Values): void {
  const formerly = item[formerlyName]
  for (const [name, { formerNames }] of attributesOf(entity)) {
    const latest = formerNames.find((each) => !isAbsent(item[each]))
    if (latest !== undefined) item[name] = item[latest]
    else if (formerly instanceof Set && formerNames.some((each) => formerly.has(each))) delete item[name]
  }
}

/** The item in the form that the entity has now. Returns why that cannot be made. */
function upcast({ entity, indexKeys }: Compiled, item: Values): string | undefined {
  const { schema, upcast: steps = {}, key } = entity.form
  if (schema === undefined || isOfForm(entity, item)) return undefined
  const isKept = (name: string) => keptNames.has(name) || indexKeys.some((index) => index.name === name)
  let attributes: Readonly<Values> = Object.fromEntries(
    Object.entries(item).filter(([name, value]) => !isKept(name) && !isAbsent(value) && !(value instanceof Carried)),
  )
  for (let number = schemaOf(item); number < schema; number++) {
    try {
      attributes = steps[number]?.(attributes) ?? attributes
    } catch (error) {
      return `its upcast from schema ${number} fails: ${error instanceof Error ? error.message : String(error)}`
    }
  }
  for (const [name, attribute] of attributesOf(entity)) {
    const isInKey = key.partition.placeholders.includes(name) || key.sort.placeholders.includes(name)
    if (isInKey || item[name] instanceof Carried) continue
    const value = storedValue(attribute, attributes[name])
    if (value === undefined) delete item[name]
    else item[name] = value
  }
  return undefined
}

const keptNames: ReadonlySet<string> = new Set([...reservedAttributes, schemaName])

/** The item in the spelling of the design. The same item, if nothing in it is spelled otherwise: another program may have changed an item of ours. */
export function respelled(entity: Entity, item: Stored): Stored {
  const next: Values = { ...item }
  if (!respell(entity, next, false)) return item
  const known = understandingOf(item) ?? { stored: item, known: compiledOf(entity).known, isShared: false }
  return withUnderstanding(next, { ...known, isWhole: false })
}

function fillIn(entity: Entity, item: Values): string | undefined {
  for (const [name, attribute] of attributesOf(entity)) {
    const { fill } = attribute
    if (fill === undefined || !isAbsent(item[name])) continue
    try {
      item[name] = storedValue(attribute, filledValue(fill, item))
    } catch (error) {
      return `its default of ${name} fails: ${error instanceof Error ? error.message : String(error)}`
    }
  }
  return undefined
}

function complete(compiled: Compiled, stored: Stored, isShared: boolean): Stored {
  const { entity, indexKeys } = compiled
  const item: Values = { ...stored }
  const { partition, sort } = entity.form.key
  const isOlder = !isOfForm(entity, item)
  readFormerNames(entity, item)
  const own = [
    { name: 'PK', template: partition },
    { name: 'SK', template: sort },
  ]
  const faults: (string | undefined)[] = own.map((key) => readFromKey(entity, item, key, true))
  for (const key of indexKeys) {
    if (isAbsent(item[key.name])) continue
    // A program of a version without this index may have written the item after one with it: what lies beside the key counts, also where nothing does.
    const fault = readFromKey(entity, isOurs(stored) ? { ...item } : item, key, false)
    if (isOurs(stored) && fault?.endsWith(isNoKey) !== true) continue
    // A former schema may have had other keys in the indexes.
    if (!isOlder) faults.push(fault)
  }
  faults.push(upcast(compiled, item))
  respell(entity, item, isShared || stored.version === undefined)
  faults.push(fillIn(entity, item))
  for (const [name] of attributesOf(entity)) if (item[name] === null) delete item[name]
  if (isAbsent(item.Type)) item.Type = entity.name
  if (!isAbsent(item.version) && typeof item.version !== 'number') faults.push('version is not a number')
  const fault = faults.find((each) => each !== undefined)
  return withUnderstanding(item, { stored, known: compiled.known, isWhole: false, isShared, fault })
}

/** True for an item of an entity that a former version of the design had. */
export function isDropped({ dropped }: DesignForm, { Type }: Stored): boolean {
  return dropped.size > 0 && dropped.has(String(Type))
}

/**
 * An item of the entity as the design would have written it. If there is nothing to fill in, it is the same item.
 * @param isShared another program writes the item, too, and does not count its writes
 */
export function understood(entity: Entity, item: Stored, isShared = false): Stored {
  const compiled = compiledOf(entity)
  if (!isWhole(compiled, item)) return complete(compiled, item, isShared)
  return isShared ? withUnderstanding(item, { stored: item, known: compiled.known, isWhole: true, isShared }) : item
}
