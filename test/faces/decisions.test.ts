import { decidePlatform, type platform as Platform, platform, platformModule } from '@freehold/designs/platform'
import { readAccess } from '@freehold/designs/platform/access'
import { connect, type Table } from '@freehold/table'
import { ensureTable } from '@freehold/table/runtime'
import { describe, expect, test } from 'vitest'
import { accountQuestion } from '../../packages/cli/src/sample/account.ts'
import { loadAccount } from '../../packages/cli/src/sample/load-account.ts'
import { freehold, freshTable } from '../../packages/cli/test/recorded-shell.ts'
import { startServiceOf } from '../../packages/service/test/serving.ts'
import { endpoint, engineSender } from '../engine/endpoint.ts'

// The questions of platform through each face, on the sample account: the library, the command and HTTP answer alike.

type Values = Readonly<Record<string, unknown>>
const questions = ['can', 'why', 'what', 'who', 'where'] as const
type Question = (typeof questions)[number]

const name = freshTable()
const table: Table<typeof Platform> = connect(platform, { table: name, sender: engineSender() })
await ensureTable(table.runtime)
expect(await loadAccount(table)).toBe(true)
const service = await startServiceOf(platform, { module: platformModule })
await loadAccount(service.table)

interface Answer {
  /** The exit code of the command, and the status over HTTP. */
  readonly exit: number
  readonly status: number
  readonly body: Values
}

/** The answer of all faces. */
async function ask(question: Question, asked: Values, how: Values = {}): Promise<Answer> {
  const fields = decidePlatform(table.runtime).fields[question]
  const own = Object.fromEntries(Object.entries(asked).filter(([field]) => fields.includes(field)))
  const flags = how.expand === true ? ['--expand'] : []
  const { exit, out } = await freehold([question, 'platform', JSON.stringify(own), '--table', name, '--json', ...flags], {
    env: { DYNAMODB_ENDPOINT: endpoint },
  })
  const { status, body } = await service.call('POST', `/v1/platform/${question}`, { ...own, ...how })
  const answer: Values = JSON.parse(out)
  expect(body).toEqual(answer)
  // As a program without types would ask.
  expect(JSON.parse(JSON.stringify(await decidePlatform(table.runtime)[question](own as never, how)))).toEqual(answer)
  return { exit, status, body: answer }
}

const yes = { exit: 0, status: 200 }
const no = { exit: 1, status: 200 }

describe('the sample account', () => {
  test('is loaded into an empty table only', async () => {
    expect(await loadAccount(table)).toBe(false)
  })

  test('lets ada edit the dashboard, and not delete it', async () => {
    expect(await ask('can', accountQuestion)).toEqual({ ...yes, body: { allowed: true } })
    expect(await ask('can', { ...accountQuestion, action: 'delete' })).toEqual({
      ...no,
      body: { allowed: false, reason: { kind: 'policy', code: 'NoGrant', message: expect.stringMatching(/\.$/) } },
    })
    const { body } = await ask('why', accountQuestion)
    expect(body).toMatchObject({ allowed: true, chains: [expect.arrayContaining([expect.objectContaining({ entity: 'RolePermission' })])] })
  })

  test.each([
    [{ user: 'cleo@example.org', workstream: 'sales' }, 'UserInactive'],
    [{ user: 'ben@example.org' }, 'NoMembership'],
    [{ user: 'nobody@example.org' }, 'UnknownUser'],
    [{ account: 'rival' }, 'UnknownAccount'],
    [{ workstream: 'none' }, 'UnknownWorkstream'],
  ])('denies %j: %s', async (more, code) => {
    for (const question of ['can', 'why', 'what'] as const)
      expect(await ask(question, { ...accountQuestion, ...more })).toMatchObject({ ...no, body: { reason: { code } } })
  })

  test('lists menus, users and places', async () => {
    const keys = (answer: Answer, key: string) => (answer.body.items as readonly Values[]).map((item) => item[key])
    expect(keys(await ask('what', { user: 'ada', account: 'acme' }), 'menuKey')).toEqual(['audit', 'dashboard', 'licenses', 'users'])
    expect(keys(await ask('what', { user: 'ben', account: 'acme' }), 'menuKey')).toEqual(['audit', 'dashboard', 'licenses'])
    expect(keys(await ask('who', { account: 'acme', menu: 'dashboard', action: 'view' }), 'userId')).toEqual(['ada', 'ben'])
    expect(keys(await ask('who', accountQuestion), 'userId')).toEqual(['ada'])
    expect(keys(await ask('where', accountQuestion), 'accountId')).toEqual(['acme'])
    expect(keys(await ask('where', accountQuestion, { expand: true }), 'workstreamId')).toEqual([undefined, 'research', 'sales'])
  })

  test.each([
    [{ ...accountQuestion, action: 'approve' }, 'action'],
    [{ ...accountQuestion, account: undefined }, 'account'],
    [{ ...accountQuestion, page: 'x' }, 'page'],
  ])('a malformed question is refused by the name of its field: %j', async (asked, field) => {
    const { exit, err } = await freehold(['can', 'platform', JSON.stringify(asked), '--table', name])
    expect({ exit, err }).toEqual({ exit: 2, err: expect.stringContaining(field) })
    expect(await service.call('POST', '/v1/platform/can', asked)).toMatchObject({ status: 400, body: { issues: [{ path: [field] }] } })
  })

  test('is asked for a snapshot at every face', async () => {
    const asked = { user: 'ada@example.org' }
    const { exit, out } = await freehold(['access', 'platform', JSON.stringify(asked), '--table', name, '--json', '--lasts', '60000'])
    const { status, body } = await service.call('POST', '/v1/platform/access', { ...asked, lasts_ms: 60_000 })
    expect({ exit, status }).toEqual(yes)
    for (const json of [JSON.parse(out), body]) {
      const snapshot = readAccess(json)
      const place = { account: 'acme', workstream: 'research' }
      expect([snapshot.can(accountQuestion, place), snapshot.can({ ...accountQuestion, action: 'delete' }, place)]).toEqual([true, false])
    }
  })

  test('takes a batch of questions', async () => {
    const { body } = await service.call('POST', '/v1/platform/can', {
      questions: [accountQuestion, { ...accountQuestion, user: 'ben' }],
    })
    expect(body).toMatchObject({ answers: [{ allowed: true }, { allowed: false }] })
  })
})
