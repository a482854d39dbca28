import type { Table } from '@freehold/table'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { deep } from '../../../../test/properties/depth.ts'
import { idOf } from '../../test/literal-items.ts'
import { ownTable } from '../../test/own-table.ts'
import { decideRebac, type RebacDecider } from './decide.ts'
import type { rebac } from './design.ts'

// Small organisations, changed at random through the repository, are asked all five questions; a model that knows nothing of
// DynamoDB answers the same ones.

const counts = { user: 3, location: 2, group: 3, role: 2, page: 3 } as const
type Kind = keyof typeof counts
type Permission = 'ALLOW' | 'DENY'

const users = Array.from({ length: counts.user }, (_, index) => index)
const locations = Array.from({ length: counts.location }, (_, index) => index)
const pages = Array.from({ length: counts.page }, (_, index) => index)

const nameOf = (kind: Kind, index: number): string => (kind === 'role' || kind === 'page' ? `${kind}${index}` : idOf(kind, index))

/** Live nodes and edges, each by its ends. */
class Model {
  readonly nodes = new Set<string>()
  readonly edges = new Map<string, { readonly ends: readonly string[]; readonly value?: Permission }>()
  /** A group's location. */
  readonly homes = new Map<number, number>()

  has(kind: Kind, index: number): boolean {
    return this.nodes.has(`${kind} ${index}`)
  }

  /** A node takes everything with it that has it as an end; a location takes its groups. */
  remove(kind: Kind, index: number): void {
    this.nodes.delete(`${kind} ${index}`)
    for (const [name, { ends }] of this.edges) if (ends.includes(`${kind} ${index}`)) this.edges.delete(name)
    if (kind === 'location')
      for (const [group, home] of this.homes) if (home === index && this.has('group', group)) this.remove('group', group)
  }

  /** The document's flow, naively. */
  allows(user: number, location: number, page: number): boolean {
    if (!this.has('user', user) || !this.has('location', location) || !this.has('page', page)) return false
    if (!this.edges.has(`belongs ${user} ${location}`)) return false
    for (let group = 0; group < counts.group; group++) {
      if (this.homes.get(group) !== location || !this.edges.has(`in ${user} ${group}`)) continue
      for (let role = 0; role < counts.role; role++) {
        if (this.edges.has(`has ${group} ${role}`) && this.edges.get(`may ${role} ${page}`)?.value === 'ALLOW') return true
      }
    }
    return false
  }
}

type Step =
  | { readonly do: 'create' | 'remove'; readonly kind: Kind; readonly index: number; readonly home: number }
  | { readonly do: 'join' | 'leave'; readonly user: number; readonly location: number }
  | { readonly do: 'enter' | 'exit'; readonly user: number; readonly group: number }
  | { readonly do: 'give' | 'take'; readonly group: number; readonly role: number }
  | { readonly do: 'permit'; readonly role: number; readonly page: number; readonly permission: Permission }
  | { readonly do: 'forbid'; readonly role: number; readonly page: number }

const of = (kind: Kind) => fc.nat({ max: counts[kind] - 1 })

const steps: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constantFrom('create', 'remove'),
    kind: fc.constantFrom<Kind>('user', 'location', 'group', 'role', 'page'),
    index: fc.nat({ max: 2 }),
    home: of('location'),
  }),
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('join', 'join', 'leave'), user: of('user'), location: of('location') }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('enter', 'enter', 'exit'), user: of('user'), group: of('group') }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('give', 'give', 'take'), group: of('group'), role: of('role') }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('permit'),
      role: of('role'),
      page: of('page'),
      permission: fc.constantFrom<Permission>('ALLOW', 'ALLOW', 'DENY'),
    }),
  },
  fc.record({ do: fc.constant('forbid'), role: of('role'), page: of('page') }),
)

type RebacTable = Table<typeof rebac>

async function createNode(table: RebacTable, kind: Kind, index: number, home: number): Promise<unknown> {
  const name = nameOf(kind, index)
  switch (kind) {
    case 'user':
      return table.User.create({ userId: name, displayName: name })
    case 'location':
      return table.Location.create({ locationId: name, locationCode: `L${index}`, name })
    case 'group':
      return table.UserGroup.create({ groupId: name, locationId: nameOf('location', home), name })
    case 'role':
      return table.Role.create({ roleName: name })
    case 'page':
      return table.Page.create({ pageName: name })
  }
}

