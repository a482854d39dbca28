import fc from 'fast-check'
import { add } from '../../src/atomic.ts'
import { keyPlaceholders } from '../../src/design/reference.ts'
import { type AnyDesign, creating, type Entity, moving, removing, type Step, updating } from '../../src/index.ts'
import { type Choice, tenants } from './design.ts'

export interface Operation {
  readonly verb: 'create' | 'update' | 'count' | 'move' | 'remove' | 'wait'
  readonly entity: string
  readonly values: Readonly<Record<string, unknown>>
  readonly inUse: 'cascade' | undefined
  /** The tenant that does it; operators do without. */
  readonly tenant?: string | undefined
  /** A single atomic change goes as one update without a read, or as a transaction. */
  readonly isExact?: boolean | undefined
  /** The second step of one transaction. */
  readonly also?: Operation | undefined
  /** What others do at the same time. */
  readonly others?: readonly Operation[] | undefined
  /** The answer of the write after so many others is lost. */
  readonly loses?: number | undefined
  /** The process ends after so many writes. */
  readonly dies?: number | undefined
}

const of = (...values: readonly unknown[]) => fc.constantFrom(...values)
const rarely = <T>(arbitrary: fc.Arbitrary<T>, times: number) =>
  fc.oneof({ weight: times, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary })
const single: fc.Arbitrary<Operation> = fc.record({
  verb: fc.oneof(
    { weight: 8, arbitrary: fc.constant('create' as const) },
    { weight: 5, arbitrary: fc.constant('update' as const) },
    { weight: 2, arbitrary: fc.constant('count' as const) },
    { weight: 1, arbitrary: fc.constant('move' as const) },
    { weight: 4, arbitrary: fc.constant('remove' as const) },
    { weight: 1, arbitrary: fc.constant('wait' as const) },
  ),
  entity: fc.oneof({ weight: 6, arbitrary: fc.constantFrom('N0', 'N1', 'N2') }, { weight: 4, arbitrary: fc.constantFrom('XA', 'XB', 'T') }),
  values: fc.record({
    id: of('a', 'a', 'a', 'b'),
    part: of(undefined, undefined, undefined, 'NONE', 'P'),
    t: of(...tenants, undefined),
    v: of('1', '2', '3'),
    w: of(undefined, undefined, undefined, null, 'W1', 'W2'),
    slug: of(undefined, null, 'S1', 'S1', 'S1', 'S2'),
    until: of(undefined, undefined, null, 20, 60),
    r: of(undefined, null, 'key', 'key', 'key'),
    rx: of(0, 0, 0, 1),
    rp: of(undefined, 'NONE', 'P'),
    a: of('a', 'a', 'a', 'b'),
    b: of('a', 'a', 'a', 'b'),
    note: of(undefined, null, 'n', 'm'),
    isNamed: of(true, false),
  }),
  inUse: rarely(fc.constant('cascade' as const), 2),
  tenant: fc.constantFrom(...tenants, undefined),
})

export const operations: fc.Arbitrary<Operation> = fc
  .record({
    one: single,
    also: rarely(single, 5),
    others: rarely(fc.array(single, { minLength: 1, maxLength: 3 }), 5),
    loses: rarely(fc.integer({ min: 0, max: 3 }), 8),
    dies: rarely(fc.integer({ min: 0, max: 5 }), 5),
    isExact: fc.boolean(),
  })
  .map(({ one, ...more }) => ({ ...one, ...more }))

const nothing = { t: 'T1', part: undefined, v: '1', w: undefined, until: undefined, rp: undefined, note: undefined, isNamed: true }
/** The initial items of a table, so that most operations find an item. */
export const beginning: readonly Operation[] = ['N0', 'N1', 'N2', 'XA', 'T'].map((entity) => ({
  verb: 'create',
  entity,
  values: { ...nothing, id: 'a', slug: 'S1', r: 'key', rx: 0, a: 'a', b: 'a' },
  inUse: undefined,
}))

