import { isDeepStrictEqual } from 'node:util'
import type { Making } from '../design/attribute.ts'
import type { AnyDesign } from '../design/design.ts'
import type { Entity } from '../design/form.ts'
import { type ErrorCode, type FreeholdError, isFreeholdError } from '../errors.ts'
import type { Action, Check, Put, Update } from './action.ts'
import { attributesOf } from './attributes-of.ts'
import { holds, unchanged } from './condition.ts'
import { copiedValues, targetKey } from './copies.ts'
import { copiesOf, planCreate } from './create.ts'
import { ownedBy } from './derived-items.ts'
import type { Values } from './input.ts'
import { type TableKey, tableKey } from './keys.ts'
import type { Known, Needs } from './known.ts'
import { type Stored, versionOf } from './stored.ts'
import { viewItem } from './view.ts'

/** What an item lacks that a creation by the design would have written with it. */
export interface Adoption {
  readonly needs?: undefined
  /** By entity: derived items and sides of an edge that are missing, and the item itself if it lacks additional attributes. */
  readonly missing: readonly string[]
  /** Writes what is missing, if the item and what it refers to are still as they were read. Empty if nothing can be written. */
  readonly actions: readonly Action[]
  readonly problems: readonly AdoptionProblem[]
}

/** Something that the design cannot add by itself. */
export interface AdoptionProblem {
  readonly entity: string
  readonly key: TableKey
  readonly code: ErrorCode
  readonly message: string
}

const step = 'adopt'

/** Defaults of attributes that the source document does not have. Those that it has are another program's to write. */
function withDefaults(entity: Entity, item: Stored, making: Making): Values {
  const values: Values = { ...item }
  for (const [name, { presence, make, why }] of attributesOf(entity))
    if (presence === 'made' && why !== undefined && (values[name] === undefined || values[name] === null)) values[name] = make?.(making)
  return values
}

/** What an attribute that is copied would be, by the source that the reference leads to. */
function copyOf(entity: Entity, name: string, values: Readonly<Values>, look: Known['look'], needs: TableKey[]): unknown {
  const copy = copiesOf(entity).find(({ attribute }) => attribute === name)
  for (const reference of entity.form.references) {
    const key = reference.attribute === copy?.through ? targetKey(reference, values) : undefined
    const source = key === undefined ? undefined : look(key)
    if (source === 'unread' && key !== undefined) needs.push(key)
    else if (copy !== undefined && source !== undefined && source !== 'unread')
      return copiedValues([copy], new Map([[reference.attribute, source]]))[name]
  }
  return undefined
}

/**
 * Additional attributes by which a reference is told among targets with and without a tenant: whose role an assignment is of. They are known by where
 * the target lies, with the value that stands for no tenant, or with the item's own.
 */
function withOwners(entity: Entity, values: Values, known: Known): Needs | { readonly needs?: undefined } {
  const needs: TableKey[] = []
  for (const reference of entity.form.references)
    for (const [name, noTenant] of Object.entries(reference.absent)) {
      if (values[name] !== undefined || entity.attributes[name]?.why === undefined) continue
      const [placeholder = ''] = Object.entries(reference.by).find(([, own]) => own === name) ?? []
      const own = values[placeholder] ?? copyOf(entity, placeholder, values, known.look, needs)
      for (const candidate of own === undefined ? [noTenant] : [noTenant, own]) {
        const key = targetKey(reference, { ...values, [name]: candidate })
        const target = key === undefined ? undefined : known.look(key)
        if (target === 'unread' && key !== undefined) needs.push(key)
        else if (target !== undefined && target !== 'unread') values[name] ??= candidate
      }
    }
  return needs.length > 0 ? { needs } : {}
}

/** Attributes of the item as the design would write it that it lacks: additions, index keys and `ttl`. */
function lacking(item: Stored, whole: Stored): Values {
  return Object.fromEntries(Object.entries(whole).filter(([name]) => item[name] === undefined && name !== 'version'))
}

/** The item stays as it was read. What it lacks is set, unless it lacks nothing. */
function ownAction(entity: Entity, item: Stored, set: Readonly<Values>): Update | Check {
  const common = {
    key: { PK: String(item.PK), SK: String(item.SK) },
    conditions: [unchanged(item)],
    origin: { step, role: 'item', entity: entity.name },
  } as const
  return Object.keys(set).length === 0 ? { ...common, kind: 'check' } : { ...common, kind: 'update', set, remove: [], add: { version: 1 } }
}

