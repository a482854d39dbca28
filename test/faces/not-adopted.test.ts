import { randomUUID } from 'node:crypto'
import { designModules } from '@freehold/designs'
import type { DesignModule } from '@freehold/frame'
import { operator } from '@freehold/frame/flow'
import { createService, openKeys } from '@freehold/service'
import { connect, type FreeholdError } from '@freehold/table'
import { describe, expect, test } from 'vitest'
import { freehold } from '../../packages/cli/test/recorded-shell.ts'
import { foreignTable, itemsOf } from '../../packages/designs/test/documents/written.ts'
import { called } from '../../packages/service/test/serving.ts'
import { engineSender } from '../engine/endpoint.ts'

// What rests on items that a design adds to its document, on a table that another program filled: library, command and HTTP answer alike, before it is
// adopted and after.

type Values = Readonly<Record<string, unknown>>
/** A question, a flow or an access pattern. */
type Row = readonly [way: 'ask' | 'do' | 'query', name: string, input: Values]

const id = (letters: string) => `${letters.repeat(4)}-0000-4000-8000-000000000001`
const [client, project, building, user, role] = ['c1', 'd0', 'b0', 'a0', 'e0'].map(id) as [string, string, string, string, string]
const permission = 'cameras:read:stream'
const [ada, tenantId] = ['01J8YZZQ3V8PZKQ0ZKX4C2M7FM', '01J8Z0E2Z8D2A3J7A7Y2H9GQ9C']
const [userId, locationId] = ['01ARZ3NDEKTSV4RRFFQ69G5FAV', '01ARZ3NDEKTSV4RRFFQ69G5FBB']

const rows: Readonly<Record<string, readonly Row[]>> = {
  'account-management': [
    ['ask', 'who', { client, project, building, permission }],
    ['ask', 'where', { user, permission }],
    ['do', 'createRole', { client_id: client, name: 'reader' }],
    ['do', 'changeUserEmail', { id: user, email: 'ada@example.com' }],
    ['do', 'setParentRole', { client_id: client, id: role, parent_role_id: id('ec') }],
    ['do', 'updateProject', { id: project, name: 'Harbour' }],
    ['do', 'updateBuilding', { id: building, name: 'Pier' }],
    ['do', 'revokeSession', { id: id('be') }],
    ['do', 'deleteRole', { client_id: client, id: role }],
    ['do', 'exportClient', { id: client }],
    ['do', 'sweep', {}],
    ['query', 'clients', {}],
    ['query', 'holdersOfRole', { role_id: role }],
    ['query', 'childrenOfRole', { parent_role_id: role }],
    ['query', 'assignmentsAtScope', { scope_type: 'project', scope_id: project }],
  ],
  platform: [
    ['ask', 'who', { account: 'acc-1', menu: 'dashboard', action: 'view' }],
    ['ask', 'where', { user: 'usr-1', menu: 'dashboard', action: 'view' }],
    ['do', 'createUser', { accountId: 'acc-1', email: 'eve@example.org', firstName: 'Eve', lastName: 'Test' }],
    ['do', 'deleteEnterprise', { id: 'ent-1' }],
    ['query', 'rolesOfMenu', { menuKey: 'dashboard' }],
    ['query', 'usersOfWorkstream', { workstreamId: 'ws-1' }],
  ],
  authorization: [
    ['do', 'createTenant', { name: 'acme' }],
    ['do', 'deleteUser', { userId: ada }],
    ['query', 'grantsOfUserOnTable', { userId: ada }],
    ['query', 'grantsOfTenant', { tenantId }],
  ],
  rebac: [
    ['ask', 'who', { location: 'NYC001', page: 'dashboard' }],
    ['ask', 'where', { user: userId, page: 'dashboard' }],
    ['do', 'deletePage', { pageName: 'payroll' }],
    ['query', 'users', {}],
    ['query', 'groupsOfRole', { roleName: 'teacher' }],
    ['query', 'groupsOfLocation', { locationId }],
  ],
}
/** What the document's own items answer. */
const answered: ReadonlySet<string> = new Set(['grantsOfTenant'])
/** What is refused for another reason once the table is adopted. */
const refusedAfter: Readonly<Record<string, string>> = {
  createRole: 'AlreadyExists',
  deleteRole: 'InUse',
  deleteEnterprise: 'InUse',
  createTenant: 'AlreadyExists',
}

/** A second role, for one to be above the other. */
const more: Readonly<Record<string, readonly object[]>> = {
  'account-management': [{ PK: `CLIENT#${client}`, SK: `ROLE#${id('ec')}`, Type: 'Role', name: 'writer' }],
}

/** One table, through each face: each says what code an answer has, or none. */
async function faces({ design, ...module }: DesignModule) {
  const { name } = design
  const { table: of } = (await foreignTable(design, [...Object.values(itemsOf(name)), ...((more[name] ?? []) as never[])])).runtime
  const open = () => connect(design, { table: of, sender: engineSender(), jobHandlers: module.flows?.jobHandlers ?? {} })
  const table = open()
  const decider = module.decider?.(table.runtime)
  const keys = await openKeys({ sender: engineSender(), table: `keys-${randomUUID()}` })
  const { text: key } = await keys.newKey('test')
  const app = createService({ tables: new Map([[name, { module: { design, ...module }, table: open() }]]), keys, log: () => {} })
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const library = async ([way, what, input]: Row): Promise<unknown> => {
    if (way === 'do') return module.flows?.run(table, what, input, { actor: operator })
    return way === 'ask' ? decider?.[what as 'who' | 'where'](input) : table.patternNamed(what)(input)
  }
  const routes = { ask: '', do: 'flows/', query: 'patterns/' } as const
  return {
    library: async (row: Row) =>
      library(row).then(
        () => undefined,
        ({ code, details }: FreeholdError) => ({ code, command: details.command }),
      ),
    http: async ([way, what, input]: Row) => {
      const path = `/v1/${name}/${routes[way]}${what}`
      const { status, body } = await called(await app.request(path, { method: 'POST', headers, body: JSON.stringify(input) }))
      return { status, code: body.code }
    },
    command: async ([way, what, input]: Row) => {
      const verb = way === 'ask' ? [what, name] : [way, name, what]
      const { exit, err } = await freehold([...verb, JSON.stringify(input), '--table', of, '--json'])
      return { exit, code: err === '' ? undefined : JSON.parse(err).error.code }
    },
    adopt: () => freehold(['adopt', name, '--table', of]),
  }
}

const names = Object.keys(rows)
describe.each(names)('%s', (name) => {
  const asked = rows[name] ?? []
  const module = designModules.get(name)
  if (module === undefined) throw new Error(`There is no design ${name}.`)
  const code = 'NotAdopted'

  test('is not asked before it is adopted what the table cannot tell', async () => {
    const { library, http, command } = await faces(module)
    for (const row of asked) {
      const [, what] = row
      if (answered.has(what)) expect([what, await library(row), await http(row)]).toMatchObject([what, undefined, { status: 200 }])
      else
        expect([what, await library(row), await http(row), await command(row)]).toEqual([
          what,
          { code, command: `freehold adopt ${name}` },
          { status: 503, code },
          { exit: 2, code },
        ])
    }
  })

  test('is asked once it is adopted', async () => {
    const { library, adopt } = await faces(module)
    expect(await adopt()).toMatchObject({ exit: name === 'platform' ? 1 : 0 })
    for (const row of asked) {
      const [, what] = row
      expect([what, (await library(row))?.code]).toEqual([what, refusedAfter[what]])
    }
  })
})
