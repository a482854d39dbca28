import { accountManagementModule } from '@freehold/designs/account-management'
import { authorizationModuleWith } from '@freehold/designs/authorization'
import { starterFiles } from '@freehold/designs/authorization/policies'
import { platformModule } from '@freehold/designs/platform'
import { rebacModule } from '@freehold/designs/rebac'
import { policiesOf } from '@freehold/frame/cedar'
import type { Sender } from '@freehold/table/runtime'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readEvaluations, readOneOfEvaluations } from '../../packages/frame/src/authzen/request.ts'
import { engineSender } from '../engine/endpoint.ts'
import { serveAlone } from './agreement.ts'

// Whatever a PEP sends, a decision point answers as the specification has it: a decision, results, or a 400 with a message.

const sender = engineSender()

const id = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom(
    'ada',
    'ada@example.org',
    '#',
    'a#b',
    '*',
    '*:*:*',
    'a:b:c',
    'a/b',
    '__proto__',
    '',
    '\u0000',
    '\u{10ffff}',
    'x'.repeat(3000),
  ),
  fc.constantFrom('01ARZ3NDEKTSV4RRFFQ69G5FAV', '10000000-0000-4000-8000-000000000000', 'renameTenant', 'dashboard:view'),
)
const type = fc.oneof(
  fc.constantFrom('user', 'client', 'project', 'building', 'account', 'workstream', 'location', 'Tenant', 'Ticket', 'Role', 'User'),
  id,
)
const value = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  id,
  fc.constant({ __entity: { type: 'Role', id: 'owner' } }),
  fc.constant({ __extn: { fn: 'ip', arg: 'x' } }),
)
const members = fc.dictionary(
  fc.oneof(fc.constantFrom('tenant', 'status', 'module_id', 'include_trial', 'assignee', 'time'), fc.string({ maxLength: 5 })),
  value,
  { maxKeys: 4 },
)
const maybe = <T>(one: fc.Arbitrary<T>) => fc.oneof({ arbitrary: one, weight: 8 }, { arbitrary: fc.jsonValue({ maxDepth: 1 }), weight: 1 })
const entity = maybe(fc.record({ type: maybe(type), id: maybe(id), properties: members }, { requiredKeys: ['type', 'id'] }))
const action = maybe(fc.record({ name: maybe(id), properties: members }, { requiredKeys: ['name'] }))
const one = { subject: entity, action, resource: entity, context: maybe(members) }
const evaluation = fc.record(one, { requiredKeys: ['subject', 'action', 'resource'] })
const page = maybe(
  fc.record(
    { limit: maybe(fc.integer({ min: 0, max: 3 })), token: fc.oneof(id, fc.base64String()), properties: members },
    { requiredKeys: [] },
  ),
)
const semantic = fc.constantFrom('execute_all', 'deny_on_first_deny', 'permit_on_first_permit', 'other', 7)
const request = fc.oneof(
  fc.tuple(fc.constant('evaluation'), evaluation),
  fc.tuple(
    fc.constant('evaluations'),
    fc.record(
      {
        ...one,
        evaluations: fc.array(maybe(fc.record(one, { requiredKeys: [] })), { maxLength: 4 }),
        options: fc.record({ evaluations_semantic: semantic }),
      },
      { requiredKeys: ['evaluations'] },
    ),
  ),
  fc.tuple(
    fc.constantFrom('search/subject', 'search/resource', 'search/action'),
    fc.record({ ...one, page }, { requiredKeys: ['subject', 'action', 'resource'] }),
  ),
)

const decision = { decision: expect.any(Boolean) }
function expectAnswer(path: string, body: object): void {
  if (path.startsWith('search')) expect(body).toMatchObject({ results: expect.any(Array) })
  else if ('evaluations' in body && Array.isArray(body.evaluations))
    for (const each of body.evaluations) expect(each).toMatchObject(decision)
  else expect(body).toMatchObject(decision)
}

const modules = [
  accountManagementModule,
  platformModule,
  rebacModule,
  authorizationModuleWith({ policies: await policiesOf(new Map(Object.entries(starterFiles))) }),
]

test.each(modules.map((module) => [module.design.name, module] as const))(
  '%s answers each request as the specification has it',
  async (_, module) => {
    const { call } = await serveAlone(module, sender, { authzenTenant: '01ARZ3NDEKTSV4RRFFQ69G5FAV' })
    const statuses = new Map<number, number>()
    await fc.assert(
      fc.asyncProperty(request, async ([path, sent]) => {
        const { status, body } = await call('POST', `/authzen/${module.design.name}/access/v1/${path}`, sent)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        expect([200, 400]).toContain(status)
        if (status === 200) expectAnswer(path, body)
        else
          expect(body).toMatchObject({
            status: 400,
            detail: expect.any(String),
            code: expect.stringMatching(/^(InvalidInput|InvalidCursor)$/),
          })
      }),
      { numRuns: 300 },
    )
    // About two thirds are well-formed.
    expect(statuses.get(200)).toBeGreaterThan(20)
    expect(statuses.get(400)).toBeGreaterThan(5)
  },
)

test.each(modules.map((module) => [module.design.name, module] as const))(
  '%s has no decision where its table does not answer',
  async (name, module) => {
    let isGone = false
    const refusing: Sender = {
      close: () => {},
      send: async (...sent) => {
        if (isGone) throw Object.assign(new Error('not yours'), { name: 'AccessDeniedException', $metadata: { httpStatusCode: 400 } })
        return sender.send(...sent)
      },
    }
    const { ask } = await serveAlone(module, refusing, { authzenTenant: '01ARZ3NDEKTSV4RRFFQ69G5FAV' })
    isGone = true
    const [type, place, does] = {
      'account-management': ['client', '10000000-0000-4000-8000-000000000000', 'a:b:c'],
      platform: ['account', 'acme', 'dashboard:view'],
      rebac: ['location', 'HQ', 'plan'],
      authorization: ['Tenant', '01ARZ3NDEKTSV4RRFFQ69G5FAV', 'renameTenant'],
    }[name] ?? ['', '', '']
    const asked = { subject: { type: 'user', id: 'ada@example.org' }, action: { name: does }, resource: { type, id: place } }
    const single = await ask('evaluation', asked)
    expect(single).toMatchObject({ status: 500, body: { code: 'Unavailable' } })
    expect(single.body).not.toHaveProperty('decision')
    const many = { ...asked, evaluations: [{}, { subject: { type: 'none', id: '' } }], options: { reasons: true } }
    expect(await ask('evaluations', many)).toMatchObject({
      status: 200,
      body: {
        evaluations: [
          { decision: false, context: { error: { status: 500 } } },
          { decision: false, context: { reason_admin: {} } },
        ],
      },
    })
    for (const kind of ['subject', 'resource', 'action']) expect(await ask(`search/${kind}`, asked)).toMatchObject({ status: 500 })
    for (const { body } of [single, await ask('search/subject', asked)]) expect(JSON.stringify(body)).not.toContain('not yours')
  },
)

test('the members that many evaluations share are counted once', () => {
  let counted = 0
  const properties = new Proxy(
    {},
    {
      ownKeys: () => {
        counted++
        return []
      },
    },
  )
  const body = { subject: { type: 'user', id: 'ada', properties }, action: { name: 'read' }, resource: { type: 'page', id: 'p' } }
  const { each = [] } = readEvaluations({ ...body, evaluations: Array.from({ length: 100 }, () => ({})) }, 100)
  expect(each.map((one) => readOneOfEvaluations(one).subject.id)).toEqual(Array.from({ length: 100 }, () => 'ada'))
  expect(counted).toBe(1)
})
