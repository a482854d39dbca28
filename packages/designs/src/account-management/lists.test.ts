import type { Stored } from '@freehold/table/runtime'
import { restoreItems } from '@freehold/table/testing'
import { describe, expect, test } from 'vitest'
import { assignment, building, client, idOf, project, role, subscription, user } from '../../test/account-items.ts'
import { acme, ada, adaAtHarbour, camera, granting, harbour, pier, reader } from '../../test/account-organisation.ts'
import { pagesOf } from '../../test/conformance/decider-conformance.ts'
import { ownTableOf } from '../../test/own-table.ts'
import { decideAccountManagement } from './decide.ts'
import { accountManagement } from './design.ts'

async function prepared(...items: readonly (readonly Stored[])[]) {
  const table = await ownTableOf(accountManagement)
  await restoreItems(table.runtime, [...adaAtHarbour, ...items.flat()])
  return { table, decider: decideAccountManagement(table.runtime) }
}

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

const limits = [1, 2, 3, 7, 100]
const without = (item: Stored) => ({ ...item, status: 'disabled' })
const second = idOf('role', 2)

describe('who', () => {
  /** Users of two roles and at all three scopes, in no order; every third is disabled. */
  const crowd = numbers(2, 40).flatMap((number) => {
    const id = idOf('user', number)
    const [node, ...others] = user(acme, id, `user${number}@example.org`)
    return [
      ...(node === undefined ? [] : [number % 3 === 0 ? without(node) : node]),
      ...others,
      ...assignment(acme, id, number % 2 === 0 ? reader : second, 'building', pier),
      ...(number % 5 === 0 ? assignment(acme, id, reader, 'client', acme) : []),
      ...(number % 4 === 0 ? assignment(acme, id, second, 'project', harbour) : []),
    ]
  })
  const all = [1, ...numbers(2, 40).filter((number) => number % 3 !== 0)].map((number) => idOf('user', number))

  test.each(limits)('pages by distinct users in the order of their ids, %i a page', async (limit) => {
    const { decider } = await prepared(granting(role(acme, second, 'second'), camera), crowd)
    const pages = await pagesOf((cursor) => decider.who({ building: pier, permission: camera }, { limit, cursor }))
    expect(pages.flat().map(({ user_id }) => user_id)).toEqual(all)
    expect(pages.every(({ length }) => length <= limit)).toBe(true)
  })

  test('gives a short page with a cursor where passing over costs too much, and is complete over all pages', async () => {
    const many = numbers(2, 80).flatMap((number) => assignment(acme, idOf('user', number), reader, 'building', pier))
    const { decider } = await prepared(many, user(acme, idOf('user', 80), 'last@example.org'))
    const pages = await pagesOf((cursor) => decider.who({ building: pier, permission: camera }, { limit: 1, cursor }))
    expect(pages.length).toBeGreaterThan(2)
    expect(pages.flat().map(({ user_id }) => user_id)).toEqual([ada, idOf('user', 80)])
  })

  test('names the grant, and no secret', async () => {
    const { decider } = await prepared()
    expect(await decider.who({ building: pier, permission: camera })).toEqual({
      items: [
        {
          user_id: ada,
          email: 'ada@example.org',
          user_type: 'external_tenant',
          grantedBy: { scope_type: 'project', scope_id: harbour, role_id: reader, role_owner: acme, role_name: 'reader' },
        },
      ],
    })
  })
})

