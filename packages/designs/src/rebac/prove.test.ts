import { type AnyDesign, type Attributes, design, type Entity, entity, query, text } from '@freehold/table'
import { type FindingCode, prove } from '@freehold/table/prove'
import { describe, expect, test } from 'vitest'
import { rebac } from './design.ts'

type Pattern = AnyDesign['patterns'][string]
type Edge = Extract<Entity['form']['part'], { kind: 'edge' }>['edge']

interface Mutation {
  /** Changes of entities, by name; what else points to them is put together again. */
  readonly entities?: Readonly<Record<string, (entity: Entity) => Entity>>
  /** Names of entities that go, from their edges too, with the patterns that return them. */
  readonly without?: readonly string[]
  /** Patterns in place of others of the same name; undefined takes one away. */
  readonly patterns?: (entityOf: (name: string) => Entity) => Readonly<Record<string, Pattern | undefined>>
}

/** The real design, rebuilt from its parts with something changed. */
function mutated(base: AnyDesign, { entities: changes = {}, without = [], patterns: replaced = () => ({}) }: Mutation): AnyDesign {
  const renewed = new Map<Entity, Entity>()
  const edges = new Map<Edge, Edge>()

  function renew(old: Entity): Entity {
    const known = renewed.get(old)
    if (known !== undefined) return known
    const references = old.form.references.map((reference) => ({ ...reference, to: renew(reference.to) }))
    const copy: Entity = { ...old, form: { ...old.form, references, part: renewPart(old.form.part) } }
    const changed = changes[old.name]?.(copy) ?? copy
    renewed.set(old, changed)
    return changed
  }

  function renewPart(part: Entity['form']['part']): Entity['form']['part'] {
    if (part.kind === 'edge') return { ...part, edge: renewEdge(part.edge) }
    return part.kind === 'entity' ? part : { ...part, owner: renew(part.owner) }
  }

  function renewEdge(old: Edge): Edge {
    const ends = old.ends.map((end) => ({ ...end, to: renew(end.to) }))
    // Its sides point to it and are filled in below.
    const edge = edges.get(old) ?? { ...old, ends, sides: [], within: old.within === undefined ? undefined : renew(old.within) }
    edges.set(old, edge)
    return edge
  }

  const isLeft = ({ name }: Entity) => !without.includes(name)
  const entities = Object.values(base.entities).filter(isLeft).map(renew)
  for (const [old, edge] of edges) (edge.sides as Entity[]).push(...old.sides.filter(isLeft).map(renew))

  // Frozen as the language leaves them: it follows what is not, and an edge and its sides are a circle.
  for (const edge of edges.values()) Object.freeze(Object.freeze(edge).sides)
  for (const each of entities) Object.freeze(Object.freeze(each).form)

  const kept = Object.entries(base.patterns).flatMap(([name, pattern]): [string, Pattern][] => {
    const { shape } = pattern
    if (!shape.entities.every(isLeft)) return []
    // The shape keeps its operation, and so its number of entities.
    return [[name, { ...pattern, shape: { ...shape, entities: shape.entities.map(renew) } as Pattern['shape'] }]]
  })
  const byName = Object.fromEntries(entities.map((each) => [each.name, each]))
  const find = (name: string) => {
    const found = byName[name]
    if (found === undefined) throw new Error(`no entity ${name}`)
    return found
  }
  const patterns = Object.entries({ ...Object.fromEntries(kept), ...replaced(find) })
  return design({
    name: base.name,
    table: base.table,
    entities: byName,
    patterns: Object.fromEntries(patterns.flatMap(([name, pattern]) => (pattern === undefined ? [] : [[name, pattern]]))),
  })
}

/** Another key, compiled as the language does. */
const keyed =
  (partition: string, sort: string) =>
  (old: Entity): Entity => {
    // The language checks these templates when it is called, not the compiler.
    const key = [partition as 'X', sort as 'X'] as const
    const attributes = Object.fromEntries(Object.keys(old.attributes).map((name) => [name, text()]))
    const probe = entity('Probe', { attributes, key })
    return { ...old, key, form: { ...old.form, key: probe.form.key } }
  }

const withAttributes =
  (change: (attributes: Attributes) => Attributes) =>
  (old: Entity): Entity => ({ ...old, attributes: change(old.attributes) })

const without = (name: string) =>
  withAttributes((attributes) => Object.fromEntries(Object.entries(attributes).filter(([own]) => own !== name)))

