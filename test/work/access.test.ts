import { proveModule } from '@freehold/frame'
import { accessOf, through } from '@freehold/frame/access'
import { readAccess } from '@freehold/frame/snapshot'
import { design, edge, email, entity, oneOf, queryOn, text, ulid, unique } from '@freehold/table'
import { prove } from '@freehold/table/prove'
import { restoreItems } from '@freehold/table/testing'
import { describe, expect, test } from 'vitest'
import { freehold } from '../../packages/cli/test/recorded-shell.ts'
import { deciderConforms } from '../../packages/designs/test/conformance/decider-conformance.ts'
import { ownTableOf } from '../../packages/designs/test/own-table.ts'
import { access, accessBy } from './access.ts'
import * as items from './design.ts'
import { idOf, stored } from './items.ts'

const [ada, bob, eve, nobody] = [1, 2, 3, 9].map((number) => idOf(1, number)) as [string, string, string, string]
const [north, south, nowhere] = [1, 2, 9].map((number) => idOf(4, number)) as [string, string, string]
const [department, team, group, role] = [idOf(2, 1), idOf(3, 1), idOf(5, 1), idOf(6, 1)]

const scene = [
  ...[ada, bob, eve].flatMap((id) => stored(items.User, { id, email: `${id}@x.org`, status: 'active' })),
  ...stored(items.Department, { id: department, status: 'active' }),
  ...stored(items.Team, { id: team, departmentId: department }),
  ...stored(items.Project, { id: north, teamId: team, status: 'active' }),
  ...stored(items.Project, { id: south, status: 'active' }),
  ...stored(items.Group, { id: group }),
  ...stored(items.Role, { id: role, allows: ['read', 'edit'] }),
  ...stored(items.Head, { userId: ada, departmentId: department }),
  ...stored(items.MemberOfTeam, { userId: bob, teamId: team, role: 'viewer' }),
  ...stored(items.GroupMember, { userId: bob, groupId: group, kind: 'full' }),
  ...stored(items.GroupMember, { userId: ada, groupId: group, kind: 'full' }),
  ...stored(items.ProjectGroup, { projectId: south, groupId: group, roleId: role }),
]
const subject = (field: string, told: string) => ({ ask: { [field]: told }, told })
const asked = { user: bob, project: south, action: 'edit' }

deciderConforms({
  name: 'work',
  open: async (options) => {
    const table = await ownTableOf(items.work, options)
    await restoreItems(table.runtime, scene)
    return table
  },
  decide: access.decider,
  users: [ada, bob, eve, nobody].map((id) => subject('user', id)),
  scopes: [north, south, nowhere].map((id) => subject('project', id)),
  permissions: ['read', 'edit', 'staff'].map((action) => subject('action', action)),
  told: { what: ({ action }) => String(action), who: ({ user }) => String(user), where: ({ project }) => String(project) },
  asked: {
    can: asked,
    why: asked,
    what: { user: bob, project: south },
    who: { project: north, action: 'read' },
    where: { user: bob, action: 'read' },
  },
  // Cold: the project and the user's groups, then the role and the group; of a list the groups first, what contains the projects, and their confirmation.
  roundTrips: { can: [2, 1, 2], why: [2, 1, 2], what: [2, 1, 2], who: [4, 2, 4], where: [4, 2, 4] },
  requestsOfCan: [4, 2],
})