describe('where', () => {
  const dock = idOf('project', 2)
  const places = [
    ...project(acme, dock),
    ...numbers(2, 6).flatMap((number) => building(acme, harbour, idOf('building', number))),
    ...numbers(10, 15).flatMap((number) => building(acme, dock, idOf('building', number))),
  ]
  const ids = (of: readonly number[]) => of.map((number) => idOf('building', number))

  test.each(limits)('pages by distinct scopes, %i a page', async (limit) => {
    const scopes = numbers(10, 15).flatMap((number) => assignment(acme, ada, reader, 'building', idOf('building', number)))
    const { decider } = await prepared(
      places,
      scopes,
      granting(role(acme, second, 'second'), camera),
      assignment(acme, ada, second, 'project', harbour),
    )
    const pages = await pagesOf((cursor) => decider.where({ user: ada, permission: camera }, { limit, cursor }))
    expect(pages.flat().map(({ scope_id }) => scope_id)).toEqual([...ids(numbers(10, 15)), harbour])
    expect(pages.every(({ length }) => length <= limit)).toBe(true)
  })

  test.each(limits)('lists every place of all scopes once, %i a page, when it is expanded', async (limit) => {
    // The client covers both projects; of the buildings with an assignment of their own none is told twice.
    const { decider } = await prepared(
      places,
      assignment(acme, ada, reader, 'client', acme),
      assignment(acme, ada, reader, 'building', idOf('building', 12)),
    )
    const pages = await pagesOf((cursor) => decider.where({ user: ada, permission: camera }, { limit, cursor, expand: true }))
    const expected = [acme, harbour, ...ids(numbers(1, 6)), dock, ...ids(numbers(10, 15))]
    expect(pages.flat().map(({ scope_id }) => scope_id)).toEqual(expected)
    expect(pages.every(({ length }) => length <= limit)).toBe(true)
  })

  test.each(limits)('lists what is beneath projects and single buildings, %i a page', async (limit) => {
    const { decider } = await prepared(
      places,
      ...[11, 13].map((number) => assignment(acme, ada, reader, 'building', idOf('building', number))),
      client(idOf('client', 2)),
    )
    const pages = await pagesOf((cursor) => decider.where({ user: ada, permission: camera }, { limit, cursor, expand: true }))
    expect(pages.flat().map(({ scope_id }) => scope_id)).toEqual([...ids([11, 13]), harbour, ...ids(numbers(1, 6))])
  })

  test.each(limits)('finds all of a client with many projects, %i a page', async (limit) => {
    const many = numbers(10, 50)
    const { decider } = await prepared(
      assignment(acme, ada, reader, 'client', acme),
      many.flatMap((number) => [
        ...project(acme, idOf('project', number)),
        ...(number % 3 === 0 ? building(acme, idOf('project', number), idOf('building', number)) : []),
      ]),
    )
    const pages = await pagesOf((cursor) => decider.where({ user: ada, permission: camera }, { limit, cursor, expand: true }))
    const expected = many.flatMap((number) => [idOf('project', number), ...(number % 3 === 0 ? ids([number]) : [])])
    expect(pages.flat().map(({ scope_id }) => scope_id)).toEqual([acme, harbour, pier, ...expected])
  })

  test.each(limits)('with a module lists only the places that have it, %i a page', async (limit) => {
    const module_id = idOf('module', 1)
    const { decider } = await prepared(places, assignment(acme, ada, reader, 'client', acme), [
      subscription(acme, 'project', dock, module_id),
      subscription(acme, 'building', idOf('building', 3), module_id, 'trial'),
    ])
    const asked = { user: ada, permission: camera, module_id, include_trial: true }
    const pages = await pagesOf((cursor) => decider.where(asked, { limit, cursor }))
    expect(pages.flat().map(({ scope_id }) => scope_id)).toEqual([...ids([3]), dock, ...ids(numbers(10, 15))])
  })

  test('finds a building that has moved, also where its project is remembered', async () => {
    const { table, decider } = await prepared(places, assignment(acme, ada, reader, 'building', idOf('building', 12)))
    const asked = { user: ada, permission: camera }
    await decider.where(asked)
    await table.Building.move({ project_id: dock, id: idOf('building', 12) }, { project_id: harbour })
    const { items } = await decider.where(asked)
    expect(items.find(({ scope_id }) => scope_id === idOf('building', 12))).toMatchObject({ project_id: harbour })
    expect(await decider.can({ ...asked, building: idOf('building', 12) })).toEqual({ allowed: true })
  })
})

describe('what', () => {
  test.each(limits)('pages by distinct permissions, %i a page', async (limit) => {
    const many = numbers(1, 20).map((number) => ({ ...camera, action: `action ${number}` }))
    const { decider } = await prepared(
      granting(role(acme, second, 'second'), ...many, camera),
      assignment(acme, ada, second, 'building', pier),
    )
    const pages = await pagesOf((cursor) => decider.what({ user: ada, building: pier }, { limit, cursor }))
    const actions = pages.flat().map(({ permission }) => permission.action)
    expect(actions).toEqual([...many.map(({ action }) => action), 'read'].sort())
    expect(pages.every(({ length }) => length <= limit)).toBe(true)
  })
})

describe('cursors', () => {
  test('are good for the same question only', async () => {
    const { decider } = await prepared(assignment(acme, ada, reader, 'building', pier))
    const { cursor } = await decider.where({ user: ada, permission: camera }, { limit: 1 })
    expect(cursor).toBeDefined()
    const refused = { code: 'InvalidCursor' }
    await expect(decider.where({ user: ada, permission: camera }, { cursor, expand: true })).rejects.toMatchObject(refused)
    await expect(decider.where({ user: ada, permission: { ...camera, action: 'write' } }, { cursor })).rejects.toMatchObject(refused)
    await expect(decider.what({ user: ada, building: pier }, { cursor })).rejects.toMatchObject(refused)
  })
})

describe('within the scope of a tenant', () => {
  const rival = idOf('client', 2)
  const eve = idOf('user', 2)
  const auditor = idOf('role', 3)
  const theirs = [
    ...client(rival),
    ...user(rival, eve, 'eve@example.org'),
    ...user(undefined, idOf('user', 3), 'ian@example.org'),
    ...granting(role(undefined, auditor, 'auditor'), camera),
    ...[acme, rival]
      .flatMap((of) => assignment(of, idOf('user', 3), auditor, 'client', of))
      .map((item) => ({ ...item, role_owner: 'SYSTEM' })),
  ]

  test('another client, its users and an internal user elsewhere are not there', async () => {
    const { table } = await prepared(theirs)
    const decider = decideAccountManagement(table.forTenant(rival).runtime)
    const at = { building: pier, permission: camera }
    const whole = { client: acme, project: harbour, ...at }
    expect(await decider.can({ user: ada, ...at })).toMatchObject({ allowed: false, reason: { code: 'UnknownBuilding' } })
    expect(await decider.can({ user: ada, ...whole })).toMatchObject({ allowed: false, reason: { code: 'UnknownUser' } })
    expect(await decider.can({ user: idOf('user', 3), ...whole })).toMatchObject({ allowed: false, reason: { code: 'UnknownUser' } })
    expect((await decider.who(at)).items).toEqual([])
    expect((await decider.where({ user: ada, permission: camera })).items).toEqual([])
    const { items } = await decider.where({ user: idOf('user', 3), permission: camera }, { expand: true })
    expect(items.map(({ scope_id }) => scope_id)).toEqual([rival])
  })
})
