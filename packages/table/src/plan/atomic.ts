import type { DesignForm } from '../design/design.ts'
import { formerlyName } from '../design/entity.ts'
import type { Entity } from '../design/form.ts'
import { keyPlaceholders } from '../design/reference.ts'
import { FreeholdError, invalidInput } from '../errors.ts'
import type { Action, AtomicPart, Update } from './action.ts'
import type { AtomicChange } from './atomic-change.ts'
import { alive } from './check.ts'
import type { Condition } from './condition.ts'
import type { Values } from './input.ts'
import { notThere } from './item-words.ts'
import { type TableKey, tableKey } from './keys.ts'
import type { Planned } from './known.ts'
import { askingConditions } from './lacking.ts'
import type { Prepared } from './step.ts'
import { isRemovable } from './stored.ts'
import type { WriteContext } from './tenant-scope.ts'
import type { Path } from './term.ts'

type Change = Extract<Prepared, { verb: 'update' | 'move' }>

interface Holder {
  readonly name: string
  readonly why: string
}

/** The attributes of an entity that cannot be changed without a read, since something else is made of them. */
function heldNames(entity: Entity, form: DesignForm): readonly Holder[] {
  const { indexes, references, expires, fixed } = entity.form
  const held = (names: readonly string[], why: string) => names.map((name) => ({ name, why }))
  const derived = form.derivedItemsOf(entity)
  const tenant = form.tenantOf?.(entity).attribute
  return [
    ...held(keyPlaceholders(entity), 'is part of the key'),
    ...Object.entries(indexes).flatMap(([index, { partition, sort }]) =>
      held([...partition.placeholders, ...sort.placeholders], `is part of the key in ${index}`),
    ),
    ...derived.flatMap((other) => held(Object.keys(other.attributes), `is in the ${other.form.part.kind} ${other.name}`)),
    ...form
      .followersOf(entity)
      .flatMap(({ side, copies }) =>
        copies.flatMap(({ from, fromOf }) => held([fromOf?.[entity.name] ?? from], `is copied to ${side.name}`)),
      ),
    ...references.flatMap(({ attribute, by, when, to }) =>
      held([attribute, ...Object.values(by), ...Object.keys(when)], `refers to a ${to.name}`),
    ),
    ...held(expires === undefined ? [] : [expires], 'is when the item expires'),
    ...held(tenant === undefined ? [] : [tenant], 'names the tenant'),
    ...held(fixed, 'never changes'),
  ]
}

const known = new WeakMap<DesignForm, Map<Entity, ReadonlyMap<string, string>>>()

/** By attribute: why an atomic change cannot have it. */
export function heldBy(entity: Entity, form: DesignForm): ReadonlyMap<string, string> {
  const ofDesign = known.get(form) ?? new Map<Entity, ReadonlyMap<string, string>>()
  known.set(form, ofDesign)
  const found = ofDesign.get(entity) ?? new Map(heldNames(entity, form).map(({ name, why }) => [name, why]))
  ofDesign.set(entity, found)
  return found
}

function checkFree({ entity, change, stamps }: Change, names: readonly string[], form: DesignForm): void {
  const held = heldBy(entity, form)
  const issues = names.flatMap((name) => {
    const why = held.get(name)
    return why === undefined ? [] : [{ path: [name], message: `${why}: give it a value in an update of its own` }]
  })
  const stamp = Object.keys(stamps).find((name) => !(name in change.set) && held.has(name))
  if (stamp !== undefined)
    issues.push({
      path: [stamp],
      message: `is written with each change and ${held.get(stamp)}, so that no change of ${entity.name} is atomic`,
    })
  if (issues.length > 0) throw invalidInput(entity.name, issues, { entity: entity.name })
}