function removeNode(table: RebacTable, kind: Kind, index: number): Promise<unknown> {
  const name = nameOf(kind, index)
  switch (kind) {
    case 'user':
      return table.User.remove({ userId: name })
    case 'location':
      return table.Location.remove({ locationId: name })
    case 'group':
      return table.UserGroup.remove({ groupId: name })
    case 'role':
      return table.Role.remove({ roleName: name })
    case 'page':
      return table.Page.remove({ pageName: name })
  }
}

/** Does a step to both, or to neither where the model says that it cannot be done. Answers whether it was. */
async function run(table: RebacTable, model: Model, step: Step): Promise<boolean> {
  switch (step.do) {
    case 'create': {
      const { kind, index, home } = step
      if (index >= counts[kind] || model.has(kind, index) || (kind === 'group' && !model.has('location', home))) return false
      model.nodes.add(`${kind} ${index}`)
      if (kind === 'group') model.homes.set(index, home)
      await createNode(table, kind, index, home)
      return true
    }
    case 'remove': {
      if (!model.has(step.kind, step.index)) return false
      model.remove(step.kind, step.index)
      await removeNode(table, step.kind, step.index)
      return true
    }
    case 'join':
    case 'leave': {
      const { user, location } = step
      const name = `belongs ${user} ${location}`
      const ids = { userId: nameOf('user', user), locationId: nameOf('location', location) }
      if (step.do === 'join') {
        if (!model.has('user', user) || !model.has('location', location) || model.edges.has(name)) return false
        model.edges.set(name, { ends: [`user ${user}`, `location ${location}`] })
        await table.UserLocationEdge.create(ids)
      } else {
        if (!model.edges.delete(name)) return false
        // Leaving a location leaves its groups.
        for (const [group, home] of model.homes) if (home === location) model.edges.delete(`in ${user} ${group}`)
        await table.UserLocationEdge.remove(ids)
      }
      return true
    }
    case 'enter':
    case 'exit': {
      const { user, group } = step
      const name = `in ${user} ${group}`
      const ids = { userId: nameOf('user', user), groupId: nameOf('group', group) }
      if (step.do === 'enter') {
        const belongs = model.edges.has(`belongs ${user} ${model.homes.get(group)}`)
        if (!model.has('user', user) || !model.has('group', group) || !belongs || model.edges.has(name)) return false
        model.edges.set(name, { ends: [`user ${user}`, `group ${group}`] })
        await table.UserGroupEdge.create(ids)
      } else {
        if (!model.edges.delete(name)) return false
        await table.UserGroupEdge.remove(ids)
      }
      return true
    }
    case 'give':
    case 'take': {
      const { group, role } = step
      const name = `has ${group} ${role}`
      const ids = { groupId: nameOf('group', group), roleName: nameOf('role', role) }
      if (step.do === 'give') {
        if (!model.has('group', group) || !model.has('role', role) || model.edges.has(name)) return false
        model.edges.set(name, { ends: [`group ${group}`, `role ${role}`] })
        await table.GroupRole.create(ids)
      } else {
        if (!model.edges.delete(name)) return false
        await table.GroupRole.remove(ids)
      }
      return true
    }
    case 'permit':
    case 'forbid': {
      const { role, page } = step
      const name = `may ${role} ${page}`
      const ids = { roleName: nameOf('role', role), pageName: nameOf('page', page) }
      if (step.do === 'forbid') {
        if (!model.edges.delete(name)) return false
        await table.RolePagePermission.remove(ids)
        return true
      }
      if (!model.has('role', role) || !model.has('page', page)) return false
      const { permission } = step
      if (model.edges.has(name)) await table.RolePagePermission.update(ids, { permission })
      else await table.RolePagePermission.create({ ...ids, permission })
      model.edges.set(name, { ends: [`role ${role}`, `page ${page}`], value: permission })
      return true
    }
  }
}

async function collected<T>(page: (cursor: string | undefined) => Promise<{ items: readonly T[]; cursor?: string }>): Promise<T[]> {
  const all: T[] = []
  for (let cursor: string | undefined, first = true; first || cursor !== undefined; first = false) {
    const next = await page(cursor)
    all.push(...next.items)
    cursor = next.cursor
  }
  return all
}

