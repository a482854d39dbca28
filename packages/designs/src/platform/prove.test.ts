import { type AnyDesign, beginsWith, design, type Entity, edge, entity, mirror, opaqueId, query, queryOn, text } from '@freehold/table'
import { type FindingCode, prove } from '@freehold/table/prove'
import { describe, expect, test } from 'vitest'
import * as own from './design.ts'

const { platform } = own

describe('the design', () => {
  test('is proven, without a finding', () => {
    expect(prove(platform)).toMatchObject({ design: 'platform', isProven: true, findings: [] })
  })

  test('has the access patterns of its document, each as one request, and those of its additions apart', () => {
    const compiled = [...platform.form.patterns.values()]
    const documented = compiled.filter(({ addition }) => addition === undefined)
    const on = (index?: string) => documented.filter((pattern) => pattern.index === index).length
    expect({ GSI1: on('GSI1'), GSI2: on('GSI2'), GSI3: on('GSI3'), table: on() }).toEqual({ GSI1: 10, GSI2: 5, GSI3: 9, table: 7 })
    expect(prove(platform).patterns.map(({ name }) => name)).toEqual(Object.keys(platform.patterns))
  })

  test.each([
    ['accounts', 'Query GSI1 GSI1PK = ENTITY#ACCOUNT'],
    ['accountWithAll', 'Query table PK = ACCOUNT#{accountId}'],
    ['licensesOfEnterprise', 'Query GSI2 GSI2PK = ENTERPRISE#{enterpriseId} AND GSI2SK BEGINS WITH LICENSE#'],
    ['expiringLicenses', 'Query GSI3 GSI3PK = LICENSE#STATUS#active AND GSI3SK <= {date}'],
    ['sentNotificationsBetween', 'Query GSI3 GSI3PK = NOTIFICATION#STATUS#sent AND GSI3SK BETWEEN {from} AND {to}, last first'],
  ])('asks for %s with: %s', (pattern, request) => {
    expect(prove(platform).patterns.find(({ name }) => name === pattern)?.request).toBe(request)
  })

  test('has hot partitions in GSI1 and GSI3, where the document groups by kind and by status, for the changes of the system, and for mails under way', () => {
    const hot = prove(platform).partitions.filter(({ heat }) => heat === 'hot')
    expect([...new Set(hot.map(({ index }) => index))].sort()).toEqual(['GSI1', 'GSI3', undefined])
    expect(hot).toHaveLength(15)
  })

  test('says of each addition why it is there: 17 entities are of the document', () => {
    const documented = [...platform.form.entities.values()].filter(({ form }) => form.addition === undefined)
    expect(documented).toHaveLength(17)
    const added = documented.flatMap(({ name, attributes }) =>
      Object.entries(attributes).flatMap(([attribute, { why }]) => (why === undefined ? [] : [`${name}.${attribute}`])),
    )
    expect(added).toEqual([
      'Account.status',
      'Account.identityProviders',
      'AccountAddress.isPrimary',
      'TechnicalUser.userId',
      'License.productId',
      'License.serviceId',
      'License.seats',
      'License.seatsUsed',
      'WorkstreamTool.accountId',
      'WorkstreamTool.category',
      'User.unlinkedProviders',
      'UserWorkstream.accountId',
      'RolePermission.accountId',
      'Group.accountId',
    ])
  })
})

type Patterns = AnyDesign['patterns']

/** The design with other entities or patterns beside its own, or without some. */
function changed({
  added = {},
  patterns = {},
  without = [],
}: {
  added?: Readonly<Record<string, Entity>>
  patterns?: Patterns
  without?: readonly string[]
}): AnyDesign {
  const all: Readonly<Record<string, Entity>> = { ...platform.entities, ...added }
  const entities = Object.fromEntries(Object.entries(all).filter(([name]) => !without.includes(name)))
  return design({ name: 'platform', table: 'app_data', entities, patterns: { ...(platform.patterns as Patterns), ...patterns } })
}

const addition = { why: 'a mistake' }
const note = { id: opaqueId().made(), of: opaqueId(), text: text() }

const mistakes: readonly (readonly [mistake: string, code: FindingCode, subject: string, make: () => AnyDesign])[] = [
  ['users that their account cannot find', 'NotEnumerable', 'Account', () => changed({ without: ['AccountUser'] })],
  ['roles that their account cannot find', 'NotEnumerable', 'Account', () => changed({ without: ['AccountRole'] })],
  ['groups that their account cannot find', 'NotEnumerable', 'Account', () => changed({ without: ['AccountGroup'] })],
  ['licenses that their enterprise cannot find', 'NotEnumerable', 'Enterprise', () => changed({ without: ['EnterpriseLicense'] })],
  ['workstreams that their enterprise cannot find', 'NotEnumerable', 'Enterprise', () => changed({ without: ['EnterpriseWorkstream'] })],
  [
    'seats that their user cannot find',
    'NotEnumerable',
    'User',
    () => {
      const { Claim } = edge({
        ends: { licenseId: own.License, userId: own.User },
        attributes: { accountId: opaqueId() },
        items: { Claim: ['CLAIMS#{licenseId}', 'USER#{userId}'] },
        additions: { Claim: 'a mistake' },
      })
      return changed({ added: { Claim }, patterns: { claims: query('CLAIMS#{licenseId}').returns(Claim) } })
    },
  ],
  [
    'notes among all that an account has',
    'AdditionInRange',
    'accountWithAll',
    () => {
      const Note = entity('Note', { attributes: note, key: ['ACCOUNT#{of}', 'NOTE#{id}'], addition })
      return changed({ added: { Note }, patterns: { notes: query('ACCOUNT#{of}', beginsWith('NOTE#')).returns(Note) } })
    },
  ],
  [
    'groups of a user beside its workstreams',
    'AdditionInRange',
    'userWithWorkstreams',
    () => {
      const Entry = mirror('Entry', own.User, ['USER#{id}', 'ENTRY#{id}'], [], addition)
      return changed({ added: { Entry }, patterns: { entries: query('USER#{id}', beginsWith('ENTRY#')).returns(Entry) } })
    },
  ],
  [
    'another kind among the roles of an account',
    'AdditionInRange',
    'rolesOfAccount',
    () => {
      const Note = entity('Note', {
        attributes: note,
        key: ['NOTE#{id}', 'METADATA'],
        indexes: { GSI2: ['ACCOUNT#{of}#ROLES', 'NOTE#{id}'] },
        addition,
      })
      return changed({ added: { Note }, patterns: { notes: queryOn('GSI2', 'ACCOUNT#{of}#ROLES', beginsWith('NOTE#')).returns(Note) } })
    },
  ],
  [
    'licenses of an enterprise read with all of its partition',
    'ForeignInRange',
    'licensesOfEnterprise',
    () => changed({ patterns: { licensesOfEnterprise: queryOn('GSI2', 'ENTERPRISE#{enterpriseId}').returns(own.License) } }),
  ],
]

describe('the design with one mistake', () => {
  test.each(mistakes)('%s: %s, and nothing else', (_, code, subject, make) => {
    const { isProven, findings } = prove(make())
    const errors = findings.filter(({ severity }) => severity === 'error')
    expect(isProven).toBe(false)
    expect([...new Set(errors.map((each) => each.code))]).toEqual([code])
    expect(errors.map((each) => each.subject)).toContain(subject)
  })
})
