import { restoreItems } from '@freehold/table/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ownTableOf } from '../../packages/designs/test/own-table.ts'
import { deep } from '../properties/depth.ts'
import { idOf, stored } from '../work/items.ts'
import { access } from './access.ts'
import * as items from './design.ts'

// What access at scopes means, told without reading ahead, pages or memory: every answer on random organisations is held against it.

const kinds = ['company', 'region', 'shop', 'till'] as const
type Kind = (typeof kinds)[number]
const things = ['drawer', 'stock']
const actions = ['open', 'count']
const permissions = actions.flatMap((action) => things.map((thing) => ({ action, thing })))
const now = Date.parse('2026-01-01T00:00:00.000Z')

const small = (max: number) => fc.integer({ min: 0, max })
const pattern = fc.record({ action: fc.constantFrom('*', ...actions), thing: fc.constantFrom('*', ...things) })
const organisation = fc.record({
  regions: fc.array(small(1), { minLength: 1, maxLength: 3 }),
  shops: fc.array(small(2), { minLength: 1, maxLength: 4 }),
  tills: fc.array(small(3), { maxLength: 5 }),
  closed: fc.subarray(['company 0', 'company 1', 'shop 0', 'shop 1', 'user 0']),
  roles: fc.array(fc.record({ company: small(1), permissions: fc.array(pattern, { maxLength: 2 }), above: fc.option(small(3)) }), {
    minLength: 4,
    maxLength: 4,
  }),
  posts: fc.array(
    fc.record({
      user: small(1),
      kind: fc.constantFrom(...kinds),
      scope: small(4),
      role: small(3),
      until: fc.constantFrom(undefined, -1, 1),
    }),
    { maxLength: 8 },
  ),
})

const ids = { company: 2, region: 3, shop: 4, till: 5 } as const
const users = [idOf(1, 0), idOf(1, 1)]

type Organisation = typeof organisation extends fc.Arbitrary<infer O> ? O : never

/** Each scope with its path, the outermost first. */
function pathsOf({ regions, shops, tills }: Organisation) {
  const company = [0, 1].map((number) => [idOf(ids.company, number)])
  const beneath = (above: readonly (readonly string[])[], kind: Kind, of: readonly number[]) =>
    of.map((parent, number) => [...(above[parent % above.length] ?? []), idOf(ids[kind], number)])
  const region = beneath(company, 'region', regions)
  const shop = beneath(region, 'shop', shops)
  return { company, region, shop, till: beneath(shop, 'till', tills) }
}

const endOf = (until: number | undefined) => (until === undefined ? undefined : new Date(now + until * 3_600_000).toISOString())

test('every answer is that of the model', async () => {
  await fc.assert(
    fc.asyncProperty(organisation, async (drawn) => {
      const paths = pathsOf(drawn)
      const all = kinds.flatMap((kind) => paths[kind].map((path, number) => ({ kind, number, path, id: path.at(-1) ?? '' })))
      const status = (name: string) => (drawn.closed.includes(name) ? 'closed' : 'active')
      const names = ['company_id', 'region_id', 'shop_id']
      const entities = { company: items.Company, region: items.Region, shop: items.Shop, till: items.Till }
      const roles = drawn.roles.map((role, number) => ({ ...role, id: idOf(7, number), company_id: idOf(ids.company, role.company) }))
      // A role is beneath a later one of its company: a chain has an end.
      const aboveOf = (role: (typeof roles)[number]) => {
        const above = role.above === null ? undefined : roles[role.above]
        return above !== undefined && above.company_id === role.company_id && above.id > role.id ? above : undefined
      }
      const posts = drawn.posts.flatMap(({ user, kind, scope, role, until }) => {
        const at = paths[kind][scope % Math.max(paths[kind].length, 1)]
        const of = roles[role]
        return at === undefined || of === undefined ? [] : [{ user, kind, at, of, until }]
      })
      const table = await ownTableOf(items.shops, { now: () => new Date(now) })
      const stores = (entity: Parameters<typeof stored>[0], values: object) => stored(entity, { ...values }, items.shops)
      await restoreItems(table.runtime, [
        ...users.flatMap((id, number) => stores(items.User, { id, email: `u${number}@x.org`, status: status(`user ${number}`) })),
        ...all.flatMap(({ kind, number, path, id }) =>
          stores(entities[kind], {
            ...{ id, status: status(`${kind} ${number}`) },
            ...Object.fromEntries(path.slice(0, -1).map((own, index) => [names[index], own])),
          }),
        ),
        ...roles.flatMap((role) =>
          stores(items.Role, { id: role.id, company_id: role.company_id, permissions: role.permissions, above: aboveOf(role)?.id }),
        ),
        ...[...new Map(posts.map((post) => [`${post.user} ${post.at.at(-1)} ${post.of.id}`, post])).values()].flatMap(
          ({ user, kind, at, of, until }) =>
            stores(items.Post, { user_id: users[user], kind, scope: at.at(-1), role_id: of.id, company_id: at[0], until: endOf(until) }),
        ),
      ])
      const live = [...new Map(posts.map((post) => [`${post.user} ${post.at.at(-1)} ${post.of.id}`, post])).values()].filter(
        ({ until }) => until !== -1,
      )
      const grants = (role: (typeof roles)[number] | undefined, asked: (typeof permissions)[number]): boolean =>
        role !== undefined &&
        (role.permissions.some(({ action, thing }) => ['*', asked.action].includes(action) && ['*', asked.thing].includes(thing)) ||
          grants(aboveOf(role), asked))
      const isOpen = (path: readonly string[]) =>
        all.every(
          ({ kind, number, id }) => !path.includes(id) || status(`${kind} ${number}`) === 'active' || !['company', 'shop'].includes(kind),
        )
      const may = (user: number, path: readonly string[], asked: (typeof permissions)[number]) =>
        status(`user ${user}`) === 'active' &&
        isOpen(path) &&
        live.some(
          (post) => post.user === user && path.includes(post.at.at(-1) ?? '') && post.of.company_id === path[0] && grants(post.of, asked),
        )

      const decider = access.decider(table.runtime)
      for (const { kind, path, id } of all)
        for (const permission of permissions) {
          const asked = { [kind]: id, permission }
          const allowed = users.filter((_, number) => may(number, path, permission))
          for (const user of users)
            expect((await decider.can({ ...asked, user } as never)).allowed, `${user} ${permission.action} ${kind} ${id}`).toBe(
              allowed.includes(user),
            )
          expect((await decider.who(asked as never)).items.map(({ user_id }) => user_id)).toEqual(allowed)
        }
      for (const [number, user] of users.entries())
        for (const permission of permissions) {
          const listed: unknown[] = []
          let cursor: string | undefined
          do {
            const page = await decider.where({ user, permission }, { expand: true, limit: 2, ...(cursor === undefined ? {} : { cursor }) })
            for (const { scope } of page.items) listed.push(scope)
            cursor = page.cursor
          } while (cursor !== undefined)
          const expected = all.filter(({ path }) => may(number, path, permission)).map(({ id }) => id)
          expect([...listed].sort()).toEqual(expected.sort())
        }
    }),
    { numRuns: deep(15) },
  )
})
