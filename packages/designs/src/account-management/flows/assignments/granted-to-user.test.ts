import { meter } from '@freehold/table'
import type { Stored } from '@freehold/table/runtime'
import { restoreItems } from '@freehold/table/testing'
import { describe, expect, test } from 'vitest'
import { accountWork, checkedAccountFlows } from '../../../../test/account-flows.ts'
import { assignment, building, client, idOf, project, role, type ScopeType, user } from '../../../../test/account-items.ts'
import { granting } from '../../../../test/account-organisation.ts'
import { assignmentsMax, scopesMax } from './granted-to-user.ts'

// Who acts as another holds all that the other has. What that takes is bounded, whatever the other has.

const work = await accountWork()

type Scope = readonly [ScopeType, string]
let clients = 0
let ids = 0
const next = (kind: Parameters<typeof idOf>[0]) => idOf(kind, ++ids)
const doors = (resource: string) => ({ module: 'doors', action: 'open', resource })
const changing = { module: 'account-management', action: 'change-email', resource: 'user' }
const enabling = { module: 'account-management', action: 'enable', resource: 'user' }

/** A client with a user, eve, who may change addresses and enable there, and another, who is disabled. */
async function organisation() {
  const acme = idOf('client', ++clients)
  const [eve, other] = [next('user'), next('user')]
  const newRole = async (...permissions: readonly ReturnType<typeof doors>[]) => {
    const id = next('role')
    await restoreItems(work.table.runtime, granting(role(acme, id, id), ...permissions))
    return id
  }
  /** Of an assignment only the item itself is read here. */
  const given = (user_id: string, role_id: string, [type, id]: Scope, bounds: object = {}): Stored[] =>
    assignment(acme, user_id, role_id, type, id)
      .slice(0, 1)
      .map((each) => ({ ...each, ...bounds }))
  const give = async (...[user_id, role_id, scope, bounds]: Parameters<typeof given>) =>
    restoreItems(work.table.runtime, given(user_id, role_id, scope, bounds))
  const atClient: Scope = ['client', acme]
  const people = [...user(acme, eve, `${eve}@example.org`), ...user(acme, other, `${other}@example.org`)]
  await restoreItems(work.table.runtime, [
    ...client(acme),
    ...people.map((each) => (each.Type === 'User' && each.id === other ? { ...each, status: 'disabled' } : each)),
  ])
  await give(eve, await newRole(changing, enabling), atClient)
  const flows = checkedAccountFlows.of(work.table, { actor: { kind: 'user', user_id: eve } })
  return { acme, eve, other, atClient, newRole, given, give, flows, enable: () => flows.enableUser({ id: other }) }
}

async function places(acme: string, projects: number): Promise<readonly Scope[]> {
  const all = Array.from({ length: projects }, () => next('project'))
  await restoreItems(
    work.table.runtime,
    all.flatMap((id) => project(acme, id)),
  )
  return all.map((id) => ['project', id] as const)
}

describe('a user who enables one with assignments at few places', () => {
  /** So many roles at each of five places; one thing is had at one of them alone, so that each place is looked at. */
  async function withRoles(many: number) {
    const { acme, eve, other, atClient, newRole, given, give, enable } = await organisation()
    const projects = await places(acme, 2)
    const buildings = projects.map(([, id]) => ({ id: next('building'), project_id: id }))
    await restoreItems(
      work.table.runtime,
      buildings.flatMap(({ id, project_id }) => building(acme, project_id, id)),
    )
    const scopes: Scope[] = [atClient, ...projects, ...buildings.map(({ id }) => ['building', id] as const)]
    const roles = Array.from({ length: many }, () => next('role'))
    await restoreItems(
      work.table.runtime,
      roles.flatMap((id) => granting(role(acme, id, id), doors(id))),
    )
    await restoreItems(
      work.table.runtime,
      scopes.flatMap((scope) => roles.flatMap((id) => given(other, id, scope))),
    )
    const vault = await newRole({ module: 'vault', action: 'open', resource: 'gate' })
    const [first = atClient] = projects
    await give(other, vault, first)
    await give(eve, vault, first)
    await give(eve, await newRole(doors('*')), atClient)
    return { enable, other, give, newRole, last: scopes.at(-1) ?? atClient }
  }

  test('decides once for each place, be it by 5,000 assignments', async () => {
    const [few, many] = [await withRoles(2), await withRoles(999)]
    const { cost: ofFew } = await meter(few.enable)
    const { result, cost: ofMany } = await meter(many.enable)
    expect(result).toMatchObject({ status: 'active' })
    // Each thousand assignments are read in two, and the roles a hundred at a time, side by side.
    expect(ofFew.roundTrips).toBeLessThanOrEqual(15)
    expect(ofMany.roundTrips).toBeLessThanOrEqual(15 + 2 * 5)
    expect(ofMany.requests - ofFew.requests).toBeLessThanOrEqual(2 * 5 + 10)
  })

  test('is refused for one thing at one of them', async () => {
    const { enable, give, newRole, other, last } = await withRoles(3)
    await give(other, await newRole({ module: 'vault', action: 'see', resource: 'gate' }), last)
    await expect(enable()).rejects.toMatchObject({ code: 'Denied', details: { reason: 'NotHeld', missing: ['vault:see:gate'] } })
  })
})

