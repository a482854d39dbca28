import type { DifferenceCode } from '../../src/evolve/difference.ts'
import { type Attribute, code, type Entity, instant, mirror, opaqueId, query, queryOn, type unique } from '../../src/index.ts'
import { anyDerived, anyEdge, anyEntity, type Choice, type NodeChoice, type Twist } from './design.ts'

// A change of one thing in a random design, for what is said of two versions, and for programs of both that run at once.

export type Shape = Record<string, unknown>

/** A change of one thing, made to any of the three entities of a random design. */
export interface Change {
  readonly code: DifferenceCode
  /** The part of which the difference is told. */
  readonly at: string
  readonly before: Twist
  readonly after: Twist
  /** Of a breaking change: the two deployments that the difference names. */
  readonly deployments?: readonly [first: Twist, second: Twist]
  /** No program of the first deployment runs with the second. `moved`: its table is another one. */
  readonly apart?: 'same table' | 'moved'
  /** Random designs in which the change is possible. */
  readonly within?: (choice: Choice) => Choice
  /** Features that a deployment leaves out. */
  readonly without?: readonly (readonly string[])[]
  /** What is there besides, and is written, too. */
  readonly besides?: string
  /** Every item is of this tenant. */
  readonly isOneTenant?: true
  /** Values of the changing attributes that programs give together. */
  readonly given?: readonly Shape[]
  /** What holds for each item that has both attributes, as the second version sees it. */
  readonly holds?: (item: Shape) => boolean
}

export type Case = readonly [what: string, make: (name: string) => Change]

export const shapeOf = (name: string, twist: (shape: Shape) => Shape): Twist => ({
  entity: (each, shape) => (each === name ? twist(shape) : shape),
})
export const withAttributes = (name: string, more: Readonly<Record<string, Attribute>>): Twist =>
  shapeOf(name, (shape) => ({ ...shape, attributes: { ...Object(shape.attributes), ...more } }))
export const ofDesign = (twist: (shape: Shape) => Shape): Twist => ({ design: twist })
export const both = (...twists: readonly Twist[]): Twist => ({
  carried: Object.assign({}, ...twists.map(({ carried }) => carried)),
  entity: (name, shape) => twists.reduce((made, { entity }) => entity?.(name, made) ?? made, shape),
  more: (entities) => {
    const made: Record<string, Entity> = {}
    for (const { more } of twists) Object.assign(made, more?.({ ...entities, ...made }))
    return made
  },
  design: (shape) => twists.reduce((made, { design }) => design?.(made) ?? made, shape),
})

export const dropped = (name: string, ...key: readonly string[]) => ofDesign((shape) => ({ ...shape, dropped: { [name]: key } }))

/** Keys of one part, to which one attribute refers. No tenants, whose items the others would have to name. */
export const whole = (choice: Choice): Choice => {
  const [first, second, third] = choice.nodes
  const given = (node: NodeChoice): NodeChoice => ({ ...node, key: node.key === 'parted' ? 'given' : node.key })
  return { ...choice, hasTenants: false, nodes: [given(first), given(second), given(third)] }
}

/** In a design with tenants each entity names its own. */
const owned = (entities: Readonly<Record<string, Entity>>) =>
  Object.values(entities).some(({ attributes }) => attributes.t !== undefined) ? { t: code() } : {}
const tenantIn = (entity: Entity) => (entity.attributes.t === undefined ? [] : ['t'])

/** A guard or lookup item of one of the three, under a key of its own. */
export const derivedAt = (of: typeof unique | typeof mirror, name: string, own: string, key: string, carries: readonly string[] = []) => ({
  more: (entities: Readonly<Record<string, Entity>>) => {
    const owner = entities[name]
    return owner === undefined ? {} : { [own]: anyDerived(of)(own, owner, [key, 'META'], [...carries, ...tenantIn(owner)]) }
  },
})
export const derived = (of: typeof unique | typeof mirror, name: string, carries: readonly string[] = []): Twist =>
  derivedAt(of, name, `${name}More`, 'MORE#{slug}#{w}', carries)

