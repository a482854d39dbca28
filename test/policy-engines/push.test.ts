import { starterFiles } from '@freehold/designs/authorization/policies'
import { localEngine, type PolicyFiles, policyFiles, readPolicySet } from '@freehold/frame/cedar'
import {
  type PolicyRecord,
  type PolicyRecords,
  policyDrift,
  pulledFiles,
  pushPolicies,
  type StoreOptions,
  verifiedPermissions,
} from '@freehold/service/verified-permissions'
import { describe, expect, test } from 'vitest'
import { emptyStore } from './opened-store.ts'
import type { PolicyStoreStub } from './policy-store-stub.ts'

// A folder is pushed to a policy store on loopback, which was written from AWS's documentation.

const schema = 'entity User; entity Doc = { size: Long }; action view, edit appliesTo { principal: User, resource: Doc };'
const folder = (files: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(Object.entries({ 'schema.cedarschema': schema, ...files }))
const filesOf = (files: Readonly<Record<string, string>>) => policyFiles(folder(files))

const forbid = '@id("no-edit")\nforbid (principal, action == Action::"edit", resource);'
const permit = '@id("all")\npermit (principal, action, resource);'
const narrower = '@id("all")\npermit (principal, action, resource) when { resource.size < 3 };'
const other = '@id("all")\npermit (principal == User::"ada", action, resource);'
const spare = '@id("spare")\npermit (principal == User::"eve", action == Action::"view", resource);'
const template = '@id("t")\npermit (principal == ?principal, action, resource == ?resource);'
const otherTemplate = '@id("t")\npermit (principal == ?principal, action == Action::"view", resource in ?resource);'
const link = (id: string, user: string, doc = 'd') => ({
  id,
  template: 't',
  principal: { type: 'User', id: user },
  resource: { type: 'Doc', id: doc },
})
const links = (...all: readonly object[]) => JSON.stringify(all)

/** What a table knows of policies: names and ids are unique, as they are there. */
class Records implements PolicyRecords {
  readonly held = new Map<string, string>()
  readonly writes: string[] = []
  onWrite: () => void = () => {}
  list = async (): Promise<readonly PolicyRecord[]> => [...this.held].map(([name, policyId]) => ({ name, policyId }))
  register = async ({ policyId, name }: PolicyRecord) => {
    this.onWrite()
    if (this.held.has(name) || [...this.held.values()].includes(policyId)) throw new Error(`${name} or ${policyId} is recorded already`)
    this.held.set(name, policyId)
    this.writes.push(`register ${name}`)
  }
  rename = async ({ policyId, name }: PolicyRecord) => {
    await this.remove(policyId)
    await this.register({ policyId, name })
  }
  remove = async (policyId: string) => {
    this.onWrite()
    const name = [...this.held].find(([, id]) => id === policyId)?.[0]
    if (name === undefined) throw new Error(`${policyId} is not recorded`)
    this.held.delete(name)
    this.writes.push(`remove ${name}`)
  }
}

interface Place {
  readonly stub: PolicyStoreStub
  readonly options: StoreOptions
  readonly records: Records
}
const begun = async (): Promise<Place> => ({ ...(await emptyStore()), records: new Records() })

/** The store as it is, with the names of its links and without its own ids. */
async function contentOf({ stub }: Pick<Place, 'stub'>) {
  const texts = [...stub.policies.values()].flatMap(({ definition, name }) => {
    const { static: own, templateLinked: to } = definition
    if (own !== undefined) return [own.statement]
    return [`${name} links ${stub.templates.get(to?.policyTemplateId ?? '')?.statement} ${JSON.stringify([to?.principal, to?.resource])}`]
  })
  return {
    schema: JSON.parse(stub.schema() ?? 'null'),
    texts: texts.sort(),
    templates: [...stub.templates.values()].map(({ statement }) => statement).sort(),
  }
}

/** What a fresh push of a folder makes of an empty store. */
async function fresh(files: PolicyFiles) {
  const place = await begun()
  await pushPolicies(place.options, files, place.records)
  return { content: await contentOf(place), names: [...place.records.held.keys()].sort() }
}

const first = {
  'a.cedar': `${permit}\n${forbid}\n${spare}`,
  't.cedar': template,
  'links.json': links(link('ada', 'ada'), link('bob', 'bob')),
}
const versions: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'the same again': first,
  'a condition changed': { ...first, 'a.cedar': `${narrower}\n${forbid}\n${spare}` },
  'a head changed': { ...first, 'a.cedar': `${other}\n${forbid}\n${spare}` },
  'a policy gone': { ...first, 'a.cedar': `${permit}\n${forbid}` },
  'another policy, and another schema': {
    ...first,
    'schema.cedarschema': `${schema} entity Team;`,
    'a.cedar': `${permit}\n${forbid}\n${spare}\n@id("team")\nforbid (principal, action, resource) when { resource.size > 9 };`,
  },
  'another template, a link changed, one gone': {
    ...first,
    't.cedar': otherTemplate,
    'links.json': links(link('ada', 'eve'), link('cy', 'cy', 'e')),
  },
  'a link of the same name elsewhere': { ...first, 'links.json': links(link('ada', 'ada', 'other'), link('bob', 'bob')) },
  'no templates': { 'a.cedar': `${permit}\n${forbid}\n${spare}` },
  nothing: {},
}

