import { meter } from '@freehold/table'
import type { Stored } from '@freehold/table/runtime'
import { restoreItems } from '@freehold/table/testing'
import { describe, expect, test } from 'vitest'
import { assignment, client, idOf, project, role, user } from '../../test/account-items.ts'
import { acme, adaAtHarbour, camera, granting, harbour, pier } from '../../test/account-organisation.ts'
import { ownTableOf } from '../../test/own-table.ts'
import { type AccountDecider, decideAccountManagement } from './decide.ts'
import { accountManagement } from './design.ts'

// A tenant asks about people whom it does not employ. It must not learn which of them are internal users of the product (spec rule 22).

const [rival, garden] = [idOf('client', 2), idOf('project', 2)]
const auditor = idOf('role', 3)
const ids = { ian: idOf('user', 3), off: idOf('user', 4), going: idOf('user', 5), broken: idOf('user', 6), guest: idOf('user', 7) }
const nobody = idOf('user', 404)
const address = (name: string) => `${name}@example.org`
const internal = (name: keyof typeof ids, change: Stored = {}) =>
  user(undefined, ids[name], address(name)).map((item) => (item.Type === 'User' ? { ...item, ...change } : item))
const ofSystem = (items: readonly Stored[]) => items.map((item) => ({ ...item, role_owner: 'SYSTEM' }))

const table = await ownTableOf(accountManagement)
await restoreItems(table.runtime, [
  ...adaAtHarbour,
  ...client(rival),
  ...project(rival, garden),
  ...internal('ian'),
  ...internal('off', { status: 'disabled' }),
  ...internal('going', { deleting: '01ARZ3NDEKTSV4RRFFQ69G5FAV' }),
  ...internal('broken', { status: 'unheard of' }),
  ...internal('guest'),
  ...granting(role(undefined, auditor, 'auditor'), camera),
  ...['ian', 'off', 'going', 'broken'].flatMap((name) =>
    ofSystem(assignment(rival, ids[name as keyof typeof ids], auditor, 'client', rival)),
  ),
  ...ofSystem(assignment(acme, ids.guest, auditor, 'project', harbour)),
])

const scopes = {
  'a client': { client: acme },
  'a project': { client: acme, project: harbour },
  'a building': { client: acme, project: harbour, building: pier },
  'a bare building': { building: pier },
  'a bare project': { project: harbour },
  'another client’s project': { project: garden },
  'no building': { building: idOf('building', 404) },
  'another client': { client: rival },
}
type Ask = (decider: AccountDecider, user: string, scope: object) => Promise<unknown>
const questions: Readonly<Record<string, Ask>> = {
  can: (decider, user, scope) => decider.can({ user, ...scope, permission: camera }),
  why: (decider, user, scope) => decider.why({ user, ...scope, permission: camera }),
  'why with a module': (decider, user, scope) => decider.why({ user, ...scope, permission: camera, module_id: idOf('module', 1) }),
  what: (decider, user, scope) => decider.what({ user, ...scope }),
  where: (decider, user) => decider.where({ user, permission: camera }),
  'expanded where': (decider, user) => decider.where({ user, permission: camera }, { expand: true }),
  access: (decider, user, scope) => decider.access({ user, ...scope }, { evidence: true }),
  'access everywhere': (decider, user) => decider.access({ user }, { evidence: true }),
}

/** The answers to a question that is asked three times, cold and warm, with what each took; names and instants aside. */
async function asked(ask: Ask, name: string, scope: object): Promise<unknown> {
  const decider = decideAccountManagement(table.forTenant(acme).runtime)
  const answers = []
  for (let times = 0; times < 3; times++) {
    const { result, cost } = await meter(() => ask(decider, name, scope))
    const text = JSON.stringify(result)
      .replaceAll(name, 'NAME')
      .replace(/"(issued_at|expires_at)":"[^"]*"/g, '')
    answers.push([text, cost.roundTrips, cost.requests])
  }
  return answers
}

describe.each(Object.entries(scopes))('at %s', (_scope, scope) => {
  test.each(Object.entries(questions))('%s answers about an internal user without a role there as about nobody', async (_question, ask) => {
    const unknown = { id: await asked(ask, nobody, scope), address: await asked(ask, address('nobody'), scope) }
    for (const name of ['ian', 'off', 'going', 'broken'] as const) {
      expect(await asked(ask, ids[name], scope)).toEqual(unknown.id)
      expect(await asked(ask, address(name), scope)).toEqual(unknown.address)
    }
    expect(JSON.stringify(unknown)).toContain('NAME')
  })
})

describe.each([ids.guest, address('guest')])('an internal user with a role there, called %s,', (name) => {
  test('is allowed, and takes one round trip when warm', async () => {
    const decider = decideAccountManagement(table.forTenant(acme).runtime)
    const at = { user: name, ...scopes['a building'], permission: camera }
    expect(await decider.can(at)).toEqual({ allowed: true })
    const { result, cost } = await meter(() => decider.can(at))
    expect([result, cost.roundTrips]).toEqual([{ allowed: true }, 1])
    expect((await decider.where({ user: name, permission: camera })).items.map(({ scope_id }) => scope_id)).toEqual([harbour])
    expect(await decider.access({ user: name })).toMatchObject({ user_id: ids.guest })
  })
})

test('an operator is told who is there', async () => {
  const decider = decideAccountManagement(table.runtime)
  const at = { ...scopes['a building'], permission: camera }
  expect(await decider.can({ user: address('ian'), ...at })).toMatchObject({ reason: { code: 'NoAssignment' } })
  expect(await decider.can({ user: address('off'), ...at })).toMatchObject({ reason: { code: 'UserDisabled' } })
  expect(await decider.can({ user: address('nobody'), ...at })).toMatchObject({ reason: { code: 'UnknownUser' } })
})
