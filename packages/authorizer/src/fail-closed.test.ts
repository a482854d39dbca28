import { describe, expect, test } from 'vitest'
import { type FailClosedCase, failClosedCases } from '../test/fail-closed.cases.ts'
import { type Sent, shapes } from '../test/shapes.ts'
import { secret, tokenOf } from '../test/tokens.ts'
import { mapText, openWorld, policies, tenants, users } from '../test/world.ts'
import { type AuthorizerOptions, createAuthorizer, type DecisionLine, readAuthorizerMap } from './index.ts'

const now = new Date('2026-03-01T12:00:00Z')
type World = Awaited<ReturnType<typeof openWorld>>
const world: { open?: World } = {}
world.open = await openWorld()

const chain = (names: readonly string[]) => [
  names.map((name) => ({ step: 'role', entity: 'Role', id: { scope: 'tenant', name }, state: 'found', message: '' }) as const),
]

function deciderOf(kind: FailClosedCase['decider']): AuthorizerOptions['decider'] {
  const denied = (code: string) => ({
    allowed: false,
    reason: { kind: 'fault', code, message: 'It failed.' } as const,
    chains: [],
    missing: [],
  })
  switch (kind) {
    case undefined:
      if (world.open === undefined) throw new Error('There is no world.')
      return world.open.decider
    case 'throws':
      return { why: () => Promise.reject(new TypeError('the text of an error')) }
    case 'storage':
      return { why: async () => denied('StorageFault') }
    case 'engine':
      return { why: async () => denied('PolicyFault') }
    case 'no reason':
      return { why: async () => ({ allowed: false, chains: [], missing: [] }) }
    case 'many roles':
      return {
        why: async () => ({
          allowed: true,
          chains: chain(Array.from({ length: 200 }, (_, at) => `a role with a long name, number ${at}`)),
          missing: [],
        }),
      }
    case 'not a decision':
      // A decider of JavaScript may answer with anything.
      return { why: async () => ({ allowed: 'yes', chains: [], missing: [] }) as never }
  }
}

const fields = {
  close: 'closeTicket',
  archived: 'closeArchived',
  noted: 'closeNoted',
  team: 'closeTeam',
  sized: 'closeSized',
  unmapped: 'purge',
}

async function sentOf(one: Partial<FailClosedCase>): Promise<{ readonly token: string; readonly sent: Sent }> {
  const {
    user = users.ada,
    tenant = tenants.acme,
    doing = 'close',
    headers = [],
    host = 'api.example.com',
    authorization = ['Bearer TOKEN'],
  } = one
  const token = await tokenOf(user, now, one.token)
  const filled = (value: string) => value.replaceAll('TOKEN', token)
  const isElsewhere = doing === 'noted' || doing === 'team' || doing === 'sized'
  const path = isElsewhere ? `/${doing}/t-1` : `/tenants/${tenant}/tickets/t-1/${doing}`
  const query = `mutation Close($ticket: ID!) { ${fields[doing]}(tenant: ${JSON.stringify(decodeURIComponent(tenant))}, ticket: $ticket) { id } }`
  const sent: Sent = {
    ...{
      method: one.method ?? 'POST',
      path: one.path ?? path,
      query: one.query ?? query,
      variables: one.variables ?? { ticket: 't-1' },
      host,
    },
    ...(one.operationName === undefined ? {} : { operationName: one.operationName }),
    headers: [
      ...authorization.map((value) => ['Authorization', filled(value)] as const),
      ...(isElsewhere && !headers.some(([name]) => name === 'X-Tenant') ? [['X-Tenant', tenant] as const] : []),
      ...headers.map(([name, value]) => [name, filled(value)] as const),
    ],
  }
  return { token, sent }
}

async function asked(shape: string, one: Partial<FailClosedCase>) {
  const lines: DecisionLine[] = []
  const log = (line: DecisionLine) => {
    if (one.log === 'throws') throw new Error('the log is full')
    lines.push(line)
  }
  const map = readAuthorizerMap(mapText(one.map))
  const authorizer = createAuthorizer({ map, decider: deciderOf(one.decider), policies, log, secret, now: () => now })
  const { sent, token } = await sentOf(one)
  const answer = await shapes[shape]?.ask(authorizer, sent)
  return { answer, lines, token, sent }
}

/** All that a client or a gateway is told. */
function denials(shape: string, status: 401 | 403, user = 'anonymous'): unknown {
  if (shape === 'HTTP API, simple') return { isAuthorized: false }
  if (shape === 'AppSync') return { isAuthorized: false, ttlOverride: 0 }
  if (shape === 'Hono') return { status, body: JSON.stringify({ message: status === 401 ? 'Unauthorized' : 'Forbidden' }) }
  if (status === 401) return { message: 'Unauthorized' }
  const Resource = expect.stringMatching(/^arn:aws:execute-api:us-east-1:123456789012:abcdef123\/(?:test|\$default)\/[A-Za-z]+\//)
  const Statement = [{ Action: 'execute-api:Invoke', Effect: 'Deny', Resource }]
  return { principalId: user, policyDocument: { Version: '2012-10-17', Statement } }
}

describe.each(Object.entries(shapes))('%s', (name, { asks, decodes }) => {
  const cases = failClosedCases.filter((one) => (one.asks === 'sent paths' && !decodes ? 'paths' : (one.asks ?? asks)) === asks)

  test('allows the request that the cases change', async () => {
    const { answer, lines } = await asked(name, {})
    expect(answer).toMatchObject({ allowed: true, status: 200 })
    expect(lines).toMatchObject([
      { allowed: true, user: users.ada, tenant: tenants.acme, asked: [{ policies: ['agents-work-on-tickets'] }] },
    ])
  })

  test.each(cases)('$name: denied', async (one) => {
    const { answer, lines, token } = await asked(name, one)
    const codes = [one.code].flat()
    const [line] = lines
    if (one.log === undefined) expect(codes).toContain(line?.reason?.code)
    expect(lines.map(({ allowed }) => allowed)).toEqual(one.log === undefined ? [false] : [])
    expect(answer).toMatchObject({ allowed: false, status: asks === 'paths' && name !== 'HTTP API, simple' ? one.status : 403 })

    // No reason in the answer, no token in the log.
    expect(answer?.told).toEqual(denials(name, one.status, lines[0]?.user ?? (one.log && users.ada)))
    const logged = JSON.stringify(lines)
    for (const part of [token, ...token.split('.')]) if (part.length > 8) expect(logged).not.toContain(part)
  })
})

test('the table has at least 80 cases, and each has a reason of its own', () => {
  expect(failClosedCases.length).toBeGreaterThanOrEqual(80)
  expect(new Set(failClosedCases.map(({ name }) => name)).size).toBe(failClosedCases.length)
})