const defined = (values: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
const pick = (values: Readonly<Record<string, unknown>>, names: readonly string[]) =>
  defined(Object.fromEntries(names.map((name) => [name, values[name]])))

/** The attributes of a new item or of a change, as the design has them. */
function given(
  entity: Entity,
  { verb, values, tenant }: Operation,
  now: Date,
  byOf: (name: string) => 'key' | 'slug',
): Readonly<Record<string, unknown>> {
  const { until, r, rx, isNamed: _, t, ...rest } = values
  const at = typeof until === 'number' ? new Date(now.getTime() + until * 1000).toISOString() : until
  const pool = byOf(entity.name) === 'slug' ? ['S1', 'S2'] : ['a', 'b']
  const isNeeded = verb === 'create' && entity.attributes.r?.presence === 'given'
  // A tenant mostly writes its own items.
  const owner = tenant !== undefined && rx === 0 ? tenant : (t ?? (entity.attributes.t?.presence === 'given' ? 'T1' : undefined))
  // The value tells whose it is, so that it is seen where another tenant learns it; an operator changes it only in designs without tenants.
  const ofNew = entity.attributes.t?.presence === 'given' || entity.attributes.t?.presence === 'optional' ? (owner ?? '') : ''
  const whose = entity.attributes.t === undefined ? '' : (tenant ?? (verb === 'create' ? ofNew : undefined))
  const v = values.v === undefined || whose === undefined ? undefined : `${whose}${values.v}`
  const all = { ...rest, v, t: owner, until: at, r: r === 'key' || isNeeded ? pool[Number(rx)] : r }
  return pick(
    all,
    Object.entries(entity.attributes).flatMap(([name, { presence }]) => (presence === 'copied' ? [] : [name])),
  )
}

function oneStep({ nodes }: Choice, design: AnyDesign, operation: Operation, now: Date): Step[] {
  const { verb, values, inUse } = operation
  const entity = design.entities[operation.entity]
  if (verb === 'wait' || entity === undefined) return []
  const all = given(entity, operation, now, (name) => nodes[Number(name.slice(1))]?.ref?.by ?? 'key')
  const isNode = /^N\d$/.test(entity.name)
  const isMade = isNode && nodes[Number(entity.name.slice(1))]?.key === 'made'
  const id = pick(all, keyPlaceholders(entity))
  if (verb === 'remove') return [removing(entity, id as never, inUse === undefined ? {} : { inUse })]
  if (verb === 'count') return isNode ? [updating(entity, id as never, { n: add(1) } as never)] : []
  if (verb === 'update') {
    const change = Object.fromEntries(
      Object.entries(all).filter(([name, value]) => !(name in id) && (isChangeable(entity, name) || value === undefined)),
    )
    return [updating(entity, id as never, change as never)]
  }
  // Who gives an id that the runtime would make gives the same item again.
  const again = isMade && entity.form.fixed.includes('v') ? { v: '1' } : {}
  if (verb === 'move')
    return isNode && 'part' in entity.attributes ? [moving(entity, id as never, { part: values.note === 'n' ? 'P' : null } as never)] : []
  const item = Object.fromEntries(
    Object.entries(all).filter(([name, value]) => value !== null && !(isMade && name === 'id' && values.isNamed === false)),
  )
  return [creating(entity, { ...item, ...again } as never)]
}

const isChangeable = (entity: Entity, name: string) =>
  !entity.form.fixed.includes(name) && !(['a', 'b'].includes(name) && entity.name !== 'T')

/** The steps of an operation; none if the design has no such entity. */
export function stepsOf(choice: Choice, design: AnyDesign, operation: Operation, now: Date): Step[] {
  const { tenant, also } = operation
  return [operation, ...(also === undefined ? [] : [{ ...also, tenant }])].flatMap((each) => oneStep(choice, design, each, now))
}
