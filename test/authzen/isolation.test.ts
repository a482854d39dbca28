import { accountManagementModule } from '@freehold/designs/account-management'
import { platformModule } from '@freehold/designs/platform'
import type { Stored } from '@freehold/table/runtime'
import { restoreItems } from '@freehold/table/testing'
import { describe, expect, test } from 'vitest'
import * as accounts from '../../packages/designs/test/account-items.ts'
import * as platform from '../../packages/designs/test/platform-items.ts'
import { engineSender } from '../engine/endpoint.ts'
import { serveAlone } from './agreement.ts'

// A decision point over the table of one tenant, or for a key of one, answers of another's people and places as if they were not there.

const sender = engineSender()

const { idOf } = accounts
const camera = { module: 'devices', action: 'read', resource: 'camera' }
const clientWith = (number: number, name: string): Stored[] => {
  const [client, project, building, user, role] = (['client', 'project', 'building', 'user', 'role'] as const).map((kind) =>
    idOf(kind, number),
  ) as [string, string, string, string, string]
  return [
    ...accounts.client(client),
    ...accounts.project(client, project),
    ...accounts.building(client, project, building),
    ...accounts.user(client, user, `${name}@example.org`),
    ...accounts.role(client, role, 'reader').map((item) => (item.Type === 'Role' ? { ...item, permissions: [camera] } : item)),
    ...accounts.assignment(client, user, role, 'project', project),
  ]
}
const accountWith = (account: string, user: string): Stored[] => [
  platform.account(account),
  platform.workstream(account, 'research'),
  ...platform.user(account, user, `${user}@example.org`),
  ...platform.inWorkstream(account, user, 'research'),
  platform.group(`${account}-staff`, account),
  platform.accountGroup(`${account}-staff`, account),
  ...platform.member(`${account}-staff`, user, account),
  platform.role(`${account}-viewer`, account),
  ...platform.groupRole(`${account}-staff`, `${account}-viewer`, account),
  ...platform.permission(`${account}-viewer`, 'dashboard', { canView: true, accountId: account }),
]

interface Side {
  readonly tenant: string
  readonly subject: string
  readonly resource: { readonly type: string; readonly id: string }
}
const side = (tenant: string, subject: string, type: string, id: string): Side => ({ tenant, subject, resource: { type, id } })

describe.each([
  {
    name: 'account-management',
    module: accountManagementModule,
    items: [...clientWith(1, 'ada'), ...clientWith(2, 'bob')],
    action: 'devices:read:camera',
    ours: side(idOf('client', 1), idOf('user', 1), 'building', idOf('building', 1)),
    theirs: side(idOf('client', 2), idOf('user', 2), 'building', idOf('building', 2)),
  },
  {
    name: 'platform',
    module: platformModule,
    items: [...accountWith('acme', 'ada'), ...accountWith('beta', 'bob')],
    action: 'dashboard:view',
    ours: side('acme', 'ada', 'workstream', 'acme/research'),
    theirs: side('beta', 'bob', 'workstream', 'beta/research'),
  },
])('a decision point of $name for one tenant', ({ module, items, action: name, ours, theirs }) => {
  const open = async () => {
    const served = await serveAlone(module, sender)
    await restoreItems(served.table.runtime, items)
    return served
  }
  const asked = ({ subject, resource }: Side, other: Side = { tenant: '', subject, resource }) => ({
    subject: { type: 'user', id: subject },
    action: { name },
    resource: other.resource,
  })

  test.each(['tenant', 'keyTenant'])('answers of its own, and of another as of nothing: by its %s', async (by) => {
    const served = await open()
    const { ask } = served.with({ [by]: ours.tenant })
    expect((await served.ask('evaluation', asked(theirs))).body).toEqual({ decision: true })
    expect((await ask('evaluation', asked(ours))).body).toEqual({ decision: true })
    for (const body of [asked(theirs), asked(ours, theirs), asked(theirs, ours)]) {
      expect(await ask('evaluation', body)).toMatchObject({ status: 200, body: { decision: false } })
      for (const kind of ['subject', 'resource', 'action']) {
        const { status, body: found } = await ask(`search/${kind}`, body)
        const told = JSON.stringify(found.results)
        expect([status, told.includes(theirs.subject), told.includes(theirs.resource.id)]).toEqual([200, false, false])
      }
    }
    for (const id of [theirs.subject, 'bob@example.org', 'nobody@example.org']) {
      const { body } = await ask('evaluation', { ...asked(ours), options: { reasons: true }, subject: { type: 'user', id } })
      // All three are told alike, but for the name that was asked for.
      expect(JSON.stringify(body).replaceAll(id, 'X')).toMatch(/"UnknownUser":"There is no user .*X/)
    }
  })

  test.each(['tenant', 'keyTenant'])('takes no page token of another: by its %s', async (by) => {
    const served = await open()
    const search = { ...asked(ours), page: { limit: 0 } }
    const tokens = await Promise.all(
      [undefined, ours.tenant, theirs.tenant].map(
        async (tenant) => (await served.with({ [by]: tenant }).ask('search/subject', search)).body.page.next_token,
      ),
    )
    const { ask } = served.with({ [by]: ours.tenant })
    const statuses = await Promise.all(
      tokens.map(async (token) => (await ask('search/subject', { ...asked(ours), page: { token } })).status),
    )
    expect(statuses).toEqual([400, 200, 400])
  })
})