describe('push', () => {
  test.each(Object.entries(versions))('makes the store equal to the folder: %s', async (_, next) => {
    const place = await begun()
    await pushPolicies(place.options, filesOf(first), place.records)
    await pushPolicies(place.options, filesOf(next), place.records)
    const expected = await fresh(filesOf(next))
    // A template that nothing links grants nothing, and the table does not know it.
    const isWithoutTemplates = !('t.cedar' in next)
    const content = await contentOf(place)
    expect(isWithoutTemplates ? { ...content, templates: [] } : content).toEqual(expected.content)
    expect([...place.records.held.keys()].sort()).toEqual(expected.names)
    expect([...place.records.held.values()].sort()).toEqual([...place.stub.policies.keys()].sort())
    expect(await policyDrift(place.options, filesOf(next), place.records)).toMatchObject({ steps: [] })
  })

  test('done again changes nothing', async () => {
    const place = await begun()
    await pushPolicies(place.options, filesOf(first), place.records)
    place.stub.asked.length = 0
    place.records.writes.length = 0
    expect(await pushPolicies(place.options, filesOf(first), place.records)).toEqual({ steps: [], foreign: [] })
    expect(place.stub.asked.filter(({ operation }) => !/^(Get|List)/.test(operation))).toEqual([])
    expect(place.records.writes).toEqual([])
  })

  test.each(Object.entries(versions))('is repeatable after a crash at any request that writes: %s', async (_, next) => {
    const expected = await fresh(filesOf(next))
    for (let count = 1, isOver = false; !isOver; count++) {
      for (const isDone of [false, true]) {
        const place = await begun()
        await pushPolicies(place.options, filesOf(first), place.records)
        // The process ends before a request that writes, or before its answer.
        let left = count
        const dies = new Error('The process ends.')
        place.stub.inject = (operation) =>
          /^(Get|List)/.test(operation) ? undefined : --left > 0 ? undefined : left < 0 || !isDone ? 'lose-request' : 'lose-answer'
        place.records.onWrite = () => {
          if (--left <= 0) throw dies
        }
        const ended = await pushPolicies({ ...place.options, patience_ms: -1 }, filesOf(next), place.records).then(
          () => true,
          () => false,
        )
        isOver = ended
        place.stub.inject = () => undefined
        place.records.onWrite = () => {}
        await pushPolicies(place.options, filesOf(next), place.records)
        const content = await contentOf(place)
        expect(content.texts, `at request ${count}`).toEqual(expected.content.texts)
        expect(content.schema).toEqual(expected.content.schema)
        expect([...place.records.held.keys()].sort()).toEqual(expected.names)
        expect([...place.records.held.values()].sort()).toEqual([...place.stub.policies.keys()].sort())
        await place.stub.close()
      }
    }
  })

  test('forbids first, and takes what is permitted away before what is forbidden', async () => {
    const place = await begun()
    const { steps } = await pushPolicies(place.options, filesOf({ 'a.cedar': `${permit}\n${forbid}` }), place.records)
    expect(steps.map((step) => ('id' in step ? step.id : step.does))).toEqual(['put schema', 'no-edit', 'all'])
    const gone = await pushPolicies(place.options, filesOf({}), place.records)
    expect(gone.steps).toMatchObject([
      { does: 'delete', id: 'all' },
      { does: 'delete', id: 'no-edit' },
    ])
  })

  test('leaves what the table does not know, unless it is told to prune', async () => {
    const place = await begun()
    await pushPolicies(place.options, filesOf(first), place.records)
    place.stub.put(place.stub.schema() ?? '', ['@id("theirs")\npermit (principal, action, resource);'])
    const { foreign } = await pushPolicies(place.options, filesOf({}), place.records)
    expect(foreign).toEqual([expect.objectContaining({ name: 'theirs' }), expect.objectContaining({ name: 't' })])
    expect((await contentOf(place)).texts).toHaveLength(1)
    expect((await pushPolicies(place.options, filesOf({}), place.records, { prune: true })).foreign).toEqual([])
    expect(await contentOf(place)).toMatchObject({ texts: [], templates: [] })
  })

  test.each([
    [
      'a policy of more than 10,000 bytes',
      { 'a.cedar': `@id("long")\npermit (principal, action, resource) when { "${'ü'.repeat(5000)}" == "" };` },
      /long is larger than 10000 bytes/,
    ],
    ['a link whose id is no name', { 't.cedar': template, 'links.json': links(link('a b', 'ada')) }, /a b is no id of a link/],
    ['a policy that does not fit the schema', { 'a.cedar': '@id("a")\npermit (principal, action, resource) when { resource.zz };' }, /zz/],
  ])('%s is refused before anything changes', async (_, files, message) => {
    const { stub, options, records } = await begun()
    await expect(pushPolicies(options, filesOf(files), records)).rejects.toMatchObject({
      code: 'InvalidInput',
      message: expect.stringMatching(message),
    })
    expect(stub.asked).toEqual([])
  })

  test('throttling and lost answers in between are no crash, and create nothing twice', async () => {
    const { stub, options, records } = await begun()
    let count = 0
    stub.inject = () => (++count % 2 === 0 ? undefined : count % 4 === 1 ? 'lose-answer' : { code: 'ThrottlingException' })
    await pushPolicies(options, filesOf(first), records)
    stub.inject = () => undefined
    expect(await contentOf({ stub })).toEqual((await fresh(filesOf(first))).content)
  })
})

