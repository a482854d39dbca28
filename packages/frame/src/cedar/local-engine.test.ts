import { describe, expect, test } from 'vitest'
import { ada, cedarCases, requestOf, uid } from '../../test/cedar-cases.ts'
import { localEngine } from './local-engine.ts'
import { type PackedPolicies, packPolicies } from './packed-policies.ts'
import type { CedarValue } from './policy-engine.ts'
import type { PolicyFiles, PolicyLink } from './policy-set.ts'

const filesOf = (...policies: readonly string[]): PolicyFiles => ({
  schema: cedarCases.schema,
  policies: new Map([['test.cedar', policies.join('\n')]]),
})
const engineOf = (...policies: readonly string[]) => localEngine(filesOf(...policies))
/** What was packed, as another process reads it. */
const packed = async (files: PolicyFiles): Promise<PackedPolicies> => JSON.parse(JSON.stringify(await packPolicies(files)))

const anyone = '@id("a") permit (principal, action, resource);'

describe.each([
  ['read from their texts', async (files: PolicyFiles) => localEngine(files)],
  ['packed', async (files: PolicyFiles) => localEngine(files, await packed(files))],
])('what we rely on of Cedar, with policies that are %s', (_, opened) => {
  test.each(cedarCases.cases)('$name', async (one) => {
    const answer = await (await opened(filesOf(...one.policies))).isAuthorized(requestOf(one))
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
  ['a policy with a blank id', '\n@id(" ")\npermit (principal, action, resource);', /test\.cedar:2 has no @id/],
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

describe('a template', () => {
  const template = '@id("t")\n@reason("Linked.")\npermit (principal == ?principal, action, resource in ?resource);'
  const link = { id: 'ada-at-home', template: 't', principal: ada, resource: uid('Folder', 'home') }
  const linked = (...links: readonly PolicyLink[]) =>
    localEngine({ schema: cedarCases.schema, policies: new Map([['test.cedar', template]]), links })

  test('decides as each of its links says, which are named', async () => {
    const answer = await (await linked(link)).isAuthorized(requestOf())
    expect(answer).toMatchObject({
      decision: 'allow',
      policies: [{ id: 'ada-at-home', annotations: { reason: 'Linked.' }, text: template }],
    })
    const elsewhere = await linked({ ...link, resource: uid('Folder', 'work') })
    expect(await elsewhere.isAuthorized(requestOf())).toMatchObject({ decision: 'deny', policies: [] })
  })

  test.each([
    ['a link of no template', { ...link, template: 'none' }, /ada-at-home links "none", which is no template/],
    ['a link with the id of its template', { ...link, id: 't' }, /t is the id of another policy/],
    [
      'a link without one of its placeholders',
      { ...link, resource: undefined },
      /: ada-at-home lacks a resource, which its template "t" wants/,
    ],
    ['a link to a type that the schema has not', { ...link, principal: uid('Robot', 'r') }, /Robot/],
  ])('%s is refused', async (_, one, message) => {
    await expect(linked(one)).rejects.toMatchObject({ code: 'InvalidInput', message: expect.stringMatching(message) })
  })

  test('has the placeholders of its scope, and no others', async () => {
    const wants = '@id("t") permit (principal is User in ?principal, action, resource == Doc::"?resource");'
    const files = { schema: cedarCases.schema, policies: new Map([['test.cedar', wants]]) }
    const role = { ...link, principal: uid('Role', 'owner'), resource: undefined }
    await expect(localEngine({ ...files, links: [role] })).resolves.toBeDefined()
    await expect(localEngine({ ...files, links: [{ ...role, resource: uid('Doc', 'd') }] })).rejects.toMatchObject({
      message: expect.stringMatching(/: ada-at-home has a resource, and its template "t" has no \?resource/),
    })
  })

  test('that does not fit the schema is named by its file', async () => {
    const wrong = '\n@id("t") permit (principal == ?principal, action == Action::"nope", resource);'
    const files = { schema: cedarCases.schema, policies: new Map([['test.cedar', wrong]]), links: [{ ...link, resource: undefined }] }
    await expect(localEngine(files)).rejects.toMatchObject({ message: expect.stringMatching(/test\.cedar:2 .*nope/) })
  })
})

describe('packed policies', () => {
  const exact = '@id("exact") permit (principal, action, resource) when { context.n + 9007199254740993 == 9007199254740994 };'
  const asked = requestOf()

  test('decide, and say what the schema declares, without being parsed again', async () => {
    const one = await packed(filesOf(anyone))
    // The text is not read again: the packed form of it decides.
    const other = { ...one, parsed: { ...one.parsed, policies: {} } }
    expect((await (await localEngine(filesOf(anyone), one)).isAuthorized(asked)).decision).toBe('allow')
    const empty = filesOf(anyone, '// other text')
    expect((await (await localEngine(empty, { ...other, version: (await packed(empty)).version })).isAuthorized(asked)).decision).toBe(
      'deny',
    )
    const [engine, plain] = [await localEngine(filesOf(anyone), one), await localEngine(filesOf(anyone))]
    expect([engine.actionsOn('Doc'), engine.attributesOf('User'), engine.contextOf('view'), engine.version]).toEqual([
      ...[plain.actionsOn('Doc'), plain.attributesOf('User'), plain.contextOf('view'), plain.version],
    ])
  })

  test('of other files, or by another version of Cedar, are without effect', async () => {
    const one = await packed(filesOf(anyone))
    const decisions = async (files: PolicyFiles, of: PackedPolicies) => (await (await localEngine(files, of)).isAuthorized(asked)).decision
    expect(await decisions(filesOf(), one)).toBe('deny')
    // Cedar keeps what it parsed by the version of the files, so each has files of its own.
    const forged = async (comment: string, change: Partial<PackedPolicies>) => {
      const files = filesOf(anyone, `// ${comment}`)
      const of = await packed(files)
      return decisions(files, { ...of, parsed: { ...of.parsed, policies: {} }, ...change })
    }
    expect(await forged('as packed', {})).toBe('deny')
    expect(await forged('another Cedar', { cedar: '0.0.0' })).toBe('allow')
    expect(await forged('another format', { format: one.format - 1 })).toBe('allow')
  })

  test('with a policy whose text is not in its file are without effect', async () => {
    const one = await packed(filesOf(anyone))
    const texts = async (of: PackedPolicies) =>
      (await (await localEngine(filesOf(anyone), of)).isAuthorized(asked)).policies.map(({ text, file }) => ({ text, file }))
    for (const other of [{ text: '@id("a") permit (principal, action, resource) unless { false };' }, { file: 'other.cedar' }])
      expect(await texts({ ...one, policies: one.policies.map((each) => ({ ...each, ...other })) })).toEqual([
        { text: anyone, file: 'test.cedar' },
      ])
  })

  test('have a policy as its text if its numbers are larger than JavaScript takes', async () => {
    const { parsed } = await packed(filesOf(exact, anyone))
    expect(parsed.policies).toEqual({ exact, a: expect.any(Object) })
  })

  test('that do not fit their schema are refused', async () => {
    await expect(
      packPolicies(filesOf('@id("a") permit (principal, action, resource) when { resource.colour == 1 };')),
    ).rejects.toMatchObject({
      code: 'InvalidInput',
    })
  })
})
