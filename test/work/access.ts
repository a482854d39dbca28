import { accessOf, through } from '@freehold/frame/access'
import { oneOf } from '@freehold/table'
import { GroupMember, Guest, Head, MemberOfTeam, Project, ProjectGroup, Role, TeamGroup, User, UserEmail, work } from './design.ts'

/** Each way by itself: what it means is told by model.test.ts. */
export const ways = {
  team: through('teamId', MemberOfTeam)
    .by('role', { viewer: ['read'], member: ['read', 'edit'], lead: '*' })
    .until('until'),
  guest: through(Guest).allowing('read').from('since').until('until'),
  head: through('teamId', 'departmentId', Head).allowing('*'),
  group: through(ProjectGroup).byRole('roleId', Role, 'allows').through(GroupMember).until('until'),
  teamGroup: through('teamId', TeamGroup).until('until').through(GroupMember).until('until').allowing('read', 'staff'),
}

/** An active user may do at a project that is not closed what one of these ways allows, if each of those that are needed does, too. */
export const accessBy = (names: readonly (keyof typeof ways)[], needs: readonly (keyof typeof ways)[] = []) =>
  accessOf(work, {
    subject: User,
    place: Project,
    action: oneOf('read', 'edit', 'staff'),
    names: [UserEmail],
    where: { User: { status: 'active' }, Project: { status: 'active' }, Department: { status: 'active' }, GroupMember: { kind: 'full' } },
    needs: needs.map((name) => ways[name]),
    grants: names.map((name) => ways[name]),
  })

export const access = accessBy(['team', 'guest', 'head', 'group', 'teamGroup'])
