import fc from 'fast-check'
import { isFreeholdError } from '../../src/errors.ts'
import {
  type AnyDesign,
  type Attribute,
  code,
  design,
  type Entity,
  edge,
  entity,
  get,
  instant,
  mirror,
  number,
  opaqueId,
  text,
  unique,
  unless,
} from '../../src/index.ts'

/** A reference from one node to another, or to itself. */
export interface RefChoice {
  readonly to: number
  /** By the key of the target, or by that of its lookup item. */
  readonly by: 'key' | 'slug'
  readonly onRemove: 'cascade' | 'refuse' | 'keep'
  readonly isOptional: boolean
}
export interface NodeChoice {
  readonly key: 'given' | 'made' | 'parted'
  readonly expires: boolean
  readonly fixed: readonly ('v' | 'cv')[]
  readonly ref: RefChoice | undefined
  /** In a design with tenants: the item names its own, or may be every tenant's, or has that of its target. */
  readonly tenancy: 'own' | 'shared' | 'copied'
}
/** What a design of this kind has: three entities, perhaps an edge between two of them, and an entity that refers to that. */
export interface Choice {
  readonly nodes: readonly [NodeChoice, NodeChoice, NodeChoice]
  readonly hasTenants: boolean
  readonly edge: { readonly a: number; readonly b: number } | undefined
  readonly tie: { readonly onRemove: 'cascade' | 'refuse' | 'keep'; readonly isOtherSide: boolean } | undefined
}

const onRemove = fc.constantFrom('cascade' as const, 'keep' as const, 'refuse' as const)
const nodeAt = (index: number): fc.Arbitrary<NodeChoice> => {
  const ref = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({
        to: fc.nat(Math.max(0, index - 1)),
        by: fc.constantFrom('key' as const, 'slug' as const),
        onRemove,
        isOptional: fc.boolean(),
      }),
    },
    { weight: 1, arbitrary: fc.record({ to: fc.constant(index), by: fc.constant('key' as const), onRemove, isOptional: fc.boolean() }) },
    { weight: index === 0 ? 8 : 1, arbitrary: fc.constant(undefined) },
  )
  return fc.record({
    key: fc.constantFrom('given' as const, 'given' as const, 'made' as const, 'parted' as const),
    expires: fc.constantFrom(false, false, true),
    fixed: fc.constantFrom([], [], ['v' as const]),
    tenancy: fc.constantFrom('own' as const, 'shared' as const, 'copied' as const),
    // Nothing comes before the first node, so it refers to itself.
    ref: ref.map((each) => (each === undefined || each.to < index ? each : { ...each, by: 'key' as const })),
  })
}

export const choices: fc.Arbitrary<Choice> = fc.record({
  nodes: fc.tuple(nodeAt(0), nodeAt(1), nodeAt(2)),
  hasTenants: fc.boolean(),
  edge: fc.option(fc.record({ a: fc.nat(2), b: fc.nat(2) }), { nil: undefined, freq: 2 }),
  tie: fc.option(fc.record({ onRemove, isOtherSide: fc.boolean() }), { nil: undefined, freq: 3 }),
})

export const tenants = ['T1', 'T2'] as const
const hasCopiedTenant = ({ tenancy, ref }: NodeChoice, index: number): boolean =>
  tenancy === 'copied' && ref !== undefined && ref.to !== index

export const hasCopyOfCopy = ({ nodes }: Choice, { ref }: NodeChoice): boolean => ref !== undefined && nodes[ref.to]?.ref !== undefined

/** The types of a design that is known only as it runs. */
export const anyEntity = entity as unknown as (name: string, shape: Record<string, unknown>) => Entity
export const anyDerived = (of: typeof unique | typeof mirror) =>
  of as unknown as (name: string, owner: Entity, key: readonly [string, string], carries?: readonly string[]) => Entity
export const anyEdge = edge as unknown as (shape: Record<string, unknown>) => Readonly<Record<string, Entity>>

/** What a version of a random design has besides, or instead: the shape of an entity, more entities, the shape of the design. */
export interface Twist {
  /** Attributes that each entity has besides, and that each guard, lookup item and edge repeats. */
  readonly carried?: Readonly<Record<string, Attribute>>
  entity?(name: string, shape: Record<string, unknown>): Record<string, unknown>
  more?(entities: Readonly<Record<string, Entity>>): Readonly<Record<string, Entity>>
  design?(shape: Record<string, unknown>): Record<string, unknown>
}

export class Any {
  readonly design: AnyDesign
  readonly #entities: Record<string, Entity> = {}
  readonly #twist: Twist

