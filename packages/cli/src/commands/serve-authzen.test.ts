import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { freePort } from '../../../../test/free-port.ts'
import { freshFolder } from '../../test/processes.ts'
import { folder } from '../../test/recorded-shell.ts'
import { bundleCommand, endSpawned, runCommand, spawnCommand } from '../../test/spawned.ts'

// The scenario of AuthZEN's interoperability test for searches: people, records and rules of its own, loaded by a folder of policies and over HTTP alone.

const module = await bundleCommand()
afterEach(endSpawned)

const departments = ['Sales', 'Legal', 'Finance', 'Accounting'] as const
const people = {
  alice: ['manager', 'Sales'],
  bob: ['employee', 'Legal'],
  carol: ['contractor', 'Legal'],
  dan: ['manager', 'Finance'],
} as const
type Person = keyof typeof people
/** Department and owner, by id. */
const records: Readonly<Record<string, readonly [department: string, owner: Person]>> = {
  101: ['Legal', 'alice'],
  102: ['Legal', 'bob'],
  104: ['Accounting', 'dan'],
  107: ['Sales', 'alice'],
  109: ['Accounting', 'carol'],
  110: ['Sales', 'dan'],
  115: ['Finance', 'carol'],
  116: ['Legal', 'dan'],
}

const schema = `entity Tenant, Role, GlobalRole;
entity User in [Role, GlobalRole] = { preferredUsername?: String };
entity record = { department?: String, owner?: String };
action view, edit, delete appliesTo { principal: User, resource: record, context: { tenant: Tenant } };
`
const rules = `@id("owners") permit (principal, action, resource is record)
when { resource has owner && principal has preferredUsername && resource.owner == principal.preferredUsername };
@id("managers-view") permit (principal in Role::"manager", action == Action::"view", resource is record);
${departments
  .map(
    (name) => `@id("${name}-views") permit (principal in Role::"${name}", action == Action::"view", resource is record)
when { resource has department && resource.department == "${name}" };
@id("managers-edit-${name}") permit (principal in Role::"manager", action == Action::"edit", resource is record)
when { resource has department && resource.department == "${name}" && principal in Role::"${name}" };`,
  )
  .join('\n')}
`

/** The rules of the scenario, told once more. */
function may(person: Person, action: string, [department, owner]: readonly [string, Person]): boolean {
  const [role, own] = people[person]
  if (owner === person) return true
  const isOfDepartment = department === own
  return action === 'view' ? role === 'manager' || isOfDepartment : action === 'edit' && role === 'manager' && isOfDepartment
}

interface Called {
  readonly status: number
  // A test reaches into what its endpoint answers.
  readonly body: Readonly<Record<string, string>> & { readonly results?: readonly { readonly id?: string; readonly name?: string }[] }
}

test('serve answers and searches a scenario whose people, records and rules were loaded by public means alone', async () => {
  const directory = freshFolder()
  const port = String(await freePort())
  const policies = folder({ 'schema.cedarschema': schema, 'records.cedar': rules })
  const options = ['--policies', policies, '--authzen-tenant', 'records', '--public-url', 'https://pdp.example.com']
  const served = spawnCommand(['serve', '--design', 'authorization', '--port', port, ...options], { module, cwd: dirname(directory) })
  await served.says('In another terminal:')
  const key = readFileSync(join(directory, 'first-key'), 'utf8').trim()
  const address = `http://127.0.0.1:${port}`
  const call = async (path: string, body: object): Promise<Called> => {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', 'X-Request-ID': 'request-1' }
    const answer = await fetch(`${address}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    if (path.startsWith('/authzen')) expect(answer.headers.get('x-request-id')).toBe('request-1')
    return { status: answer.status, body: (await answer.json()) as Called['body'] }
  }
  const made = async (name: string, input: object) => {
    const { status, body } = await call(`/v1/authorization/flows/${name}`, input)
    expect([name, status, body]).toEqual([name, 200, body])
    return body
  }
  const { tenantId } = await made('createTenant', { name: 'records' })
  const roles: Record<string, string | undefined> = {}
  for (const name of [...departments, 'manager', 'employee', 'contractor'])
    roles[name] = (await made('createRole', { name, scope: 'tenant' })).roleId
  for (const [name, held] of Object.entries(people)) {
    const { userId } = await made('createUser', { email: `${name}@example.org`, preferredUsername: name })
    await made('createGrant', { tenantId, userId, roles: held.map((role) => roles[role]) })
  }
  for (const [id, [department, owner]] of Object.entries(records))
    await made('createResource', { tenantId, type: 'record', id, attributes: { department, owner } })

  const ask = async (path: string, body: object) => (await call(`/authzen/authorization/access/v1/${path}`, body)).body
  const found = async (kind: string, body: object) =>
    ((await ask(`search/${kind}`, body)).results ?? []).map(({ id, name }) => id ?? name).sort()
  // As an API gateway of the interoperability test names the person.
  const identity = { type: 'identity', id: 'alice' }
  expect(await ask('evaluation', { subject: identity, action: { name: 'edit' }, resource: { type: 'record', id: '101' } })).toEqual({
    decision: true,
  })
  expect(
    await ask('evaluation', { subject: { ...identity, type: 'robot' }, action: { name: 'edit' }, resource: { type: 'record', id: '101' } }),
  ).toEqual({
    decision: false,
  })
  const names = Object.keys(people) as Person[]
  const all = Object.entries(records)
  const actions = ['delete', 'edit', 'view']
  for (const name of names) {
    const subject = { type: 'user', id: name }
    for (const action of actions) {
      const expected = all.filter(([, record]) => may(name, action, record)).map(([id]) => id)
      expect([name, action, await found('resource', { subject, action: { name: action }, resource: { type: 'record' } })]).toEqual([
        name,
        action,
        expected,
      ])
    }
    for (const [id, record] of all) {
      const resource = { type: 'record', id }
      const expected = actions.filter((action) => may(name, action, record))
      expect([name, id, await found('action', { subject, resource })]).toEqual([name, id, expected])
      expect(await ask('evaluation', { subject, action: { name: 'edit' }, resource })).toMatchObject({
        decision: may(name, 'edit', record),
      })
    }
  }
  for (const [id, record] of all) {
    const expected = names.filter((name) => may(name, 'view', record))
    const asked = { subject: { type: 'user' }, action: { name: 'view' }, resource: { type: 'record', id } }
    expect([id, await found('subject', asked)]).toEqual([id, expected])
  }

  const metadata = await fetch(`${address}/.well-known/authzen-configuration/authzen/authorization`)
  expect([metadata.status, await metadata.json()]).toMatchObject([
    200,
    { policy_decision_point: 'https://pdp.example.com/authzen/authorization' },
  ])
  served.process.kill('SIGINT')
  expect(await served.ended).toEqual({ code: 0, signal: null })
})

test('serve takes no public address but one of https', async () => {
  const cwd = dirname(freshFolder())
  const { code, out, err } = await runCommand(['serve', '--memory', '--port', '0', '--public-url', 'http://pdp.example.com'], {
    module,
    cwd,
  })
  expect({ code, out, err }).toEqual({ code: 2, out: '', err: expect.stringContaining('publicUrl is not an https address') })
})
