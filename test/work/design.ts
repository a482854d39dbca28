import { day, design, edge, email, entity, get, instant, list, mirror, oneOf, text, unique, uuid } from '@freehold/table'

// A small design with every kind of way by which access can be declared: what contains a place, groups, roles that users write, bounds of time.

const id = uuid().made()
const status = oneOf('active', 'closed').made('active')

export const User = entity('User', { attributes: { id, email: email(), status }, key: ['USER#{id}', 'META'] })
export const UserEmail = unique('UserEmail', User, ['USER_EMAIL#{email}', 'META'])
export const Department = entity('Department', { attributes: { id, status }, key: ['DEPARTMENT#{id}', 'META'] })
export const Team = entity('Team', {
  attributes: { id, departmentId: uuid().optional() },
  key: ['TEAM#{id}', 'META'],
  refers: { departmentId: Department },
})
export const DepartmentTeam = mirror('DepartmentTeam', Team, ['DEPARTMENT#{departmentId}', 'TEAM#{id}'])
export const Project = entity('Project', {
  attributes: { id, teamId: uuid().optional(), status },
  key: ['PROJECT#{id}', 'META'],
  refers: { teamId: Team },
})
export const TeamProject = mirror('TeamProject', Project, ['TEAM#{teamId}', 'PROJECT#{id}'])
export const Group = entity('Group', { attributes: { id }, key: ['GROUP#{id}', 'META'] })
/** Written by users: the actions that it allows. */
export const Role = entity('Role', { attributes: { id, allows: list(text()) }, key: ['ROLE#{id}', 'META'] })

const until = day().optional()
export const { MemberOfTeam, TeamMember } = edge({
  ends: { userId: User, teamId: Team },
  attributes: { role: oneOf('viewer', 'member', 'lead'), until },
  items: { MemberOfTeam: ['USER#{userId}', 'TEAM#{teamId}'], TeamMember: ['TEAM#{teamId}', 'USER#{userId}'] },
})
export const { Guest, ProjectGuest } = edge({
  ends: { userId: User, projectId: Project },
  attributes: { since: instant().optional(), until: instant().optional() },
  items: { Guest: ['USER#{userId}', 'GUEST#{projectId}'], ProjectGuest: ['PROJECT#{projectId}', 'GUEST#{userId}'] },
})
export const { Head, DepartmentHead } = edge({
  ends: { userId: User, departmentId: Department },
  attributes: {},
  items: { Head: ['USER#{userId}', 'HEAD#{departmentId}'], DepartmentHead: ['DEPARTMENT#{departmentId}', 'HEAD#{userId}'] },
})
export const { GroupMember, MemberGroup } = edge({
  ends: { userId: User, groupId: Group },
  attributes: { until, kind: oneOf('full', 'trial').made('full') },
  items: { GroupMember: ['GROUP#{groupId}', 'USER#{userId}'], MemberGroup: ['USER#{userId}', 'GROUP#{groupId}'] },
})
export const { ProjectGroup, GroupProject } = edge({
  ends: { projectId: Project, groupId: Group },
  attributes: { roleId: uuid() },
  items: { ProjectGroup: ['PROJECT#{projectId}', 'GROUP#{groupId}'], GroupProject: ['GROUP#{groupId}', 'PROJECT#{projectId}'] },
})
export const { TeamGroup, GroupTeam } = edge({
  ends: { teamId: Team, groupId: Group },
  attributes: { until },
  items: { TeamGroup: ['TEAM#{teamId}', 'GROUP#{groupId}'], GroupTeam: ['GROUP#{groupId}', 'TEAM#{teamId}'] },
})

const nodes = { User, UserEmail, Department, Team, DepartmentTeam, Project, TeamProject, Group, Role }
const ties = { MemberOfTeam, TeamMember, Guest, ProjectGuest, Head, DepartmentHead, GroupMember, MemberGroup }

export const work = design({
  name: 'work',
  table: 'work',
  noIndexes: true,
  entities: { ...nodes, ...ties, ProjectGroup, GroupProject, TeamGroup, GroupTeam },
  patterns: { user: get(User), project: get(Project) },
})