describe('a user who enables one with several roles at a place', () => {
  const [early, late, latest] = ['2180-01-01T00:00:00.000Z', '2190-01-01T00:00:00.000Z', '2195-01-01T00:00:00.000Z']
  async function twoRoles(held: Readonly<Record<'a' | 'b', object>>, had: readonly (readonly ['a' | 'b', object])[]) {
    const { acme, eve, other, newRole, give, enable } = await organisation()
    const [scope] = await places(acme, 1)
    if (scope === undefined) throw new Error('there is no place')
    for (const [name, bounds] of Object.entries(held)) await give(eve, await newRole(doors(name)), scope, bounds)
    for (const [name, bounds] of had) await give(other, await newRole(doors(name)), scope, bounds)
    return enable
  }

  test('needs each for as long as that one has it, and not all for as long as the longest', async () => {
    const had = [
      ['a', { expires_at: early }],
      ['b', { expires_at: latest }],
    ] as const
    const enough = await twoRoles({ a: { expires_at: late }, b: {} }, had)
    expect(await enough()).toMatchObject({ status: 'active' })
    const short = await twoRoles({ a: { expires_at: late }, b: { expires_at: late } }, had)
    await expect(short()).rejects.toMatchObject({
      code: 'Denied',
      details: { reason: 'NotHeldSoLong', latest: late, missing: ['doors:open:b'] },
    })
  })

  test('needs what two of them grant for as long as the longer', async () => {
    const had = [
      ['a', { expires_at: latest }],
      ['a', { expires_at: early }],
    ] as const
    for (const each of [had, had.toReversed()]) {
      const short = await twoRoles({ a: { expires_at: late }, b: {} }, each)
      await expect(short()).rejects.toMatchObject({ code: 'Denied', details: { reason: 'NotHeldSoLong' } })
    }
  })
})

describe('a user who enables one with more than is looked at', () => {
  /** At so many projects each, with the same; the caller has it at each of them, or at the client. */
  async function atProjects(many: number, where: 'at each' | 'at the client') {
    const { acme, eve, other, atClient, newRole, given, give, enable } = await organisation()
    const [held, had] = [await newRole(doors('*')), await newRole(doors('gate'))]
    const scopes = await places(acme, many)
    await restoreItems(
      work.table.runtime,
      scopes.flatMap((scope) => [...given(other, had, scope), ...(where === 'at each' ? given(eve, held, scope) : [])]),
    )
    if (where === 'at the client') await give(eve, held, atClient)
    return { enable, other }
  }

  test('may at as many places as are looked at; at one more it is told that only operators may, unless one decision says it all', async () => {
    expect(await (await atProjects(scopesMax, 'at each')).enable()).toMatchObject({ status: 'active' })
    const { enable, other } = await atProjects(scopesMax + 1, 'at each')
    const { cost } = await meter(() => expect(enable()).rejects.toMatchObject({ code: 'Denied', details: { reason: 'TooManyScopes' } }))
    expect(cost.requests).toBeLessThan(40)
    expect(await work.flows.enableUser({ id: other })).toMatchObject({ status: 'active' })
    expect(await (await atProjects(scopesMax + 1, 'at the client')).enable()).toMatchObject({ status: 'active' })
  })

  test('is told of more assignments that only operators may, and these may', async () => {
    const { other, atClient, newRole, given, give, enable, eve } = await organisation()
    await give(eve, await newRole(doors('*')), atClient)
    const had = await newRole(doors('gate'))
    // Places that are gone count, too: they have to be read.
    const gone = Array.from({ length: assignmentsMax + 1 }, (): Scope => ['building', next('building')])
    await restoreItems(
      work.table.runtime,
      gone.flatMap((scope) => given(other, had, scope)),
    )
    await expect(enable()).rejects.toMatchObject({ code: 'Denied', details: { reason: 'TooManyAssignments' } })
    // Sessions and tokens are revoked, too: by a job each.
    const { cost } = await meter(() => work.flows.changeUserEmail({ id: other, email: `new-${other}@example.org` }))
    expect(cost.requests).toBeLessThan(15)
    expect(await work.flows.enableUser({ id: other })).toMatchObject({ status: 'active' })
  })
})
