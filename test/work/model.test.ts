import { meter } from '@freehold/table'
import { restoreItems } from '@freehold/table/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pagesOf } from '../../packages/designs/test/conformance/decider-conformance.ts'
import { ownTableOf } from '../../packages/designs/test/own-table.ts'
import { accessBy, type ways } from './access.ts'
import * as design from './design.ts'
import { idOf, stored } from './items.ts'

// Random declarations over random organisations, asked all five questions; a model that knows nothing of ways, keys and reads answers the same ones.

type Way = keyof typeof ways
type State = 'active' | 'closed' | 'gone' | 'deleting'
const now = new Date('2026-03-01T12:00:00.000Z')
const actions = ['read', 'edit', 'staff'] as const
const three = [0, 1, 2] as const
const two = [0, 1] as const

const state = fc.oneof({ weight: 8, arbitrary: fc.constant<State>('active') }, fc.constantFrom<State>('closed', 'gone', 'deleting'))
const some = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
const index = (most: number) => fc.nat({ max: most - 1 })
const day = some(fc.constantFrom('2026-02-28', '2026-03-01', '2026-03-02'))
const instant = some(fc.constantFrom('2026-03-01T11:59:59.999Z', '2026-03-01T12:00:00.000Z', '2026-03-01T12:00:00.001Z'))
const each = <T>(length: number, arbitrary: fc.Arbitrary<T>) => fc.array(arbitrary, { minLength: length, maxLength: length })
/** Ties of two nodes, one for each pair. */
const ties = <T extends object>(near: number, far: number, more: fc.Arbitrary<T>) =>
  fc.uniqueArray(fc.tuple(index(near), index(far), more), { minLength: 2, maxLength: 6, selector: ([a, b]) => `${a} ${b}` })

const organisation = fc.record({
  ways: fc.subarray<Way>(['team', 'guest', 'head', 'group', 'teamGroup'], { minLength: 1 }),
  needs: fc.oneof(fc.constant<Way[]>([]), fc.subarray<Way>(['team', 'guest', 'group', 'teamGroup'], { minLength: 1, maxLength: 2 })),
  users: each(3, state),
  departments: each(2, state),
  teams: each(2, fc.record({ state, department: some(index(2)) })),
  projects: each(3, fc.record({ state, team: fc.option(index(2), { nil: undefined, freq: 8 }) })),
  groups: each(2, fc.constantFrom<State>('active', 'active', 'gone', 'deleting')),
  roles: each(2, fc.record({ state, allows: fc.subarray(['read', 'edit', '*', 'other']) })),
  members: ties(3, 2, fc.record({ role: fc.constantFrom('viewer', 'member', 'lead'), until: day })),
  guests: ties(3, 3, fc.record({ since: instant, until: instant })),
  heads: ties(3, 2, fc.record({})),
  groupMembers: ties(3, 2, fc.record({ until: day, kind: fc.constantFrom('full', 'full', 'trial') })),
  projectGroups: ties(3, 2, fc.record({ role: index(2) })),
  teamGroups: ties(2, 2, fc.record({ until: day })),
})
type Organisation = typeof organisation extends fc.Arbitrary<infer T> ? T : never

const kinds = { user: 1, department: 2, team: 3, project: 4, group: 5, role: 6 }