type Answers = Readonly<Record<'can' | 'what' | 'who' | 'where', Record<string, unknown>>>

/** Every question there is, one item a page, against the model. */
async function compare(decider: RebacDecider, model: Model): Promise<void> {
  const how = { consistency: 'strong', limit: 1 } as const
  const given: Answers = { can: {}, what: {}, who: {}, where: {} }
  const expected: Answers = { can: {}, what: {}, who: {}, where: {} }
  for (const u of users) {
    const user = nameOf('user', u)
    for (const l of locations) {
      const location = nameOf('location', l)
      for (const p of pages) {
        const question = { user, location, page: nameOf('page', p) }
        const [can, why] = await Promise.all([
          decider.can(question, { consistency: 'strong' }),
          decider.why(question, { consistency: 'strong' }),
        ])
        const isAllowed = model.allows(u, l, p)
        given.can[`${u} ${l} ${p}`] = [can.allowed, why.allowed, why.chains.length > 0, why.missing.length > 0]
        expected.can[`${u} ${l} ${p}`] = [isAllowed, isAllowed, isAllowed, !isAllowed]
      }
      given.what[`${u} ${l}`] = (await collected((cursor) => decider.what({ user, location }, { ...how, cursor }))).map(({ page }) => page)
      expected.what[`${u} ${l}`] = pages.filter((p) => model.allows(u, l, p)).map((p) => nameOf('page', p))
    }
    for (const p of pages) {
      const page = nameOf('page', p)
      const found = await collected((cursor) => decider.where({ user, page }, { ...how, cursor }))
      given.where[`${u} ${p}`] = found.map(({ locationId }) => locationId)
      expected.where[`${u} ${p}`] = locations.filter((l) => model.allows(u, l, p)).map((l) => nameOf('location', l))
    }
  }
  for (const l of locations) {
    for (const p of pages) {
      const question = { location: nameOf('location', l), page: nameOf('page', p) }
      given.who[`${l} ${p}`] = (await collected((cursor) => decider.who(question, { ...how, cursor }))).map(({ userId }) => userId)
      expected.who[`${l} ${p}`] = users.filter((u) => model.allows(u, l, p)).map((u) => nameOf('user', u))
    }
  }
  expect(given).toEqual(expected)
}

/** The items that most organisations have, so that random steps begin near access. */
const beginning: readonly Step[] = [
  ...users.map((index): Step => ({ do: 'create', kind: 'user', index, home: 0 })),
  ...locations.map((index): Step => ({ do: 'create', kind: 'location', index, home: 0 })),
  ...[0, 1, 2].map((index): Step => ({ do: 'create', kind: 'group', index, home: index % 2 })),
  ...[0, 1].map((index): Step => ({ do: 'create', kind: 'role', index, home: 0 })),
  ...pages.map((index): Step => ({ do: 'create', kind: 'page', index, home: 0 })),
  ...users.flatMap((user) => locations.map((location): Step => ({ do: 'join', user, location }))),
  { do: 'permit', role: 0, page: 0, permission: 'ALLOW' },
  { do: 'permit', role: 0, page: 1, permission: 'DENY' },
  { do: 'permit', role: 1, page: 1, permission: 'ALLOW' },
  { do: 'give', group: 0, role: 0 },
  { do: 'give', group: 1, role: 1 },
  { do: 'give', group: 2, role: 0 },
  { do: 'enter', user: 0, group: 0 },
  { do: 'enter', user: 1, group: 0 },
  { do: 'enter', user: 1, group: 1 },
  { do: 'enter', user: 2, group: 2 },
]

test('all five questions answer as the model does, after any writes and removals', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 5, maxLength: 30 }), fc.nat({ max: 4 }), async (random, every) => {
      const table = await ownTable()
      const decider = decideRebac(table.runtime)
      const model = new Model()
      let done = 0
      for (const step of [...beginning, ...random]) {
        const isDone = await run(table, model, step)
        // Asked in between, too, so that what is remembered is out of date.
        if (isDone && ++done > beginning.length && done % (every + 5) === 0) await compare(decider, model)
      }
      await compare(decider, model)
      // A process that knows nothing yet answers alike.
      await compare(decideRebac(table.runtime), model)
    }),
    { numRuns: deep(3) },
  )
})