/** A fourth entity. */
export const another = (shape: (entities: Readonly<Record<string, Entity>>) => Shape = () => ({})): Twist => ({
  more: (entities) => {
    const { attributes, ...rest } = shape(entities)
    const all = { id: opaqueId(), ...owned(entities), ...Object(attributes) }
    return { Another: anyEntity('Another', { attributes: all, key: ['ANOTHER#{id}', 'META'], ...rest }) }
  },
})
/** A fourth entity that refers to one of the three, and is found from there. */
export const referring = (name: string, refers: Shape | undefined, attributes: Readonly<Record<string, Attribute>> = {}): Twist =>
  both(
    another((entities) => ({
      attributes: { r: opaqueId().optional(), ...attributes },
      ...(refers === undefined ? {} : { refers: { r: { to: entities[name], by: { id: 'r' }, ...refers } } }),
    })),
    {
      more: ({ Another }) =>
        Another === undefined
          ? {}
          : { AnotherRef: anyDerived(mirror)('AnotherRef', Another, ['ANOTHERREF#{r}', 'ANOTHER#{id}'], tenantIn(Another)) },
    },
  )
interface SecondEdge {
  /** Its items. All but the first are additions. */
  readonly names?: readonly string[]
  readonly key?: string
  readonly refuses?: boolean
  readonly within?: string
}
/** A second edge. */
export const secondEdge = (ends: readonly [string, string], { names = ['YA'], key, refuses, within }: SecondEdge = {}): Twist => ({
  more: (entities) => {
    const [a, b] = ends.map((each) => entities[each])
    const keys: Readonly<Record<string, readonly string[]>> = {
      YA: [`${key ?? 'YA'}#{a}`, 'B#{b}'],
      YB: ['YB#{b}', 'A#{a}'],
      YO: ['YOTHER#{a}', 'B#{b}'],
      ZA: ['ZA#{a}', 'B#{b}'],
    }
    return anyEdge({
      ends: { a: refuses ? { to: a, onRemove: 'refuse' } : a, b },
      attributes: owned(entities),
      items: Object.fromEntries(names.map((each) => [each, keys[each]])),
      additions: Object.fromEntries(names.slice(1).map((each) => [each, 'It is found by this key, too.'])),
      ...(within === undefined ? {} : { within: entities[within] }),
    })
  },
})

/** No access pattern reads it: one that is gone breaks who calls it. */
export const unread = (...names: readonly string[]) =>
  ofDesign((shape) => ({
    ...shape,
    patterns: Object.fromEntries(Object.entries(Object(shape.patterns)).filter(([each]) => !names.some((name) => each === `get${name}`))),
  }))
export const more = (name: string, shape: Shape) => shapeOf(name, (own) => ({ ...own, ...shape }))
export const indexed = (name: string, literal: string, index = 'GSI9') =>
  shapeOf(name, (shape) => ({ ...shape, indexes: { ...Object(shape.indexes), [index]: [`${literal}#{w}`, `${name}#{id}`] } }))

const patterned = (name: string, make: (entities: Readonly<Record<string, Entity>>) => unknown): Twist =>
  ofDesign((shape) => ({ ...shape, patterns: { ...Object(shape.patterns), [name]: make(Object(shape.entities)) } }))
// Its types are known only as it runs.
const returning = (entity: Entity | undefined) => entity as never
export const listing = (descending: boolean, name = 'list'): Twist =>
  patterned(name, ({ N0 }) => {
    const of = query('N0#{id}')
    return descending ? of.descending().returns(returning(N0)) : of.returns(returning(N0))
  })
export const listingOn = (index: string, entity: string): Twist =>
  patterned('listOn', (entities) => queryOn(index as 'GSI1', 'A#{w}').returns(returning(entities[entity])))

export const x = (name: string) => withAttributes(name, { x: opaqueId().optional() })
export const e = (name: string) => withAttributes(name, { e: instant().optional() })

/** The form of a number, which upcasts make of the former ones. */
export const upcast = (name: string, more: Readonly<Record<string, Attribute>>, ...steps: readonly ((item: Shape) => Shape)[]): Twist =>
  both(
    withAttributes(name, more),
    shapeOf(name, (shape) => ({ ...shape, schema: steps.length, upcast: { ...steps } })),
  )

export const named = (names: Shape) => ofDesign((shape) => ({ ...shape, names }))
export const called = (before: Shape, after: Shape) => ({ before: named(before), after: named(after) })