describe('why', () => {
  test('tells the chain from the user to the role, or each item that does not count', async () => {
    const table = await ownTableOf(items.work)
    await restoreItems(table.runtime, scene)
    const decider = access.decider(table.runtime)
    const { chains } = await decider.why({ user: bob, project: south, action: 'edit' })
    expect(chains.map((chain) => chain.map(({ step, state, as }) => ({ step, state, ...(as && { as }) })))).toEqual([
      [
        { step: 'user', state: 'found', as: { status: 'active' } },
        { step: 'project', state: 'found', as: { teamId: null, status: 'active' } },
        { step: 'project group', state: 'found', as: { roleId: role } },
        { step: 'group', state: 'found' },
        { step: 'member group', state: 'found', as: { kind: 'full', until: null } },
        { step: 'role', state: 'found', as: { version: 1 } },
      ],
    ])
    const denied = await decider.why({ user: bob, project: north, action: 'staff' })
    expect(denied).toMatchObject({ reason: { kind: 'policy', code: 'NoGrant' } })
    expect(denied.missing.map(({ entity, state, message }) => [entity, state, message])).toEqual([
      ['Guest', 'missing', 'The guest does not exist.'],
      ['Head', 'missing', 'The head does not exist.'],
      ['MemberOfTeam', 'denies', 'The member of team does not allow this, with role viewer.'],
    ])
  })

  test('tells what is needed besides', async () => {
    const table = await ownTableOf(items.work)
    await restoreItems(table.runtime, scene)
    const seat = { user: bob, project: south, action: 'read' } as const
    const decider = accessOf(items.work, {
      subject: items.User,
      place: items.Project,
      action: oneOf('read', 'edit', 'staff'),
      needs: [through(items.Guest)],
      grants: through(items.ProjectGroup).byRole('roleId', items.Role, 'allows').through(items.GroupMember),
    }).decider(table.runtime)
    expect(await decider.can(seat)).toMatchObject({ allowed: false, reason: { kind: 'policy', code: 'NoGuest' } })
    expect((await decider.why(seat)).missing).toMatchObject([{ entity: 'Guest', state: 'missing', id: { userId: bob, projectId: south } }])
    await restoreItems(table.runtime, stored(items.Guest, { userId: bob, projectId: south }))
    const { chains } = await decider.why(seat)
    expect(chains[0]?.map(({ entity }) => entity)).toEqual(['User', 'Project', 'Guest', 'ProjectGroup', 'Group', 'MemberGroup', 'Role'])
    expect((await decider.who({ project: south, action: 'read' })).items).toEqual([{ user: bob, project: south }])
  })
})

describe('what is damaged', () => {
  test('grants nothing, and is told as a fault and not as policy', async () => {
    const table = await ownTableOf(items.work)
    const guest = stored(items.Guest, { userId: eve, projectId: north, since: 'some day' })
    await restoreItems(table.runtime, [...scene, ...guest])
    const decider = access.decider(table.runtime)
    const fault = { kind: 'fault', code: 'MalformedItem' }
    expect(await decider.can({ user: eve, project: north, action: 'read' })).toMatchObject({ allowed: false, reason: fault })
    const { missing } = await decider.why({ user: eve, project: north, action: 'read' })
    expect(missing).toContainEqual(expect.objectContaining({ entity: 'Guest', state: 'malformed' }))
    expect(await decider.where({ user: eve, action: 'read' })).toMatchObject({ items: [], reason: fault, malformed: [expect.anything()] })
    const { items: users, malformed = [] } = await decider.who({ project: north, action: 'read' })
    expect([users.map(({ user }) => user), malformed.length > 0]).toEqual([[ada, bob], true])
    expect(await decider.access({ user: eve })).toMatchObject({ grants: [], reason: fault })
  })

  test.each(['', '\u0000', 'x'.repeat(3_000), 'no id'])(
    'keeps nobody from a list: an item beside it that names the role %j',
    async (roleId) => {
      const table = await ownTableOf(items.work)
      const damaged = stored(items.ProjectGroup, { projectId: north, groupId: group, roleId: role }).map((item) => ({ ...item, roleId }))
      await restoreItems(table.runtime, [...scene, ...damaged])
      const { items: projects, malformed = [] } = await access.decider(table.runtime).where({ user: bob, action: 'edit' })
      expect([projects.map(({ project }) => project), malformed.length > 0]).toEqual([[south], true])
    },
  )
})

