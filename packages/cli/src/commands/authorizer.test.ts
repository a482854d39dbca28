import { createHmac } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { endpoint } from '../../../../test/engine/endpoint.ts'
import { folder, freehold, freshTable } from '../../test/recorded-shell.ts'

const id = (kind: 'A' | 'B', number: number) => `01H${kind}${String(number).padStart(22, '0')}`
const [member, stranger, acme] = [id('A', 1), id('A', 2), id('B', 1)]
const secret = 'thirty-two bytes, or more of them, for a test'
const env = { DYNAMODB_ENDPOINT: endpoint, FREEHOLD_TOKEN_SECRET: secret }

const map = `
token: { issuer: https://id.example.org/, audience: tickets, algorithms: [HS256], keys: secret }
tenant: { path: tenant }
routes:
  - route: POST /tenants/{tenant}/tickets/{ticket}/close
    action: closeTicket
    resource: { type: Ticket, id: '{ticket}', attributes: { status: open, tenant: { __entity: { type: Tenant, id: '{tenant}' } } } }
`

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
function tokenOf(sub: string): string {
  const exp = Math.floor(Date.now() / 1000) + 600
  const signed = `${encoded({ alg: 'HS256' })}.${encoded({ iss: 'https://id.example.org/', aud: 'tickets', sub, exp })}`
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}

const path = `/tenants/${acme}/tickets/t-1/close`
const restEvent = (authorization?: string) => ({
  ...{ type: 'REQUEST', methodArn: `arn:aws:execute-api:us-east-1:123456789012:abcdef123/test/POST${path}`, httpMethod: 'POST', path },
  headers: authorization === undefined ? {} : { Authorization: authorization },
  requestContext: { requestId: 'r-1' },
})
const httpEvent = (authorization: string) => ({
  ...{
    version: '2.0',
    type: 'REQUEST',
    routeArn: `arn:aws:execute-api:us-east-1:123456789012:abcdef123/$default/POST${path}`,
    rawPath: path,
  },
  ...{ headers: { authorization }, requestContext: { stage: '$default', http: { method: 'POST' } } },
})

const cwd = folder({ 'authorizer.yaml': map })
const table = freshTable()
const run = (...argv: readonly string[]) => freehold([...argv], { env, cwd })
async function invoke(event: unknown, ...options: readonly string[]) {
  writeFileSync(join(cwd, 'event.json'), JSON.stringify(event))
  const { exit, out, err } = await run('authorizer', 'invoke', 'event.json', '--table', table, ...options)
  return { exit, answer: out === '' ? undefined : JSON.parse(out), err }
}

const calls = [
  ['createTenant', { tenantId: acme, name: 'acme' }],
  ['createRole', { name: 'agent', scope: 'tenant' }],
  ['createUser', { userId: member, email: 'mia@example.org' }],
  ['createUser', { userId: stranger, email: 'sam@example.org' }],
] as const
expect(await run('policies', 'init', 'policies')).toMatchObject({ exit: 0 })
const done = []
for (const [flow, input] of calls) {
  const { exit, out, err } = await run('do', 'authorization', flow, JSON.stringify(input), '--table', table, '--json')
  expect({ exit, err: exit === 0 ? '' : err }).toEqual({ exit: 0, err: '' })
  done.push(JSON.parse(out))
}
const { roleId } = done[1]
const grant = JSON.stringify({ tenantId: acme, userId: member, roles: [roleId] })
expect(await run('do', 'authorization', 'createGrant', grant, '--table', table)).toMatchObject({ exit: 0 })

describe('freehold authorizer invoke', () => {
  test('answers an event of a REST API with a policy for the method that was asked for', async () => {
    const { exit, answer, err } = await invoke(restEvent(`Bearer ${tokenOf(member)}`))
    expect(exit).toBe(0)
    const { methodArn } = restEvent()
    expect(answer).toEqual({
      principalId: member,
      policyDocument: { Version: '2012-10-17', Statement: [{ Action: 'execute-api:Invoke', Effect: 'Allow', Resource: methodArn }] },
      context: { userId: member, tenantId: acme, roles: '["agent"]', globalRoles: '[]', decisionId: expect.any(String) },
    })
    expect(JSON.parse(err)).toMatchObject({ decision: answer.context.decisionId, request: 'r-1', allowed: true })
  })

  test('denies a stranger, and says why on stderr alone', async () => {
    const { exit, answer, err } = await invoke(restEvent(`Bearer ${tokenOf(stranger)}`))
    expect({ exit, effect: answer.policyDocument.Statement[0].Effect }).toEqual({ exit: 1, effect: 'Deny' })
    expect(JSON.stringify(answer)).not.toContain('Grant')
    expect(JSON.parse(err)).toMatchObject({ allowed: false, reason: { code: 'NoGrant' } })
  })

  test('tells an error as Lambda does', async () => {
    const { exit, answer, err } = await invoke(restEvent())
    expect({ exit, answer }).toEqual({ exit: 1, answer: { errorMessage: 'Unauthorized', errorType: 'Error' } })
    expect(JSON.parse(err)).toMatchObject({ reason: { code: 'TokenMissing' } })
  })

  test('answers an HTTP API in either form', async () => {
    const event = httpEvent(`Bearer ${tokenOf(member)}`)
    expect((await invoke(event)).answer).toMatchObject({ isAuthorized: true })
    const { Statement } = (await invoke(event, '--http-answers', 'iam')).answer.policyDocument
    expect(Statement).toMatchObject([{ Effect: 'Allow', Resource: event.routeArn }])
  })

  test.each([
    ['a map that is not there', ['--map', 'nowhere.yaml'], 'nowhere.yaml does not exist'],
    ['a map that is not UTF-8', ['--map', 'latin.yaml'], 'latin.yaml is not UTF-8 (line 1)'],
    ['policies that are not there', ['--policies', 'nowhere'], 'nowhere cannot be read'],
  ])('refuses %s', async (_, options, sentence) => {
    writeFileSync(join(cwd, 'latin.yaml'), Buffer.from('# \xfc', 'latin1'))
    expect(await invoke(restEvent(), ...options)).toEqual({ exit: 2, answer: undefined, err: expect.stringContaining(sentence) })
  })

  test('refuses a map whose action the policies lack', async () => {
    writeFileSync(join(cwd, 'other.yaml'), map.replace('closeTicket', 'burnTicket'))
    const { exit, err } = await invoke(restEvent(), '--map', 'other.yaml')
    expect({ exit, err }).toEqual({ exit: 2, err: expect.stringContaining('burnTicket, which the schema has not for Ticket') })
  })
})

test('pack writes what a function is deployed with, checked', async () => {
  expect(await run('authorizer', 'pack')).toEqual({ exit: 0, out: 'Wrote authorizer.packed.json.\n', err: '' })
  const packed = JSON.parse(readFileSync(join(cwd, 'authorizer.packed.json'), 'utf8'))
  expect(packed).toMatchObject({ map: { value: { token: { audience: 'tickets' } } }, policies: { policies: expect.any(Array) } })
  expect(await run('authorizer', 'pack', 'here.json', '--json')).toMatchObject({ exit: 0, out: '{"written":["here.json"]}\n' })
  expect(await run('authorizer', 'pack', 'nowhere/here.json')).toMatchObject({ exit: 2, err: expect.stringContaining('cannot be written') })
  expect(await run('authorizer', 'pack', '--policies', 'none')).toMatchObject({ exit: 2, err: expect.stringContaining('none') })
  expect(await run('authorizer', 'invoke')).toMatchObject({ exit: 2, err: expect.stringContaining('An event is missing') })
})
