import { accessOf, through } from '@freehold/frame/access'
import type { Decider } from '@freehold/frame/decision'
import { connect, design, edge, email, entity, flag, mirror, oneOf, text, unique } from '@freehold/table'
import { restoreItems } from '@freehold/table/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { engineSender, ownTableOf } from '../../packages/designs/test/own-table.ts'
import { stored } from './items.ts'

// Two tenants, with random grants, some of which say one tenant and tie nodes of another. Whatever is asked for one tenant is answered as if there were no
// other, in whole: reasons, evidence, pages and malformed records, too.

const [id, tenantId] = [text(), text()]
const Tenant = entity('Tenant', { attributes: { id }, key: ['TENANT#{id}', 'META'] })
const User = entity('User', {
  attributes: { id, tenantId, email: email() },
  key: ['USER#{id}', 'META'],
  refers: { tenantId: Tenant },
})
const UserEmail = unique('UserEmail', User, ['EMAIL#{email}', 'META'], ['tenantId'])
const Team = entity('Team', { attributes: { id, tenantId }, key: ['TEAM#{id}', 'META'], refers: { tenantId: Tenant } })
const TenantTeam = mirror('TenantTeam', Team, ['TENANT_TEAMS#{tenantId}', 'TEAM#{id}'])
const Project = entity('Project', {
  attributes: { id, tenantId, teamId: text() },
  key: ['PROJECT#{id}', 'META'],
  refers: { teamId: Team },
})
const TeamProject = mirror('TeamProject', Project, ['TEAM_PROJECTS#{teamId}', 'PROJECT#{id}'], ['tenantId'])
const Role = entity('Role', { attributes: { id, tenantId }, key: ['ROLE#{id}', 'META'] })
const Permission = entity('Permission', {
  attributes: { roleId: text(), menu: text(), tenantId, canRead: flag(), canEdit: flag() },
  key: ['ROLE#{roleId}', 'PERMISSION#{menu}'],
  refers: { roleId: Role },
})
const MenuRole = mirror('MenuRole', Permission, ['MENU#{menu}', 'ROLE#{roleId}'], ['tenantId', 'canRead', 'canEdit'])
const { Member, TeamMember } = edge({
  ends: { userId: User, teamId: Team },
  attributes: { tenantId, role: oneOf('viewer', 'lead') },
  items: { Member: ['USER_TEAMS#{userId}', 'TEAM#{teamId}'], TeamMember: ['TEAM_USERS#{teamId}', 'USER#{userId}'] },
})
const { TeamRole, RoleTeam } = edge({
  ends: { teamId: Team, roleId: Role },
  attributes: { tenantId },
  items: { TeamRole: ['TEAM#{teamId}', 'ROLE#{roleId}'], RoleTeam: ['ROLE_TEAMS#{roleId}', 'TEAM#{teamId}'] },
})
const nodes = { Tenant, User, UserEmail, Team, TenantTeam, Project, TeamProject, Role, Permission, MenuRole }
const firm = design({
  name: 'firm',
  table: 'firm',
  entities: { ...nodes, Member, TeamMember, TeamRole, RoleTeam },
  tenants: { by: 'tenantId', of: { Tenant: 'id' } },
  patterns: {},
})

const action = oneOf('read', 'edit')
const declared = {
  project: accessOf(firm, {
    ...{ subject: User, place: Project, action, names: [UserEmail] },
    grants: through('teamId', Member).by('role', { viewer: ['read'], lead: '*' }),
  }),
  menu: accessOf(firm, {
    ...{ subject: User, place: Tenant, action, names: [UserEmail] },
    grants: through(Team).byFlags(TeamRole, Permission, 'menu', 'menu', { read: 'canRead', edit: 'canEdit' }).through(Member),
  }),
}

const two = ['a', 'b'] as const
const node = fc.record({ tenant: fc.constantFrom(...two), number: fc.nat({ max: 1 }) })
type Node = typeof node extends fc.Arbitrary<infer T> ? T : never
/** What a tie says of its tenant: not always that of its ends. */
const tie = <T extends object>(more: fc.Arbitrary<T>) =>
  fc.array(fc.tuple(node, node, fc.constantFrom(...two), more), { minLength: 2, maxLength: 10 })
