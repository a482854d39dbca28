import { designModules } from '@freehold/designs'
import { accountManagement } from '@freehold/designs/account-management'
import { rebac } from '@freehold/designs/rebac'
import { restoreItems } from '@freehold/table/testing'
import { describe, expect, test } from 'vitest'
import { startServiceOf } from '../../test/serving.ts'

const { flows } = designModules.get('account-management') ?? {}
const accounts = await startServiceOf(accountManagement, { module: flows === undefined ? {} : { flows } })
const people = await startServiceOf(rebac)

const flow = (name: string, body: object) => accounts.call('POST', `/v1/account-management/flows/${name}`, body)
const rebacItem = (entity: string, id: Record<string, string> = {}) => `/v1/rebac/entities/${entity}?${new URLSearchParams(id)}`

/** One mailbox, ada@example.org, in sixteen spellings. */
const spellings = [
  'ada@example.org',
  ' ADA@Example.Org ',
  '"ada"@example.org',
  '"a\\da"@example.org',
  'ada@example。org',
  'ada@example．org',
  'ada@ｅxample.org',
  'ada@ⓔxample.org',
  'ada@𝐞xample.org',
  'ada@exam\u200bple.org',
  'ada@exam\u00adple.org',
  'ada@exam\u2060ple.org',
  'a\u200bda@example.org',
  'a\u00adda@example.org',
  '\u202eada@example.org',
  'ada\ufe0f@example.org',
]

describe('over HTTP', () => {
  test('one mailbox is of one user, however it is spelled', async () => {
    const { body: client } = await flow('createClient', { name: 'Acme' })
    const answers: unknown[] = []
    for (const email of spellings) {
      const { status, body } = await flow('inviteUser', { client_id: client.id, email, user_type: 'client_admin' })
      answers.push(status === 200 ? body.email : body.code)
    }
    expect(answers).toEqual(['ada@example.org', ...Array(3).fill('AlreadyExists'), ...Array(12).fill('InvalidInput')])
  })

  test('a domain in its own letters is the user of its A-labels', async () => {
    const { body: client } = await flow('createClient', { name: 'Bücher' })
    const created = await flow('inviteUser', { client_id: client.id, email: 'ada@BÜCHER.example', user_type: 'client_admin' })
    expect(created).toMatchObject({ status: 200, body: { email: 'ada@xn--bcher-kva.example' } })
    expect((await accounts.table.userIdOfEmail({ email: 'ada@bücher.example' }))?.id).toBe(created.body.id)
    const again = await flow('inviteUser', { client_id: client.id, email: 'ada@xn--bcher-kva.example', user_type: 'client_admin' })
    expect(again).toMatchObject({ status: 409, body: { code: 'AlreadyExists' } })
  })

  test('what an address should be is told', async () => {
    const { body: client } = await flow('createClient', { name: 'Acme' })
    const { body } = await flow('inviteUser', { client_id: client.id, email: 'ada@example。org', user_type: 'client_admin' })
    expect(body.issues).toEqual([{ path: ['email'], message: "has the domain 'example。org': write 'example.org'" }])
  })

  test.each([
    ['Admin\u200b', 'holds U+200B, which nobody sees: write it without'],
    ['\uff21dmin', "holds '\uff21': write 'A'"],
    ['Adm\u2170n', "holds '\u2170': write 'i'"],
  ])('a role %j is no second Admin', async (name, message) => {
    const { body: client } = await flow('createClient', { name: 'Acme' })
    await flow('createRole', { client_id: client.id, name: 'Admin' })
    const { status, body } = await flow('createRole', { client_id: client.id, name })
    expect({ status, issues: body.issues }).toEqual({ status: 400, issues: [{ path: ['name'], message }] })
  })

  test('a menu, page, location and tenant have names that nothing else looks like', async () => {
    for (const [entity, body, name] of [
      ['Role', { roleName: 'a\u200bb' }, 'roleName'],
      ['Page', { pageName: '\ufb01nance' }, 'pageName'],
      ['Location', { locationCode: 'B\u00adER', name: 'Berlin' }, 'locationCode'],
      ['Location', { locationCode: 'BER', name: 'Ber\u2060lin' }, 'name'],
    ] as const) {
      const answer = await people.call('POST', rebacItem(entity), body)
      expect(answer).toMatchObject({ status: 400, body: { issues: [{ path: [name] }] } })
    }
  })

  test('an optional text says something or is absent', async () => {
    for (const description of ['', '  ', 'a\u0000b'])
      expect(await people.call('POST', rebacItem('Role'), { roleName: `r${description.length}`, description })).toMatchObject({
        status: 400,
        body: { issues: [{ path: ['description'] }] },
      })
  })
})

describe('an item that was written before look-alikes were refused', () => {
  const stamps = { createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z', version: 1 }
  const userId = '01J00000000000000000000000'
  const identity = { Type: 'EmailIdentity', userId, provider: 'google', ...stamps }
  const role = { PK: 'ROLE#\ufb01nance', SK: 'META', Type: 'Role', roleName: '\ufb01nance', description: '  ', ...stamps }

  test('is read under the spelling that it has, and can be removed', async () => {
    const { runtime } = people.table
    await restoreItems(runtime, [
      role,
      { ...identity, PK: 'EMAIL#ada@bücher.example', SK: 'META', email: 'ada@bücher.example' },
      { ...identity, PK: 'EMAIL#"ada"@example.org', SK: 'META', email: '"ada"@example.org' },
      { ...identity, PK: 'EMAIL#ada@a。org', SK: 'META', email: 'ada@a。org' },
    ])
    const found = await people.call('GET', rebacItem('Role', { roleName: '\ufb01nance' }))
    expect(found).toMatchObject({ status: 200, body: { roleName: '\ufb01nance', description: '  ' } })
    for (const email of ['ada@bücher.example', '"ada"@example.org', 'ada@a。org'])
      expect(await people.call('GET', rebacItem('EmailIdentity', { email }))).toMatchObject({ status: 200, body: { email, userId } })
    expect(await people.table.EmailIdentity.getMany([{ email: 'ada@BÜCHER.example' }, { email: 'nobody@a.org' }])).toMatchObject([
      { email: 'ada@bücher.example' },
      undefined,
    ])
    expect((await people.table.permissionsOfRole({ roleName: '\ufb01nance' })).items).toEqual([])
    expect((await people.call('DELETE', rebacItem('Role', { roleName: '\ufb01nance' }))).status).toBe(204)
  })
})