describe('a snapshot', () => {
  test('answers at one place or at all until the first grant ends, and proves nothing', async () => {
    const clock = { ms: Date.parse('2026-03-01T12:00:00.000Z') }
    const table = await ownTableOf(items.work, { now: () => new Date(clock.ms) })
    await restoreItems(table.runtime, [
      ...scene,
      ...stored(items.Guest, { userId: eve, projectId: south, until: '2026-03-01T12:00:01.000Z' }),
    ])
    const decider = access.decider(table.runtime)
    const all = await decider.access({ user: `${bob}@x.org` })
    expect(all.grants).toEqual([
      { place: north, actions: ['read'] },
      { place: south, actions: ['edit', 'read'] },
    ])
    expect([all.can('edit', south), all.can('edit', north), all.can('edit'), all.can('burn', south)]).toEqual([true, false, false, false])
    const one = await decider.access({ user: bob, project: south }, { evidence: true })
    expect(one).toMatchObject({ subject: bob, place: south })
    expect(one.grants[0]?.evidence?.edit?.map(({ entity }) => entity)).toEqual([
      'User',
      'Project',
      'ProjectGroup',
      'Group',
      'MemberGroup',
      'Role',
    ])
    const sent = readAccess(JSON.parse(JSON.stringify(one)), { now_ms: () => clock.ms })
    expect([sent.can('edit'), sent.can('staff'), sent.can('read', north)]).toEqual([true, false, false])
    expect(() => readAccess({ ...one.toJSON(), grants: [{ place: south }] })).toThrow('has no actions')
    const guest = await decider.access({ user: eve })
    expect(guest.expires_at).toBe('2026-03-01T12:00:01.000Z')
    expect(guest.can('read', south)).toBe(true)
    clock.ms += 1000
    expect(guest.can('read', south)).toBe(false)
    expect(await decider.access({ user: eve })).toMatchObject({ grants: [], reason: { kind: 'policy', code: 'NoGrant' } })
    expect(await decider.access({ user: nobody })).toMatchObject({ grants: [], reason: { kind: 'unknown', code: 'UnknownUser' } })
  })

  test('of more places than it holds is refused, however many there are', async () => {
    const table = await ownTableOf(items.work)
    const many = Array.from({ length: 2500 }, (_, index) => stored(items.Guest, { userId: eve, projectId: idOf(4, index + 10) }))
    await restoreItems(table.runtime, [...scene, ...many.flat()])
    await expect(access.decider(table.runtime).access({ user: eve })).rejects.toThrow('holds more than 1000 places: ask at one of them')
  })
})

describe('a subject that is called by a guard which its document lacks', () => {
  const Person = entity('Person', {
    attributes: { id: ulid(), address: email() },
    key: ['PERSON#{id}', 'META'],
    indexes: { GSI1: ['ADDRESS#{address}', 'PERSON#{id}'] },
  })
  const PersonAddress = unique('PersonAddress', Person, ['ADDRESS#{address}', 'META'], [], { why: 'the document has none' })
  const Desk = entity('Desk', { attributes: { id: ulid() }, key: ['DESK#{id}', 'META'] })
  const { Seat } = edge({ ends: { person: Person, desk: Desk }, attributes: {}, items: { Seat: ['PERSON#{person}', 'DESK#{desk}'] } })
  const desks = design({
    name: 'desks',
    table: 'desks',
    entities: { Person, PersonAddress, Desk, Seat },
    patterns: { personByAddress: queryOn('GSI1', 'ADDRESS#{address}').returns(Person) },
  })
  const seats = accessOf(desks, {
    subject: Person,
    place: Desk,
    action: oneOf('sit'),
    names: [PersonAddress],
    grants: through(Seat).allowing('sit'),
  })

  test('is found by the index of the document, and is nobody once it is called otherwise', async () => {
    const [lady, desk] = ['01ARZ3NDEKTSV4RRFFQ69G5FAV', '01BX5ZZKBKACTAV9WEVGEMMVRZ']
    const table = await ownTableOf(desks)
    const person = { PK: `PERSON#${lady}`, SK: 'META', address: 'ada@x.org', GSI1PK: 'ADDRESS#ada@x.org', GSI1SK: `PERSON#${lady}` }
    await restoreItems(table.runtime, [person, { PK: `DESK#${desk}`, SK: 'META' }, { PK: `PERSON#${lady}`, SK: `DESK#${desk}` }])
    const decider = seats.decider(table.runtime)
    const can = () => decider.can({ person: 'ADA@x.org', desk, action: 'sit' } as never)
    expect(await can()).toEqual({ allowed: true })
    await restoreItems(table.runtime, [{ ...person, address: 'lady@x.org' }])
    expect(await can()).toMatchObject({ allowed: false })
  })
})