/** A lookup item repeats attributes of its owner. Another program that changed the owner has not changed it. */
function isStale(entity: Entity, there: Stored, item: Stored): boolean {
  return (
    entity.form.part.kind === 'mirror' &&
    Object.keys(entity.attributes).some((name) => !isDeepStrictEqual(there[name] ?? undefined, item[name] ?? undefined))
  )
}

type Found = 'there' | 'missing' | 'stale' | 'taken'

function lookAt(entity: Entity, owner: Entity, { item }: Put, there: Stored | undefined): Found {
  if (there === undefined) return 'missing'
  const isDerived = entity.form.part.kind === 'guard' || entity.form.part.kind === 'mirror'
  if (there.Type !== entity.name || (isDerived && !holds(ownedBy(owner, item), there))) return 'taken'
  return isStale(entity, there, item) ? 'stale' : 'there'
}

function problemOf(entity: Entity, key: TableKey, { code, message }: Pick<FreeholdError, 'code' | 'message'>): AdoptionProblem {
  return { entity: entity.name, key, code, message }
}

function takenBy(entity: Entity, { key }: Put, there: Stored | undefined): AdoptionProblem {
  const whose = there?.Type === entity.name ? 'another owner' : `a ${String(there?.Type)}`
  return problemOf(entity, key, {
    code: 'AlreadyExists',
    message: `The ${entity.name} at '${key.PK}' / '${key.SK}' is of ${whose}: change or remove one of the two owners.`,
  })
}

/**
 * What an item of another program lacks: planned as a creation of the same item, from which everything goes that is there already. Asks for what it
 * has to see first. Never throws an error of this project: an item that cannot be planned is a problem.
 */
export function planAdoption(design: AnyDesign, entity: Entity, item: Stored, making: Making, known: Known): Needs | Adoption {
  try {
    return planned(design, entity, item, making, known)
  } catch (error) {
    if (!isFreeholdError(error)) throw error
    const key = { PK: String(item.PK), SK: String(item.SK) }
    return { missing: [], actions: [], problems: [problemOf(entity, key, error)] }
  }
}

function planned({ form }: AnyDesign, entity: Entity, item: Stored, making: Making, known: Known): Needs | Adoption {
  const values = withDefaults(entity, item, making)
  const owners = withOwners(entity, values, known)
  if (owners.needs !== undefined) return owners
  const plan = planCreate({ step, verb: 'create', entity, values }, form, known, { now: making.now })
  if (plan.needs !== undefined) return plan
  const key = tableKey(entity, values)
  if (key.PK !== item.PK || key.SK !== item.SK)
    return {
      missing: [],
      actions: [],
      problems: [problemOf(entity, { PK: String(item.PK), SK: String(item.SK) }, misplaced(entity, key))],
    }
  viewItem(entity, { ...item, ...plan.item })
  const isPut = (action: Action): action is Put => action.kind === 'put'
  const others = plan.actions.filter(isPut).filter(({ origin }) => origin.role !== 'item')
  const unread = others.filter((put) => known.look(put.key) === 'unread').map((put) => put.key)
  if (unread.length > 0) return { needs: unread }
  const set = lacking(item, plan.item ?? item)
  const missing = Object.keys(set).length === 0 ? [] : [entity.name]
  const puts: Put[] = []
  const problems: AdoptionProblem[] = []
  for (const put of others) {
    const named = form.entities.get(put.origin.entity)
    const there = known.look(put.key)
    // Each was read above, and each put is of an entity of the design.
    if (named === undefined || there === 'unread') continue
    const found = lookAt(named, entity, put, there)
    if (found === 'taken') problems.push(takenBy(named, put, there))
    if (found === 'missing' || found === 'stale') missing.push(named.name)
    if (found === 'missing') puts.push(put)
    if (found === 'stale' && there !== undefined) {
      const item = { ...there, ...put.item, version: versionOf(there) + 1 }
      puts.push({ ...put, item, conditions: [unchanged(there)] })
    }
  }
  const checks = plan.actions.filter(({ kind }) => kind === 'check')
  return { missing, problems, actions: missing.length === 0 ? [] : [ownAction(entity, item, set), ...puts, ...checks] }
}

function misplaced(entity: Entity, { PK, SK }: TableKey) {
  const message = `This ${entity.name} does not lie where its attributes say: that is '${PK}' / '${SK}'.`
  return { code: 'MalformedItem', message } as const
}