/** The items of an organisation, as they lie in the table. */
function itemsOf(of: Organisation, organisation: number) {
  const id = (kind: keyof typeof kinds, number: number) => idOf(kinds[kind], number, organisation)
  const maybe = (kind: keyof typeof kinds, number: number | undefined) => (number === undefined ? undefined : id(kind, number))
  const node = (
    entity: Parameters<typeof stored>[0],
    kind: keyof typeof kinds,
    states: readonly State[],
    more: (number: number) => object = () => ({}),
  ) =>
    states.flatMap((state, number) => {
      const status = state === 'closed' ? 'closed' : 'active'
      const deleting = state === 'deleting' ? 'a job' : undefined
      return state === 'gone' ? [] : stored(entity, { id: id(kind, number), status, deleting, ...more(number) })
    })
  const statesOf = (all: readonly { readonly state: State }[]) => all.map((one) => one.state)
  return [
    ...node(design.User, 'user', of.users, (number) => ({ email: `u${number}.${organisation}@x.org` })),
    ...node(design.Department, 'department', of.departments),
    ...node(design.Team, 'team', statesOf(of.teams), (number) => ({ departmentId: maybe('department', of.teams[number]?.department) })),
    ...node(design.Project, 'project', statesOf(of.projects), (number) => ({ teamId: maybe('team', of.projects[number]?.team) })),
    ...node(design.Group, 'group', of.groups),
    ...node(design.Role, 'role', statesOf(of.roles), (number) => ({ allows: of.roles[number]?.allows })),
    ...of.members.flatMap(([a, b, more]) => stored(design.MemberOfTeam, { userId: id('user', a), teamId: id('team', b), ...more })),
    ...of.guests.flatMap(([a, b, more]) => stored(design.Guest, { userId: id('user', a), projectId: id('project', b), ...more })),
    ...of.heads.flatMap(([a, b]) => stored(design.Head, { userId: id('user', a), departmentId: id('department', b) })),
    ...of.groupMembers.flatMap(([a, b, more]) => stored(design.GroupMember, { userId: id('user', a), groupId: id('group', b), ...more })),
    ...of.projectGroups.flatMap(([a, b, { role }]) =>
      stored(design.ProjectGroup, { projectId: id('project', a), groupId: id('group', b), roleId: id('role', role) }),
    ),
    ...of.teamGroups.flatMap(([a, b, more]) => stored(design.TeamGroup, { teamId: id('team', a), groupId: id('group', b), ...more })),
  ]
}

const forever = Number.POSITIVE_INFINITY
const endOfDay = (day: string | undefined) => (day === undefined ? forever : Date.parse(`${day}T24:00:00.000Z`))
const endOf = (until: string | undefined) =>
  until === undefined || until.length > 10 ? (until === undefined ? forever : Date.parse(until)) : endOfDay(until)
const tieOf = <T>(all: readonly (readonly [number, number, T])[], near: number | undefined, far: number | undefined): T | undefined =>
  all.find(([a, b]) => a === near && b === far)?.[2]

/** Until when a user may do something at a project, in milliseconds; undefined if it may not. Nothing but loops over all that is there. */
function modelOf(of: Organisation, user: number, project: number, action: (typeof actions)[number]): number | undefined {
  const isThere = (state: State | undefined) => state === 'active' || state === 'closed'
  const place = of.projects[project]
  if (of.users[user] !== 'active' || place?.state !== 'active') return undefined
  const team = place.team
  const isTeam = team !== undefined && isThere(of.teams[team]?.state)
  let ends: number[] = []
  const grants: Record<Way, () => void> = {
    team: () => {
      const member = tieOf(of.members, user, team)
      const may = { viewer: ['read'], member: ['read', 'edit'], lead: actions }[member?.role ?? 'viewer'] as readonly string[]
      if (isTeam && member !== undefined && may.includes(action)) ends.push(endOfDay(member.until))
    },
    guest: () => {
      const guest = tieOf(of.guests, user, project)
      if (guest === undefined || action !== 'read' || (guest.since !== undefined && Date.parse(guest.since) > now.getTime())) return
      ends.push(endOf(guest.until))
    },
    head: () => {
      const department = team === undefined ? undefined : of.teams[team]?.department
      const isHead = tieOf(of.heads, user, department) !== undefined
      if (isTeam && department !== undefined && of.departments[department] === 'active' && isHead) ends.push(forever)
    },
    group: () => {
      for (const group of two) {
        const [grant, member] = [tieOf(of.projectGroups, project, group), tieOf(of.groupMembers, user, group)]
        const role = grant && of.roles[grant.role]
        if (member?.kind !== 'full' || role === undefined || !isThere(role.state) || !isThere(of.groups[group])) continue
        if (role.allows.includes(action) || role.allows.includes('*')) ends.push(endOfDay(member.until))
      }
    },
    teamGroup: () => {
      for (const group of two) {
        const [grant, member] = [tieOf(of.teamGroups, team, group), tieOf(of.groupMembers, user, group)]
        if (!isTeam || grant === undefined || member?.kind !== 'full' || !isThere(of.groups[group]) || action === 'edit') continue
        ends.push(Math.min(endOfDay(grant.until), endOfDay(member.until)))
      }
    },
  }
  const endBy = (ways: readonly Way[]): number | undefined => {
    ends = []
    for (const way of ways) grants[way]()
    const live = ends.filter((end) => end > now.getTime())
    return live.length === 0 ? undefined : Math.max(...live)
  }
  const all = [endBy(of.ways), ...of.needs.map((way) => endBy([way]))]
  return all.some((end) => end === undefined) ? undefined : Math.min(...all.flatMap((end) => end ?? []))
}