test('the starter that was pushed decides as the folder does', async () => {
  const files = policyFiles(new Map(Object.entries(starterFiles)))
  const { options, records } = await begun()
  await pushPolicies(options, files, records)
  const [one, two] = [await localEngine(files), await verifiedPermissions(options)]
  const request = (tenant: string) => ({
    ...{ principal: { type: 'User', id: 'o' }, action: { type: 'Action', id: 'renameTenant' }, resource: { type: 'Tenant', id: 'acme' } },
    context: { tenant: { __entity: { type: 'Tenant', id: tenant } } },
    entities: [{ uid: { type: 'User', id: 'o' }, parents: [{ type: 'Role', id: 'owner' }] }, { uid: { type: 'Tenant', id: 'acme' } }],
  })
  for (const tenant of ['acme', 'rival']) {
    const told = async (engine: typeof one) => {
      const { decision, policies } = await engine.isAuthorized(request(tenant))
      return [decision, policies.map(({ id }) => id)]
    }
    expect(await told(two)).toEqual(await told(one))
  }
  two.close()
})

describe('pull', () => {
  test.each(Object.entries(versions))('makes the folder equal to the store: %s', async (_, next) => {
    const place = await begun()
    await pushPolicies(place.options, filesOf(next), place.records)
    const before = folder(first)
    const pulled = await pulledFiles(place.options, before)
    const after = policyFiles(new Map([...before, ...pulled]))
    await readPolicySet(after)
    expect(await policyDrift(place.options, after, place.records)).toMatchObject({ steps: [] })
    expect(await pulledFiles(place.options, new Map([...before, ...pulled]))).toEqual(new Map())
  })

  test('gives what another has put there an id, and writes an empty folder', async () => {
    const place = await begun()
    await pushPolicies(place.options, filesOf(first), place.records)
    place.stub.put(place.stub.schema() ?? '', ['permit (principal, action, resource);'])
    const pulled = await pulledFiles(place.options, new Map())
    expect([...pulled.keys()].sort()).toEqual(['links.json', 'pulled.cedar', 'schema.cedarschema'])
    const { policies } = await readPolicySet(policyFiles(pulled))
    expect(policies.size).toBe(6)
  })
})
