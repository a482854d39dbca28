import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { localEngine } from './local-engine.ts'
import type { CedarValue, EntityUid, PolicyRequest } from './policy-engine.ts'

interface CedarCase {
  readonly name: string
  readonly policies: readonly string[]
  readonly principal?: string
  readonly action?: string
  readonly attrs?: Readonly<Record<string, CedarValue>>
  readonly context?: Readonly<Record<string, CedarValue>>
  readonly decision: 'allow' | 'deny'
  readonly by?: readonly string[]
  readonly errors?: readonly string[]
  readonly refused?: string
}

const file: { readonly schema: string; readonly cases: readonly CedarCase[] } = parse(
  readFileSync(new URL('../cases/cedar.cases.yaml', import.meta.url), 'utf8'),
)
const uid = (type: string, id: string): EntityUid => ({ type, id })
const ada = uid('User', 'ada')
const plan = uid('Doc', 'plan')

function requestOf({ principal = 'ada', action = 'view', attrs, context = { n: 1 } }: Partial<CedarCase> = {}): PolicyRequest {
  const document = { owner: { __entity: { ...ada } }, title: 'report', size: 1, tags: ['x', 'y'], ...attrs }
  return {
    ...{ principal: uid('User', principal), action: uid('Action', action), resource: plan, context },
    entities: [
      { uid: ada, attrs: { name: 'Ada' }, parents: [uid('Role', 'agent')] },
      { uid: uid('Role', 'agent'), parents: [uid('Role', 'staff')] },
      { uid: plan, attrs: document, parents: [uid('Folder', 'home')] },
    ],
  }
}

const engineOf = (...policies: readonly string[]) =>
  localEngine({ schema: file.schema, policies: new Map([['test.cedar', policies.join('\n')]]) })

const anyone = '@id("a") permit (principal, action, resource);'

describe('what we rely on of Cedar', () => {
  test.each(file.cases)('$name', async (one) => {
    const answer = await (await engineOf(...one.policies)).isAuthorized(requestOf(one))
    expect(answer).toEqual({
      decision: one.decision,
      policies: (one.by ?? []).map((id) => expect.objectContaining({ id })),
      errors: one.refused
        ? [{ message: expect.stringContaining(one.refused) }]
        : (one.errors ?? []).map((policy) => ({ policy, effect: expect.stringMatching(/^(permit|forbid)$/), message: expect.any(String) })),
    })
  })
})

test('the deciding policies come with their annotations, their text and their file', async () => {
  const text = '@id("a")\n@reason("Anybody may.")\n@reviewed\npermit (principal, action, resource);'
  const { policies } = await (await engineOf(text)).isAuthorized(requestOf())
  expect(policies).toEqual([
    { id: 'a', effect: 'permit', annotations: { id: 'a', reason: 'Anybody may.', reviewed: '' }, text, file: 'test.cedar' },
  ])
})

test('engines of different policies do not disturb one another', async () => {
  const [open, closed] = [await engineOf(anyone), await engineOf()]
  expect((await open.isAuthorized(requestOf())).decision).toBe('allow')
  expect((await closed.isAuthorized(requestOf())).decision).toBe('deny')
  expect((await engineOf(anyone)).version).toBe(open.version)
  expect(closed.version).not.toBe(open.version)
})

test('of many versions each answers by its own policies, though Cedar holds few of them at a time', async () => {
  const versions = Array.from({ length: 40 }, (_, number) => number)
  const permit = (number: number) => `@id("p${number}") permit (principal, action, resource);`
  const engines = await Promise.all(versions.map((number) => engineOf(permit(number))))
  for (const number of [...versions, ...versions.toReversed(), 3, 39, 3, 0, 3])
    expect((await engines[number]?.isAuthorized(requestOf()))?.policies).toMatchObject([{ id: `p${number}` }])
})

test.each([
  ['a value that Cedar has not', new Date(0)],
  ['a function', () => true],
  ['a big integer, which JSON has not', 1n],
  ['nothing', undefined],
])('%s is refused', async (_, value) => {
  // A program without types may pass anything.
  const context = { n: value as never }
  expect(await (await engineOf(anyone)).isAuthorized({ ...requestOf(), context })).toMatchObject({ decision: 'deny', errors: [{}] })
})

test('a context that nests too deep is refused, and the engine goes on', async () => {
  const engine = await engineOf(anyone)
  let deep: CedarValue = 1
  for (let depth = 0; depth < 100_000; depth++) deep = { deep }
  const answer = await engine.isAuthorized({ ...requestOf(), context: { n: deep } })
  expect(answer).toMatchObject({ decision: 'deny', errors: [{ message: 'The request nests more than 64 deep.' }] })
  expect((await engine.isAuthorized(requestOf())).decision).toBe('allow')
})

test.each([
  ['a policy that does not parse', '\npermit (principal', /test\.cedar:2 unexpected end/],
  ['a policy without an id', '\n\npermit (principal, action, resource);', /test\.cedar:3 has no @id/],
  ['an id that is taken', `${anyone}${anyone}`, /another policy with @id\("a"\), which stands in test\.cedar/],
  ['a template', `${anyone}\n@id("t") permit (principal == ?principal, action, resource);`, /test\.cedar:2 is a template/],
  ['an attribute that no entity has', `${anyone}\n@id("b") permit (principal, action, resource)\nwhen { resource.zz };`, /cedar:3 .*`zz`/],
  ['an optional attribute that was not asked for', '@id("b") permit (principal, action, resource) when { principal.level > 1 };', /level/],
  ['a type that the schema has not', '@id("b") permit (principal == Robot::"r", action, resource);', /Robot/],
])('%s is refused, with file and line', async (_, text, message) => {
  await expect(engineOf(text)).rejects.toMatchObject({ code: 'InvalidInput', message: expect.stringMatching(message) })
})

test('a schema that does not parse is refused', async () => {
  await expect(localEngine({ schema: 'entity User in [Nope];', policies: new Map() })).rejects.toMatchObject({
    code: 'InvalidInput',
    message: expect.stringMatching(/schema\.cedarschema:1 .*Nope/),
  })
})