/** The conditions of a write by the tenant: the item is its own. What is shared it sees, and does not write. */
function ownConditions(prepared: Change, { tenantScope }: WriteContext): readonly Condition[] {
  if (tenantScope === undefined) return []
  const { entity, key } = prepared
  const { attribute, isShared } = tenantScope.of(entity)
  if (attribute === undefined && !isShared) throw notThere(entity, key)
  if (attribute === undefined)
    throw new FreeholdError('Denied', `This ${entity.name} would not belong to the tenant that writes it.`, {
      entity: entity.name,
      reason: 'AnotherTenant',
    })
  return [
    { is: 'of', attribute, value: tenantScope.tenant, orNone: isShared, isTold: false },
    { is: 'own', attribute, tenant: tenantScope.tenant },
  ]
}

/** The same part for another name of its attribute. */
function named(part: AtomicPart, name: string): AtomicPart {
  return 'path' in part ? { ...part, path: [name, ...part.path.slice(1)] as unknown as Path } : { ...part, attribute: name }
}

/** Former names that get a value are listed as such. */
function listed({ attributes }: Entity, names: readonly string[]): readonly AtomicPart[] {
  const former = names.flatMap((name) => {
    const attribute = attributes[name]
    return attribute !== undefined && isRemovable(attribute) ? attribute.formerNames : []
  })
  return former.length === 0 ? [] : [{ operation: 'join', attribute: formerlyName, members: new Set(former) }]
}

function sideKey(side: Entity, id: Readonly<Values>): TableKey {
  if (keyPlaceholders(side).every((name) => id[name] !== undefined)) return tableKey(side, id)
  throw new FreeholdError('InvalidInput', `${side.name} has a key that needs more than its ends: give values, not an atomic change.`, {
    entity: side.name,
  })
}

/**
 * Plans an atomic change: one action without a read, on conditions that the item is live and is the tenant's own, as a read would have found. The other
 * sides of an edge get the same change.
 */
export function planAtomic(prepared: Change, form: DesignForm, context: WriteContext): Planned {
  const { entity, key, step, version, where, change, stamps, id, exact } = prepared
  const changes = change.atomic
  const attributeOf = ({ part }: AtomicChange) => ('path' in part ? part.path[0] : part.attribute)
  checkFree(prepared, [...Object.keys(change.set), ...change.remove, ...changes.map(attributeOf)], form)
  const { part } = entity.form
  const names = [...changes.map(attributeOf), ...Object.keys(change.set)]
  const update = (to: Entity, at: TableKey, role: 'item' | 'side', conditions: readonly Condition[]): Update => {
    const has = (name: string) => role === 'item' || to.attributes[name] !== undefined
    const each = (name: string) => (has(name) ? [name, ...(to.attributes[name]?.formerNames ?? [])] : [])
    return {
      kind: 'update',
      key: at,
      set: Object.fromEntries(
        Object.entries({ ...stamps, ...change.set }).flatMap(([name, value]) => each(name).map((own) => [own, value])),
      ),
      remove: change.remove.flatMap(each),
      add: { version: 1 },
      atomic: {
        parts: [...changes.flatMap((one) => each(attributeOf(one)).map((own) => named(one.part, own))), ...listed(to, names.filter(has))],
        isExact: exact === true,
      },
      conditions,
      origin: { step, role, entity: to.name },
    }
  }
  const conditions: Condition[] = [...alive(entity, context.now), { is: 'type', name: entity.name }, ...ownConditions(prepared, context)]
  if (version !== undefined) conditions.push({ is: 'version', version })
  conditions.push(...askingConditions(entity, where, changes.map(attributeOf)))
  conditions.push(...changes.flatMap(({ allowed }) => (allowed === undefined ? [] : [allowed])))
  const actions: Action[] = [update(entity, key, 'item', conditions)]
  if (part.kind === 'edge')
    for (const side of part.edge.sides)
      if (side !== entity) {
        const conditions = askingConditions(side, undefined, changes.map(attributeOf))
        actions.push(update(side, sideKey(side, id), 'side', [{ is: 'present' }, ...conditions]))
      }
  return { actions, named: { ...id } }
}