describe('a declaration', () => {
  const { User, Project, Team, work, MemberOfTeam, Guest, GroupMember } = items
  const action = oneOf('read', 'edit')
  const declared =
    (grants: Parameters<typeof accessOf>[1]['grants'], more: object = {}) =>
    () =>
      accessOf(work, { subject: User, place: Project, action, grants: grants as never, ...more })

  test.each([
    [
      'goes through an attribute that refers to nothing',
      declared(through('status', Guest).allowing('read')),
      /'status', by which Project refers to no one node/,
    ],
    [
      'goes through items that do not lead on',
      declared(through(GroupMember).allowing('read')),
      /from Project through GroupMember, which ties it to no one node/,
    ],
    ['has a reference behind a tie', declared(through(Guest, 'teamId' as never, MemberOfTeam).allowing('read')), /references come first/],
    ['has three ties', declared(through(Guest, Guest, Guest).allowing('read')), /has 3 ties/],
    ['allows nothing', declared(through(Guest)), /says once which actions/],
    ['allows what is no action', declared(through(Guest).allowing('burn')), /'burn', which is no action: these are edit, read/],
    [
      'has a bound that is no time',
      declared(through(Guest).until('userId').allowing('read')),
      /'userId', which is neither a day nor an instant/,
    ],
    ['has names of something else', declared(through(Guest).allowing('read'), { names: [Team] }), /Team is no uniqueness guard/],
    [
      'has conditions on what is not there',
      declared(through(Guest).allowing('read'), { where: { User: { age: 3 } } }),
      /on 'age', which is not an attribute/,
    ],
  ])('that %s is refused', (_, declare, message) => {
    expect(declare).toThrow(expect.objectContaining({ code: 'InvalidDesign', message: expect.stringMatching(message) }))
  })

  test('tells a console who people are, what contains places, and what grants until when', () => {
    expect(accessBy(['team', 'group'], ['guest']).outline).toEqual({
      subject: 'User',
      place: 'Project',
      actions: ['edit', 'read', 'staff'],
      ways: [
        {
          within: { teamId: 'Team' },
          grants: [
            { entity: 'MemberOfTeam', until: 'until', role: 'role', actions: { viewer: ['read'], member: ['read', 'edit'], lead: ['*'] } },
          ],
        },
        {
          within: {},
          group: 'Group',
          grants: [
            { entity: 'ProjectGroup', role: 'roleId', roles: { entity: 'Role', list: 'allows' } },
            { entity: 'GroupMember', until: 'until' },
          ],
        },
      ],
      needs: [{ within: {}, grants: [{ entity: 'Guest', from: 'since', until: 'until', actions: { '': ['read'] } }] }],
    })
  })
})

describe('prove', () => {
  test('finds nothing in a design that lists each way back', () => {
    expect(prove(items.work).findings.filter(({ code }) => code !== 'Unreached')).toEqual([])
    expect(access.findings).toEqual([])
  })

  const Person = entity('Person', { attributes: { id: ulid().made() }, key: ['PERSON#{id}', 'META'] })
  const Team = entity('Team', { attributes: { id: ulid().made() }, key: ['TEAM#{id}', 'META'] })
  const Task = entity('Task', {
    attributes: { id: ulid().made(), team: ulid() },
    key: ['TASK#{id}', 'META'],
    refers: { team: { to: Team, onRemove: 'keep' } },
  })
  const { Membership } = edge({
    ends: { person: Person, team: Team },
    attributes: { role: text() },
    items: { Membership: ['PERSON#{person}', 'TEAM#{team}'] },
  })
  const tasks = design({ name: 'tasks', table: 'tasks', entities: { Person, Team, Task, Membership }, patterns: {} })
  const oneWay = accessOf(tasks, { subject: Person, place: Task, action: oneOf('do'), grants: through('team', Membership).allowing('do') })

  test('names each way that has no items to go back by, and the addition that mends it', async () => {
    expect(oneWay.findings.map(({ code, message }) => `${code}: ${message}`)).toEqual([
      "OneWay: No items list each Person by Team, so `who` cannot be complete. Add the item TeamMembership: ['TEAM_MEMBERSHIP#{team}', 'PERSON#{person}'] of the edge of Membership.",
      "OneWay: No items list each Task by Team, so `where` cannot be complete. Add mirror('TeamTask', Task, ['TEAM_TASK#{team}', 'TASK#{id}']).",
    ])
    expect(proveModule({ design: tasks, access: oneWay }).isProven).toBe(false)
    const designs = new Map([['tasks', { design: tasks, summary: 'Tasks of teams.', access: oneWay }]])
    expect(await freehold(['prove', 'tasks'], { designs })).toMatchObject({ exit: 1, out: expect.stringContaining('OneWay') })
  })

  test('such a list is an error that says so; the questions that need no list are answered', async () => {
    const table = await ownTableOf(tasks)
    const [person, task] = ['01ARZ3NDEKTSV4RRFFQ69G5FA1', '01ARZ3NDEKTSV4RRFFQ69G5FA2']
    const decider = oneWay.decider(table.runtime)
    await expect(decider.who({ task, action: 'do' })).rejects.toMatchObject({ code: 'InvalidDesign' })
    await expect(decider.where({ person, action: 'do' })).rejects.toMatchObject({ code: 'InvalidDesign' })
    expect(await decider.can({ person, task, action: 'do' })).toMatchObject({ reason: { code: 'UnknownPerson' } })
  })
})
