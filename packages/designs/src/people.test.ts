import { type DesignModule, peopleOf, proveModule } from '@freehold/frame'
import { expect, test } from 'vitest'
import { libraryModule } from '../../../test/library/index.ts'
import { access } from '../../../test/shops/access.ts'
import { shops } from '../../../test/shops/design.ts'
import { designModules } from './design-modules.ts'

const shopsModule: DesignModule = { design: shops, summary: 'Posts at companies, regions, shops and tills.', access }
const modules: readonly (readonly [string, DesignModule])[] = [...designModules, ['library', libraryModule], ['shops', shopsModule]]
const moduleOf = (name: string) => designModules.get(name) ?? expect.fail()

test.each(modules)('what %s tells of people names entities and attributes that it has', (_, module) => {
  const people = peopleOf(module)
  if (people === undefined) return expect.fail('It tells of no people.')
  const { entities } = module.design
  const attributesOf = (entity: string | undefined) => Object.keys(entities[entity ?? '']?.attributes ?? {})
  const { person, places, group, grants, role } = people
  const { permissions } = role ?? {}
  const named = [
    person,
    ...places.map(({ entity }) => entity),
    ...grants.map(({ entity }) => entity),
    ...[group, role?.entity, permissions?.entity, permissions?.catalogue].filter((name) => name !== undefined),
  ]
  expect(named.filter((name) => entities[name] === undefined)).toEqual([])
  for (const { entity, within } of places)
    expect(attributesOf(entity)).toEqual(expect.arrayContaining(within === undefined ? [] : [within]))
  for (const { entity, from, until, role: by } of grants)
    expect(attributesOf(entity)).toEqual(expect.arrayContaining([from, until, by].filter((name) => name !== undefined)))
  const ofRole = [role?.parent, permissions?.list, ...Object.keys(permissions?.listed ?? {})].filter((name) => name !== undefined)
  expect(attributesOf(role?.entity)).toEqual(expect.arrayContaining(ofRole))
  const { rows = [], column, flags = {}, where = {}, dangerous, catalogue } = permissions ?? {}
  const ofItems = [...rows, ...Object.keys(flags), ...Object.keys(where), ...(column === undefined ? [] : [column])]
  if (permissions?.entity !== undefined) expect(attributesOf(permissions.entity)).toEqual(expect.arrayContaining(ofItems))
  expect(attributesOf(catalogue)).toEqual(expect.arrayContaining(dangerous === undefined ? [] : [dangerous]))
})

test('a declared access tells it by itself: its place, its grant with an end, and what each role allows', () => {
  expect(peopleOf(libraryModule)).toEqual({
    person: 'Member',
    places: [{ entity: 'Branch' }],
    grants: [{ entity: 'Post', until: 'until', role: 'role' }],
    role: { declared: { clerk: ['lend', 'return'], librarian: ['catalogue', 'lend', 'return', 'staff'] } },
  })
})

test('groups that are tied to roles, and roles to actions that are items; a group itself grants nothing', () => {
  expect(peopleOf(moduleOf('rebac'))).toEqual({
    person: 'User',
    places: [{ entity: 'Location' }],
    group: 'UserGroup',
    grants: ['UserLocationEdge', 'UserGroupEdge', 'GroupRole'].map((entity) => ({ entity })),
    role: { entity: 'Role', permissions: { entity: 'RolePagePermission', rows: ['pageName'], where: { permission: 'ALLOW' } } },
  })
})

test('flags of a role as the columns of a grid, and parts of a place', () => {
  const flags = { canView: 'view', canCreate: 'create', canEdit: 'edit', canDelete: 'delete' }
  expect(peopleOf(moduleOf('platform'))).toEqual({
    person: 'User',
    places: [{ entity: 'Account' }, { entity: 'Workstream', within: 'accountId' }],
    group: 'Group',
    grants: [{ entity: 'UserGroup' }, { entity: 'GroupRole' }],
    role: { entity: 'Role', permissions: { entity: 'RolePermission', rows: ['menuKey'], flags } },
  })
})

test('scopes that contain each other, the end of an assignment, and roles above roles', () => {
  expect(peopleOf(shopsModule)).toEqual({
    person: 'User',
    places: [
      { entity: 'Company' },
      { entity: 'Region', within: 'company_id' },
      { entity: 'Shop', within: 'region_id' },
      { entity: 'Till', within: 'shop_id' },
    ],
    grants: [{ entity: 'Post', until: 'until', role: 'role_id' }],
    role: { entity: 'Role', parent: 'above', permissions: { list: 'permissions', rows: ['thing'], column: 'action' } },
  })
  expect(proveModule(shopsModule)).toMatchObject({ isProven: true })
})

test('a catalogue to which roles are linked, with what is dangerous', () => {
  expect(peopleOf(moduleOf('account-management'))).toEqual({
    person: 'User',
    places: [{ entity: 'Client' }, { entity: 'Project', within: 'client_id' }, { entity: 'Building', within: 'project_id' }],
    grants: [{ entity: 'UserRoleAssignment', from: 'start_at', until: 'expires_at', role: 'role_id' }],
    role: {
      entity: 'Role',
      parent: 'parent_role_id',
      permissions: {
        ...{ entity: 'RolePermissionLink', list: 'permissions', listed: { permission_form: 'embedded' } },
        ...{ rows: ['module', 'resource'], column: 'action', catalogue: 'Permission', dangerous: 'is_dangerous' },
      },
    },
  })
})

test('grants alone, where policies say what a role allows', () => {
  expect(peopleOf(moduleOf('authorization'))).toEqual({
    person: 'User',
    places: [{ entity: 'Tenant' }],
    grants: [{ entity: 'TenantGrant', role: 'roles' }],
    role: { entity: 'Role' },
  })
})