const mutations: readonly (readonly [mistake: string, code: FindingCode, subject: string, make: () => AnyDesign])[] = [
  [
    'a user under the key of a location',
    'KeyCollision',
    'User',
    () => mutated(rebac, { entities: { User: keyed('LOCATION#{userId}', 'META') } }),
  ],
  [
    'a location code under the key of a location',
    'KeyCollision',
    'Location',
    () => mutated(rebac, { entities: { LocationCodeLookup: keyed('LOCATION#{locationCode}', 'META') } }),
  ],
  [
    'a sign-in keyed by what an e-mail address may be',
    'KeyCollision',
    'EmailIdentity',
    () => mutated(rebac, { entities: { SignInIdentity: keyed('EMAIL#{subject}', 'META') } }),
  ],
  [
    'a code that is also the place of those without',
    'AmbiguousAlternative',
    'LocationCodeLookup',
    () =>
      mutated(rebac, {
        entities: {
          Location: withAttributes((attributes) => ({ ...attributes, locationCode: text().optional() })),
          LocationCodeLookup: (old) =>
            keyed(
              'LOCATION_CODE#{locationCode}|LOCATION_CODE#NONE',
              'META',
            )({
              ...old,
              attributes: { ...old.attributes, locationCode: text().optional() },
            }),
        },
      }),
  ],
  ['the groups of a location without their mirror', 'NotEnumerable', 'Location', () => mutated(rebac, { without: ['LocationGroup'] })],
  ['the roles of a group without their way back', 'NotEnumerable', 'Role', () => mutated(rebac, { without: ['RoleGroupEdge'] })],
  ['an e-mail address without its way back', 'NotEnumerable', 'User', () => mutated(rebac, { without: ['UserEmailEdge'] })],
  [
    'groups of a user that do not say their location',
    'NotEnumerable',
    'UserLocationEdge',
    () => mutated(rebac, { entities: { UserGroupEdge: without('locationId') }, patterns: () => ({ groupsOfUserAtLocation: undefined }) }),
  ],
  [
    'e-mail addresses among the groups of a user',
    'AdditionInRange',
    'groupsOfUser',
    () =>
      mutated(rebac, {
        entities: { UserEmailEdge: keyed('USER#{userId}', 'GROUP#EMAIL#{email}') },
        patterns: () => ({ emailsOfUser: undefined }),
      }),
  ],
  [
    'a listing of users among the members of a group',
    'AdditionInRange',
    'usersOfGroup',
    () => mutated(rebac, { entities: { UserEntry: keyed('GROUP#{userId}', 'USER#ENTRY') }, patterns: () => ({ users: undefined }) }),
  ],
  [
    'the roles of a group read with all of its partition',
    'ForeignInRange',
    'rolesOfGroup',
    () => mutated(rebac, { patterns: (entityOf) => ({ rolesOfGroup: query('GROUP#{groupId}').returns(entityOf('GroupRole') as never) }) }),
  ],
  [
    'a listing of users and locations in one place',
    'ForeignInRange',
    'users',
    () =>
      mutated(rebac, {
        entities: { LocationEntry: keyed('DIRECTORY#USER', 'LOCATION#{locationId}') },
        patterns: () => ({ locations: undefined }),
      }),
  ],
  [
    "a group's name in the key of its members",
    'CopyInKey',
    'UserGroupEdge',
    () => mutated(rebac, { entities: { UserGroupEdge: keyed('USER#{userId}', 'GROUP#{groupId}#{groupName}') } }),
  ],
  [
    'an entry that does not say whose it is',
    'LeadsNowhere',
    'UserEntry',
    () => mutated(rebac, { entities: { UserEntry: (old) => without('userId')(keyed('DIRECTORY#USER', 'NAME#{displayName}')(old)) } }),
  ],
  [
    'an index',
    'IndexForbidden',
    'GSI1',
    () => {
      const indexed = mutated(rebac, {
        entities: { User: (old) => ({ ...old, form: { ...old.form, indexes: { GSI1: old.form.key } } }) },
      })
      return { ...indexed, noIndexes: true }
    },
  ],
  [
    'members of a parameter that nobody gives',
    'PartitionUnbound',
    'usersOfGroup',
    () => {
      const { form } = rebac
      const pattern = form.patterns.get('usersOfGroup')
      const patterns = pattern === undefined ? form.patterns : new Map([...form.patterns, ['usersOfGroup', { ...pattern, parameters: [] }]])
      return { ...rebac, form: { ...form, patterns } }
    },
  ],
]

describe('the design', () => {
  test('is proven, without a finding', () => {
    expect(prove(rebac)).toMatchObject({ design: 'rebac', isProven: true, findings: [] })
  })

  test('stays proven when it is rebuilt unchanged', () => {
    expect(prove(mutated(rebac, {})).findings).toEqual([])
  })

  test('answers every access pattern with one request', () => {
    const { patterns } = prove(rebac)
    expect(patterns.find(({ name }) => name === 'groupsOfUserAtLocation')).toMatchObject({
      request: 'Query table PK = USER#{userId} AND SK BEGINS WITH GROUP#, keeping locationId = {locationId}',
      returns: ['UserGroupEdge'],
    })
    expect(patterns.map(({ name }) => name)).toEqual(Object.keys(rebac.patterns))
  })

  test('has hot partitions in its listings, and where changes of no location are kept', () => {
    const hot = prove(rebac).partitions.filter(({ heat }) => heat === 'hot')
    const listings = ['USER', 'LOCATION', 'GROUP', 'ROLE', 'PAGE'].map((kind) => `DIRECTORY#${kind}`)
    expect(hot.map(({ partition }) => partition)).toEqual([...listings, 'CHANGES#SYSTEM'])
  })
})

describe('the design with one mistake', () => {
  test.each(mutations)('%s is %s, and nothing else', (_, code, subject, make) => {
    const { isProven, findings } = prove(make())
    const errors = findings.filter(({ severity }) => severity === 'error')
    expect(isProven).toBe(false)
    expect([...new Set(errors.map((each) => each.code))]).toEqual([code])
    expect(errors.map((each) => each.subject)).toContain(subject)
  })
})
