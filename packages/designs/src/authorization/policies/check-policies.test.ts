import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { checkPolicies, type PolicyFolder } from './check-policies.ts'
import { starterFiles } from './starter.ts'

const folderOf = (files: Readonly<Record<string, string>>): PolicyFolder => {
  const of = (end: string) => Object.entries(files).filter(([name]) => name.endsWith(end))
  return {
    policies: new Map(of('.cedar')),
    schema: files['schema.cedarschema'] ?? '',
    cases: new Map(of('.cases.yaml').map(([name, text]) => [name, parse(text)])),
  }
}
const starter = folderOf(starterFiles)
const roles = starterFiles['roles.cedar'] ?? ''
const withFile = (name: string, text: string) => checkPolicies(folderOf({ ...starterFiles, [name]: text }))
const problems = ({ results }: Awaited<ReturnType<typeof checkPolicies>>) =>
  results.flatMap(({ name, problem }) => (problem === undefined ? [] : [`${name}: ${problem}`]))
const oneCase = { name: 'x', principal: { id: 'u' }, grants: { t: ['agent'] }, tenant: 't', action: 'createTicket' }
const ofTenant = { ...oneCase, resource: { type: 'Tenant', id: 't' }, decision: 'allow', by: ['agents-work-on-tickets'] }
const askOne = async (change: object) => checkPolicies({ ...starter, cases: new Map([['a.cases.yaml', [{ ...ofTenant, ...change }]]]) })

test('the starter checks: it is formatted, every case passes, and a case exercises every policy', async () => {
  const { issues, formatted, results, unexercised } = await checkPolicies(starter)
  expect({ issues, formatted, unexercised }).toEqual({ issues: [], formatted: {}, unexercised: [] })
  expect(results.filter(({ problem }) => problem !== undefined)).toEqual([])
  expect(results.length).toBeGreaterThan(10)
})

const policies = [...starter.policies].flatMap(([file, text]) =>
  [...text.matchAll(/@id\("([^"]+)"\)/g)].map(([, id = '']) => ({ file, id })),
)

test.each(policies)('without $id of the starter a case fails', async ({ file, id }) => {
  const text = starter.policies.get(file) ?? ''
  const without = text.replace(new RegExp(`@id\\("${id}"\\)[^;]*;`), '')
  expect(without).not.toBe(text)
  expect(problems(await withFile(file, without))).not.toEqual([])
})

test('a failing case says what was expected and what was answered', async () => {
  const check = await withFile('roles.cedar', roles.replace('principal in Role::"viewer"', 'principal in Role::"nobody"'))
  expect(problems(check)).toEqual(['A viewer reads a ticket: expected allow by viewers-read-tickets, got deny by no policy'])
  expect(check.unexercised).toEqual(['viewers-read-tickets'])
})

test('a policy that no case exercises is named', async () => {
  const more = `${roles}\n@id("spare")\npermit (\n  principal in Role::"spare",\n  action,\n  resource\n);\n`
  const check = await withFile('roles.cedar', more)
  expect({ unexercised: check.unexercised, problems: problems(check) }).toEqual({ unexercised: ['spare'], problems: [] })
})

test('a file that is not formatted is given as the formatter writes it', async () => {
  const check = await withFile('roles.cedar', roles.replace('principal in Role::"viewer",\n  ', 'principal in Role::"viewer", '))
  expect(check.formatted).toEqual({ 'roles.cedar': roles })
  expect(problems(check)).toEqual([])
})

test.each([
  ['a context that names a tenant', { context: { tenant: 'other' } }, ['a.cases.yaml', 1, 'context', 'tenant'], /is added/],
  ['grants that are no names', { grants: { t: 'agent' } }, ['a.cases.yaml', 1, 'grants', 't'], /is not a list/],
  ['a part that cases have not', { decide: 'allow' }, ['a.cases.yaml', 1, 'decide'], /is no part of a case/],
  ['another decision', { decision: 'maybe' }, ['a.cases.yaml', 1, 'decision'], /allow/],
])('%s is an issue, and no case is asked', async (_, change, path, message) => {
  const { issues, results } = await askOne(change)
  expect(issues).toEqual([{ path, message: expect.stringMatching(message) }])
  expect(results).toEqual([])
})

test('a file of cases that is no list is an issue', async () => {
  const { issues } = await checkPolicies({ ...starter, cases: new Map([['a.cases.yaml', { cases: [] }]]) })
  expect(issues).toEqual([{ path: ['a.cases.yaml'], message: 'is not a list of cases' }])
})

test.each([
  ['a case as it stands', {}, []],
  [
    'an answer by another policy',
    { by: ['viewers-read-tickets'] },
    ['x: expected allow by viewers-read-tickets, got allow by agents-work-on-tickets'],
  ],
  ['a grant in another tenant alone', { grants: { other: ['agent'] }, decision: 'deny', by: [] }, []],
  ['an action that the schema has not', { action: 'burn', decision: 'deny', by: [] }, [expect.stringContaining('burn')]],
  ['an attribute that the schema has not', { principal: { id: 'u', attributes: { rank: 1 } } }, [expect.stringContaining('rank')]],
  ['a number that is rounded', { context: { n: 2 ** 53 } }, [expect.stringContaining('2^53')]],
])('%s', async (_, change, expected) => {
  expect(problems(await askOne(change))).toEqual(expected)
})

test('a policy that Cedar skips fails the case, though the decision is the expected one', async () => {
  const schema = starterFiles['schema.cedarschema']?.replace('  status: String,', '  status: String,\n  size: Long,')
  const skipped = '@id("skipped") permit (principal, action, resource is Ticket) when { resource.size + 9223372036854775807 > 0 };'
  const attributes = { status: 'open', size: 1, tenant: { type: 'Tenant', id: 't' } }
  const asked = { ...ofTenant, action: 'closeTicket', resource: { type: 'Ticket', id: 'a', attributes } }
  const check = await checkPolicies({
    policies: new Map([...starter.policies, ['more.cedar', skipped]]),
    schema: schema ?? '',
    cases: new Map([['a.cases.yaml', [asked]]]),
  })
  expect(check.issues).toEqual([])
  expect(problems(check)).toEqual([expect.stringMatching(/^x: skipped fails: .*overflow/)])
})

test('a case tells the attributes of the tenant, and the roles of a user that is the resource', async () => {
  const schema = `entity Tenant = { name: String };
entity Role;
entity GlobalRole;
entity User in [Role, GlobalRole];
action dismiss appliesTo { principal: User, resource: User, context: { tenant: Tenant } };
`
  const policies = `@id("acme")
permit (principal, action, resource)
when { context.tenant.name == "acme" };

@id("owners stay")
forbid (principal, action, resource in Role::"owner");
`
  const asked = { ...oneCase, action: 'dismiss', tenantAttributes: { name: 'acme' }, decision: 'allow', by: ['acme'] }
  const other = { type: 'User', id: 'other' }
  const cases = [
    { ...asked, resource: other },
    { ...asked, resource: { ...other, roles: ['owner'] }, decision: 'deny', by: ['owners stay'] },
    { ...asked, resource: other, tenantAttributes: { name: 'rival' }, decision: 'deny', by: [] },
  ]
  const checked = await checkPolicies({ schema, policies: new Map([['a.cedar', policies]]), cases: new Map([['a.cases.yaml', cases]]) })
  expect([checked.issues, problems(checked), checked.unexercised]).toEqual([[], [], []])
})