  constructor(choice: Choice, twist: Twist = {}) {
    this.#twist = twist
    for (const [index, node] of choice.nodes.entries()) this.#node(choice, node, index)
    if (choice.edge !== undefined) this.#edge(choice, choice.edge)
    Object.assign(this.#entities, twist.more?.(this.#entities))
    const patterns = Object.fromEntries(Object.values(this.#entities).map((each) => [`get${each.name}`, get(each)]))
    const ofAll = Object.values(this.#entities).filter(({ attributes }) => attributes.t?.presence !== 'given')
    const owned = choice.hasTenants ? { tenants: { by: 't', shared: ofAll } } : {}
    const shape = { name: 'any', table: 'any', entities: this.#entities, patterns, ...owned }
    // A twist gives a design again.
    this.design = design((twist.design?.(shape) ?? shape) as typeof shape)
  }

  /** Undefined if the language refuses it. */
  static of(choice: Choice, twist: Twist = {}): Any | undefined {
    try {
      return new Any(choice, twist)
    } catch (error) {
      if (isFreeholdError(error, 'InvalidDesign')) return undefined
      throw error
    }
  }

  #named(name: string): Entity {
    const found = this.#entities[name]
    if (found === undefined) throw new Error(`no ${name}`)
    return found
  }

  #node(choice: Choice, node: NodeChoice, index: number): void {
    const { key, expires, fixed, ref, tenancy } = node
    const name = `N${index}`
    const isSelf = ref?.to === index
    const target = ref === undefined || isSelf ? undefined : this.#named(ref.by === 'slug' ? `N${ref.to}Slug` : `N${ref.to}`)
    const isParted = ref !== undefined && ref.by === 'key' && (isSelf ? key : choice.nodes[ref.to]?.key) === 'parted'
    const r = ref?.by === 'slug' ? code() : opaqueId()
    const isDeep = ref !== undefined && !isSelf && hasCopyOfCopy(choice, node)
    const refers = {
      to: target ?? 'itself',
      onRemove: ref?.onRemove,
      by: { [ref?.by === 'slug' ? 'slug' : 'id']: 'r', ...(isParted ? { part: unless('rp', 'NONE') } : {}) },
    }
    const t = hasCopiedTenant(node, index) ? code().from('r', 't') : tenancy === 'own' ? code() : code().optional()
    const { carried = {} } = this.#twist
    const tenant = [...(choice.hasTenants ? ['t'] : []), ...Object.keys(carried)]
    const shape = {
      attributes: {
        ...(choice.hasTenants ? { t } : {}),
        ...carried,
        id: key === 'made' ? opaqueId().made() : opaqueId(),
        v: text(),
        n: number().optional(),
        w: code().optional(),
        slug: code().optional(),
        ...(key === 'parted' ? { part: code().optional() } : {}),
        ...(expires ? { until: instant().optional() } : {}),
        ...(ref === undefined ? {} : { r: ref.isOptional ? r.optional() : r, cv: text().from('r', 'v') }),
        ...(isParted ? { rp: code().made('NONE') } : {}),
        ...(isDeep ? { cc: text().from('r', 'cv') } : {}),
      },
      key: [`N${index}#{id}`, key === 'parted' ? 'P#{part}|META' : 'META'],
      ...(ref === undefined ? {} : { indexes: { GSI1: ['V#{cv}', `N${index}#{id}`] }, refers: { r: refers } }),
      fixed: [...fixed.filter((each) => each === 'v'), ...(choice.hasTenants && !hasCopiedTenant(node, index) ? ['t'] : [])],
      ...(expires ? { expires: 'until' } : {}),
    }
    const made = anyEntity(name, this.#twist.entity?.(name, shape) ?? shape)
    this.#entities[name] = made
    const copies = ref === undefined ? [] : ['cv']
    this.#entities[`${name}Slug`] = anyDerived(mirror)(`${name}Slug`, made, [`N${index}SLUG#{slug}`, 'META'], ['v', ...copies, ...tenant])
    this.#entities[`${name}W`] = anyDerived(unique)(`${name}W`, made, [`N${index}W#{w}`, 'META'], tenant)
    if (ref === undefined) return
    const sort = key === 'parted' ? 'S#{id}#{w}' : 'S#{id}'
    const partition = isParted ? `N${index}REF#{r}#{rp}` : `N${index}REF#{r}`
    this.#entities[`${name}Ref`] = anyDerived(mirror)(`${name}Ref`, made, [partition, sort], tenant)
  }

  #edge({ nodes, tie, hasTenants }: Choice, { a, b }: { readonly a: number; readonly b: number }): void {
    const copied = (end: string, index: number) => ({
      [`${end}v`]: `${end}.v`,
      ...(nodes[index]?.ref === undefined ? {} : { [`${end}cv`]: `${end}.cv` }),
    })
    const t = { ...(hasTenants ? { t: code() } : {}), ...this.#twist.carried }
    const sides = anyEdge({
      ends: { a: this.#named(`N${a}`), b: this.#named(`N${b}`) },
      attributes: { ...t, note: text().optional() },
      items: { XA: ['XA#{a}', 'B#{b}'], XB: ['XB#{b}', 'A#{a}'] },
      copies: { XA: copied('b', b), XB: copied('a', a) },
    })
    Object.assign(this.#entities, sides)
    if (tie === undefined) return
    const through = tie.isOtherSide ? { name: 'XB', copy: 'av' } : { name: 'XA', copy: 'bv' }
    const made = anyEntity('T', {
      attributes: { ...t, id: opaqueId(), a: opaqueId(), b: opaqueId(), v: text().from('a', through.copy), note: text().from('a') },
      key: ['T#{id}', 'META'],
      refers: { a: { to: this.#named(through.name), onRemove: tie.onRemove } },
      fixed: Object.keys(t),
    })
    this.#entities.T = made
    this.#entities.TRef = anyDerived(mirror)('TRef', made, ['TREF#{a}#{b}', 'T#{id}'], Object.keys(t))
  }
}
