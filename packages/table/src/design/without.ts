import { FreeholdError } from '../errors.ts'
import { type Design, design, type Features } from './design.ts'
import type { Entity } from './form.ts'
import { namesWithout } from './names.ts'
import { narrowed, type Pattern } from './pattern.ts'
import type { Tenants } from './tenants.ts'

type Entities = Readonly<Record<string, Entity>>
type Patterns = Readonly<Record<string, Pattern>>
type NameOf<E> = E extends Entity<infer N> ? N : never
/** The `Type`s of the items that an access pattern returns. */
type TypesOf<P> = P extends Pattern<never, infer R> ? (R extends { Type: infer T } ? T : never) : never
type Kept<P, N> = { [K in keyof P as [Exclude<TypesOf<P[K]>, N>] extends [never] ? never : K]: P[K] }

function tenantsWithout(tenants: Tenants, gone: ReadonlySet<Entity>, patterns: ReadonlySet<string>): Tenants {
  const { of = {}, shared = [], guests = [], operators = [], crossing = [], readBy = {} } = tenants
  const names = new Set([...gone].map(({ name }) => name))
  const kept = <V>(named: Readonly<Record<string, V>>) => Object.fromEntries(Object.entries(named).filter(([name]) => !names.has(name)))
  const left = (entities: readonly Entity[]) => entities.filter((entity) => !gone.has(entity))
  return {
    ...tenants,
    of: kept(of),
    shared: left(shared),
    guests: left(guests),
    operators: left(operators),
    crossing: crossing.filter((name) => patterns.has(name)),
    readBy: kept(readBy),
  }
}

/**
 * The same design without some of its features, without their entities and without the access patterns that return only those. Their items
 * that are already in the table stay there. Throws `InvalidDesign` for a feature that the design does not have.
 */
export function without<E extends Entities, P extends Patterns, F extends Features, const K extends keyof F & string>(
  whole: Design<E, P, F>,
  ...features: readonly K[]
): Design<Omit<E, NameOf<F[K][number]>>, Kept<P, NameOf<F[K][number]>>, Omit<F, K>> {
  const unknown = features.find((feature) => !Object.hasOwn(whole.features, feature))
  if (unknown !== undefined) {
    const known = Object.keys(whole.features).join(', ') || 'none'
    throw new FreeholdError('InvalidDesign', `The design ${whole.name} has no feature '${unknown}'; it has: ${known}.`, {
      design: whole.name,
      feature: unknown,
    })
  }
  const gone = new Set<Entity>(features.flatMap((feature) => whole.features[feature] ?? []))
  const entities = Object.fromEntries(Object.entries(whole.entities).filter(([, entity]) => !gone.has(entity)))
  const patterns = Object.entries(whole.patterns).flatMap(([name, pattern]) => {
    const kept = pattern.shape.entities.filter((entity) => !gone.has(entity))
    return kept.length === 0 ? [] : [[name, narrowed(pattern, kept)] as const]
  })
  const left = Object.entries(whole.features).filter(([name]) => !features.some((feature) => feature === name))
  const { form: _, noIndexes, tenants, names, ...shape } = whole
  const rest = design({
    ...shape,
    ...(names === undefined ? {} : { names: namesWithout(names, Object.values(entities)) }),
    ...(noIndexes ? { noIndexes } : {}),
    entities,
    patterns: Object.fromEntries(patterns),
    features: Object.fromEntries(left),
    dropped: whole.dropped,
    ...(tenants === undefined ? {} : { tenants: tenantsWithout(tenants, gone, new Set(patterns.map(([name]) => name))) }),
  })
  // The result type filters by name, and the code above filters the same entities by value.
  return rest as never
}