test('any declaration answers all five questions as a model does, over any organisation', async () => {
  const table = await ownTableOf(design.work, { now: () => now })
  let organisations = 0
  const counts = { allowed: 0, denied: 0 }
  await fc.assert(
    fc.asyncProperty(organisation, fc.constantFrom(1, 2, 100), fc.boolean(), async (of, limit, isByName) => {
      const number = ++organisations
      await restoreItems(table.runtime, itemsOf(of, number))
      const decider = accessBy(of.ways, of.needs).decider(table.runtime, { maxStalenessMs: 600_000 })
      const userOf = (user: number) => (isByName && of.users[user] !== 'gone' ? `u${user}.${number}@x.org` : idOf(1, user, number))
      const at = (project: number) => idOf(4, project, number)
      const told = (items: readonly { readonly until?: string | undefined }[]) =>
        items.map((item) => ({ ...item, until: endOf(item.until) }))
      for (const consistency of ['strong', 'bounded'] as const) {
        for (const user of three)
          for (const project of three) {
            const expected = actions.flatMap((action) => {
              const until = modelOf(of, user, project, action)
              return until === undefined ? [] : [{ action, until }]
            })
            const pair = { user: userOf(user), project: at(project) }
            const { items } = await decider.what(pair, { consistency })
            expect({ pair, items: told(items) }).toEqual({ pair, items: expected.sort((a, b) => (a.action < b.action ? -1 : 1)) })
            for (const action of actions) {
              const allowed = expected.some((one) => one.action === action)
              counts[allowed ? 'allowed' : 'denied']++
              const { result: can, cost } = await meter(() => decider.can({ ...pair, action }, { consistency }))
              expect({ pair, action, allowed: can.allowed }).toEqual({ pair, action, allowed })
              expect(cost.roundTrips).toBeLessThanOrEqual(3)
              const { chains, missing, ...why } = await decider.why({ ...pair, action }, { consistency })
              expect({ why, isTold: [chains.length > 0, missing.length > 0] }).toEqual({ why: can, isTold: [allowed, !allowed] })
              const { cost: warm } = await meter(() => decider.can({ ...pair, action }))
              expect(warm.roundTrips).toBe(1)
            }
          }
        for (const user of three) {
          const everywhere = await decider.access({ user: userOf(user) }, { consistency, lasts_ms: 1 })
          for (const project of three) {
            const here = await decider.access({ user: userOf(user), project: at(project) }, { consistency, lasts_ms: 1 })
            for (const action of actions) {
              const allowed = modelOf(of, user, project, action) !== undefined
              const snapshots = [everywhere.can(action, at(project)), here.can(action)]
              expect({ user, project, action, snapshots }).toEqual({ user, project, action, snapshots: [allowed, allowed] })
            }
          }
        }
        for (const action of actions) {
          for (const project of three) {
            const pages = await pagesOf((cursor) => decider.who({ project: at(project), action }, { limit, cursor, consistency }))
            const expected = three.flatMap((user) => {
              const until = modelOf(of, user, project, action)
              return until === undefined ? [] : [{ user: idOf(1, user, number), project: at(project), until }]
            })
            expect({ action, project, users: told(pages.flat()) }).toEqual({ action, project, users: expected })
          }
          for (const user of three) {
            const pages = await pagesOf((cursor) => decider.where({ user: userOf(user), action }, { limit, cursor, consistency }))
            const expected = three.flatMap((project) => {
              const until = modelOf(of, user, project, action)
              return until === undefined ? [] : [{ user: idOf(1, user, number), project: at(project), until }]
            })
            expect({ action, user, projects: told(pages.flat()) }).toEqual({ action, user, projects: expected })
          }
        }
      }
    }),
    { numRuns: 12 },
  )
  // Organisations in which all or nothing is allowed would tell nothing.
  expect(counts.allowed).toBeGreaterThan(counts.denied / 200)
})
