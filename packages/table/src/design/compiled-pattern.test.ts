import { describe, expect, test } from 'vitest'
import { accountManagement } from '../../test/hardest/account-management.ts'
import { authorization } from '../../test/hardest/authorization.ts'
import { platform } from '../../test/hardest/platform.ts'
import { atLeast, design, entity, instant, oneOf, query, text } from '../language.ts'
import type { CompiledPattern } from './compiled-pattern.ts'
import type { AnyDesign } from './design.ts'

function pattern({ form }: AnyDesign, name: string): CompiledPattern {
  const found = form.patterns.get(name)
  if (found === undefined) throw new Error(`no pattern ${name}`)
  return found
}

/** `scope_type: enum`, with `?` where it may be left out and `..` where less than a whole value may do. */
const parameters = (of: AnyDesign, name: string) =>
  pattern(of, name).parameters.map(
    ({ name: own, kind, isRequired, isBound }) => `${own}${isRequired ? '' : '?'}: ${kind.name}${isBound ? '..' : ''}`,
  )

const designs = { 'account-management': accountManagement, platform, authorization }

describe('the parameters of a pattern', () => {
  test.each<[design: keyof typeof designs, pattern: string, parameters: string[]]>([
    ['account-management', 'role', ['client_id?: uuid', 'id: uuid']],
    ['account-management', 'userByEmail', ['email: email']],
    ['account-management', 'rolesOfClient', ['client_id: uuid']],
    ['account-management', 'systemRoles', []],
    ['account-management', 'accessOfUserAtScope', ['user_id: uuid', 'scope_type: enum', 'scope_id: uuid']],
    ['account-management', 'buildingRolesOfHolders', ['role_id: uuid', 'scope_id: uuid']],
    ['account-management', 'subscriptionsOfScope', ['scope_type: enum', 'scope_id: uuid', 'status?: enum']],
    ['account-management', 'activityOfUser', ['client_id: uuid', 'user_id: uuid']],
    ['account-management', 'auditOfClient', ['client_id: uuid', 'from: instant..', 'to: instant..']],
    ['account-management', 'sessionsOfUserSince', ['user_id: uuid', 'since: instant..']],
    ['platform', 'accountWithAll', ['accountId: opaque id']],
    ['platform', 'expiringLicenses', ['date: day..']],
    ['platform', 'usersEndingBefore', ['status: enum', 'date: day..']],
    ['platform', 'notificationsByStatus', ['deliveryStatus: enum', 'from: instant..', 'to: instant..']],
    ['authorization', 'policiesByNamePrefix', ['prefix: text..']],
    ['authorization', 'userByPhone', ['phone: phone']],
  ])('in %s are of the kinds that stand at their places: %s', (name, of, expected) => {
    expect(parameters(designs[name], of)).toEqual(expected)
  })
})

test('a prefix of whole segments carries its delimiter, written or not', () => {
  const written = pattern(accountManagement, 'projectsOfClient').sort
  const unwritten = pattern(accountManagement, 'accessOfUserAtScope').sort
  expect(written).toMatchObject({ operator: 'begins_with', endsWithDelimiter: true, templates: [{ source: 'PROJECT' }] })
  expect(unwritten).toMatchObject({ endsWithDelimiter: true, templates: [{ source: 'ACCESS#{scope_type}#{scope_id}' }] })
  expect(pattern(authorization, 'policiesByNamePrefix').sort).toMatchObject({ operator: 'begins_with_part', endsWithDelimiter: false })
})

test('the attributes of a key are named after its index', () => {
  expect(pattern(accountManagement, 'role').keyNames).toEqual(['PK', 'SK'])
  expect(pattern(platform, 'expiringLicenses')).toMatchObject({ index: 'GSI3', keyNames: ['GSI3PK', 'GSI3SK'] })
})

test('a pattern is an addition where it says so, or where all that it returns is', () => {
  expect(pattern(accountManagement, 'clients').addition).toBe('lists clients')
  expect(pattern(accountManagement, 'sessionById').addition).toBe('a session is revoked by its id alone')
  expect(pattern(accountManagement, 'assignmentsAtScope').addition).toBe('who has access here')
  expect(pattern(accountManagement, 'rolesOfClient').addition).toBeUndefined()
  expect(pattern(platform, 'userWithWorkstreams').addition).toBeUndefined()
})

test('the last is first where a pattern says so', () => {
  expect(pattern(accountManagement, 'auditOfClient').descending).toBe(true)
  expect(pattern(accountManagement, 'auditOfNoClient').descending).toBe(false)
})

test('only the end of a range may be less than a whole value', () => {
  const Reading = entity('Reading', {
    attributes: { sensor: text(), kind: oneOf('heat', 'light'), at: instant() },
    key: ['SENSOR#{sensor}', '{kind}#{at}'],
  })
  const patterns = { since: query('SENSOR#{sensor}', atLeast('{kind}#{since}')).returns(Reading) }
  const readings = design({ name: 'readings', table: 'readings', entities: { Reading }, patterns })
  expect(parameters(readings, 'since')).toEqual(['sensor: text', 'kind: enum', 'since: instant..'])
})