const flags = fc.record({ canRead: fc.boolean(), canEdit: fc.boolean() })
const organisation = fc.record({
  members: tie(fc.record({ role: fc.constantFrom('viewer', 'lead') })),
  teamRoles: tie(flags),
  isMalformed: fc.boolean(),
})

const named = (kind: string, { tenant, number }: Node) => `${kind}-${tenant}${number}`
const put = (of: Parameters<typeof stored>[0], values: object) => stored(of, { ...values }, firm)

function itemsOf({ members, teamRoles, isMalformed }: typeof organisation extends fc.Arbitrary<infer T> ? T : never) {
  const all = two.flatMap((tenant) => [0, 1].map((number) => ({ tenant, number })))
  return [
    ...two.flatMap((tenant) => put(Tenant, { id: tenant })),
    ...all.flatMap((each) => {
      const [team, of] = [named('team', each), { tenantId: each.tenant }]
      return [
        ...put(User, { id: named('user', each), email: `${named('user', each)}@example.org`, ...of }),
        ...put(Team, { id: team, ...of }),
        ...put(Project, { id: named('project', each), teamId: team, ...of }),
        ...put(Role, { id: named('role', each), ...of }),
        ...put(Permission, {
          roleId: named('role', each),
          menu: 'desk',
          ...of,
          ...(each.number === 0 ? { canRead: true, canEdit: true } : teamRoles[0]?.[3]),
        }),
        ...put(TeamRole, { teamId: named('team', each), roleId: named('role', each), ...of }),
      ]
    }),
    ...members.flatMap(([user, team, of, more]) =>
      put(Member, { userId: named('user', user), teamId: named('team', team), tenantId: of, ...more }),
    ),
    ...teamRoles.flatMap(([team, role, of]) => put(TeamRole, { teamId: named('team', team), roleId: named('role', role), tenantId: of })),
  ].map((item) => (isMalformed && item.Type === 'Project' && item.tenantId === 'b' ? { ...item, teamId: 7 } : item))
}

/** Every question of one tenant, with the names of both. */
async function answersTo(decider: Decider, isOfMenus: boolean): Promise<readonly unknown[]> {
  const users = two.flatMap((tenant) => [`user-${tenant}0`, `user-${tenant}1@example.org`])
  const places = isOfMenus
    ? two.map((tenant) => ({ tenant }))
    : two.flatMap((tenant) => [{ project: `project-${tenant}0` }, { project: `project-${tenant}1` }])
  const done = isOfMenus ? { menu: 'desk', action: 'edit' } : { action: 'edit' }
  const each = [
    ...users
      .flatMap((user) => places.map((place) => ({ user, ...place })))
      .flatMap((at) => [
        () => decider.can({ ...at, ...done }),
        () => decider.why({ ...at, ...done }),
        () => decider.what(at),
        async () => (await decider.access?.(at, { evidence: true }))?.toJSON(),
      ]),
    ...users.flatMap((user) => [() => decider.where({ user, ...done }), async () => (await decider.access?.({ user }))?.toJSON()]),
    ...places.map((place) => () => decider.who({ ...place, ...done })),
  ]
  const answers: unknown[] = []
  for (const ask of each) answers.push(await ask())
  return answers
}

test.each(['project', 'menu'] as const)('by %s, no answer for a tenant tells anything of another', async (kind) => {
  let allowed = 0
  await fc.assert(
    fc.asyncProperty(organisation, async (drawn) => {
      const now = () => new Date('2026-03-01T12:00:00.000Z')
      const answers = async (items: ReturnType<typeof itemsOf>) => {
        const table = await ownTableOf(firm, { now })
        await restoreItems(table.runtime, items)
        const own = connect(firm, { table: table.runtime.table, sender: engineSender(), tenant: 'a', now })
        const told = await answersTo(declared[kind].decider(own.runtime) as unknown as Decider, kind === 'menu')
        return told
      }
      // Of two items with one key the last lies in the table.
      const items = [...new Map(itemsOf(drawn).map((item) => [`${item.PK} ${item.SK}`, item])).values()]
      const ofOne = items.filter(({ Type, id: own, tenantId: of }) => (Type === 'Tenant' ? own : of) === 'a')
      const [among, alone] = [await answers(items), await answers(ofOne)]
      expect(among).toEqual(alone)
      allowed += JSON.stringify(among).split('"allowed":true').length - 1
    }),
    { numRuns: 12 },
  )
  expect(allowed).toBeGreaterThan(0)
})
