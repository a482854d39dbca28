import { type DesignModule, peopleOf } from '@freehold/frame'
import { expect, test } from 'vitest'
import { libraryModule } from '../../../test/library/index.ts'
import { designModules } from './design-modules.ts'

const modules: readonly (readonly [string, DesignModule])[] = [...designModules, ['library', libraryModule]]

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

test('groups that are tied to roles, and roles to actions that are items', () => {
  expect(peopleOf(designModules.get('rebac') ?? expect.fail())).toMatchObject({
    person: 'User',
    places: [{ entity: 'Location' }],
    group: 'UserGroup',
    role: { entity: 'Role', permissions: { entity: 'RolePagePermission', rows: ['pageName'], where: { permission: 'ALLOW' } } },
  })
})
