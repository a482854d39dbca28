import type { DesignModule } from '@freehold/frame'
import type { Sender, Stored } from '@freehold/table/runtime'
import { restoreItems } from '@freehold/table/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createService, type Service } from '../../packages/service/src/index.ts'
import { engineSender } from '../engine/endpoint.ts'
import { ownTableOf } from '../engine/own-table.ts'

interface Named {
  readonly type: string
  readonly id: string
}

/** A world of a design: what may be left out of it, and all that is asked about. */
export interface AuthzenWorld {
  readonly module: DesignModule
  readonly serving?: Serving
  /** Items of every such world. */
  readonly always?: readonly Stored[]
  /** Items that stand or fall together. */
  readonly parts: readonly (readonly Stored[])[]
  /** Each by the id that searches tell. */
  readonly subjects: readonly Named[]
  readonly actions: readonly string[]
  readonly resources: readonly Named[]
}

const headers = { Authorization: 'Bearer key', 'Content-Type': 'application/json' }

/** What any of the endpoints answers. */
export interface PointAnswer {
  readonly decision?: boolean
  readonly context?: Readonly<Record<string, unknown>>
  readonly evaluations: readonly { readonly decision: boolean; readonly context?: Readonly<Record<string, unknown>> }[]
  readonly page: { readonly next_token: string }
  readonly results: readonly { readonly id?: string; readonly name?: string }[]
}

/** Asks a decision point over HTTP. A body may be the text of one. */
export function pointOf(app: Pick<Service, 'request'>, design: string) {
  return async (path: string, asked: object | string) => {
    const body = typeof asked === 'string' ? asked : JSON.stringify(asked)
    const response = await app.request(`/authzen/${design}/access/v1/${path}`, { method: 'POST', headers, body })
    // A test asks for what its endpoint answers.
    return { status: response.status, body: (await response.json()) as PointAnswer }
  }
}

interface Serving {
  /** The tenant scope of the table. */
  readonly tenant?: string | undefined
  /** The tenant of the API key. */
  readonly keyTenant?: string | undefined
  readonly authzenTenant?: string
}

/** Keys of one tenant of a design. */
const keysOf = (design: string, tenant: string) => ({
  verify: async () => 'key',
  identify: async () => ({ keyId: 'key', purpose: 'tenant' as const, designs: [design], tenant }),
})

/** Serves a module over a table of its own, with any key. */
export async function serveAlone(module: DesignModule, sender: Sender, serving: Serving = {}) {
  const { name } = module.design
  const table = await ownTableOf(module.design, { sender, jobHandlers: module.flows?.jobHandlers ?? {} })
  const appOf = ({ tenant, keyTenant, ...more }: Serving) =>
    createService({
      tables: new Map([[name, { module, table: tenant === undefined ? table : table.forTenant(tenant) }]]),
      ...{ keys: keyTenant === undefined ? { verify: async () => 'key' } : keysOf(name, keyTenant) },
      ...{ log: () => {}, publicUrl: 'https://pdp.example', ...more },
    })
  const app = appOf(serving)
  const call = async (method: string, path: string, body: object) => {
    const response = await app.request(path, { method, headers, body: JSON.stringify(body) })
    const text = await response.text()
    return { status: response.status, body: text === '' ? {} : JSON.parse(text) }
  }
  return { app, table, call, ask: pointOf(app, name), with: (other: Serving) => ({ ask: pointOf(appOf(other), name) }) }
}

type Ask = ReturnType<typeof pointOf>

/** All results of a search, page by page. */
export async function searched(ask: Ask, kind: string, body: object, limit: number): Promise<string[]> {
  const found: string[] = []
  let token = ''
  do {
    const answer = await ask(`search/${kind}`, { ...body, page: { limit, ...(token === '' ? {} : { token }) } })
    expect(answer.status).toBe(200)
    expect(answer.body.results.length).toBeLessThanOrEqual(limit)
    found.push(...answer.body.results.flatMap(({ id, name }) => id ?? name ?? []))
    token = answer.body.page.next_token
  } while (token !== '')
  return found
}

/** The decisions about all subjects, actions and resources of a world, as texts of those that are permitted. */
async function permitted(ask: Ask, { subjects, actions, resources }: AuthzenWorld): Promise<ReadonlySet<string>> {
  const all = subjects.flatMap((subject) =>
    resources.flatMap((resource) => actions.map((name) => ({ subject, resource, action: { name } }))),
  )
  const allowed = new Set<string>()
  for (let from = 0; from < all.length; from += 100) {
    const evaluations = all.slice(from, from + 100)
    const { body } = await ask('evaluations', { evaluations })
    for (const [at, { decision }] of body.evaluations.entries()) if (decision) allowed.add(JSON.stringify(evaluations[at]))
  }
  return allowed
}

/** Tests that what searches find, page by page, is what evaluations permit, in worlds that lack some of their parts. */
export function searchesAgree(name: string, world: AuthzenWorld): void {
  describe(`the searches of ${name}`, () => {
    const sender = engineSender()

    test('find what evaluations permit, each once, and nothing else', async () => {
      const { subjects, actions, resources, parts, always = [] } = world
      let found = 0
      const everything = parts.map(() => true)
      const lacking = fc.array(
        fc.integer({ min: 0, max: 9 }).map((chance) => chance > 0),
        { minLength: parts.length, maxLength: parts.length },
      )
      await fc.assert(
        fc.asyncProperty(lacking, fc.constantFrom(1, 2, 3, 100), async (kept, limit) => {
          const { ask, table } = await serveAlone(world.module, sender, world.serving)
          await restoreItems(table.runtime, [...always, ...parts.flatMap((part, at) => (kept[at] === true ? part : []))])
          const allowed = await permitted(ask, world)
          const isAllowed = (subject: Named, name: string, resource: Named) =>
            allowed.has(JSON.stringify({ subject: { ...subject }, resource: { ...resource }, action: { name } }))
          for (const resource of resources) {
            for (const action of actions)
              for (const type of new Set(subjects.map((subject) => subject.type))) {
                const expected = subjects
                  .filter((subject) => subject.type === type && isAllowed(subject, action, resource))
                  .map(({ id }) => id)
                const told = await searched(ask, 'subject', { subject: { type }, action: { name: action }, resource }, limit)
                expect([action, resource, told.sort()]).toEqual([action, resource, expected.sort()])
              }
            for (const subject of subjects) {
              const expected = actions.filter((action) => isAllowed(subject, action, resource))
              const told = await searched(ask, 'action', { subject, resource }, limit)
              expect([subject, resource, told.sort()]).toEqual([subject, resource, expected.sort()])
            }
          }
          for (const subject of subjects)
            for (const action of actions)
              for (const type of new Set(resources.map((resource) => resource.type))) {
                const expected = resources
                  .filter((resource) => resource.type === type && isAllowed(subject, action, resource))
                  .map(({ id }) => id)
                const told = await searched(ask, 'resource', { subject, action: { name: action }, resource: { type } }, limit)
                found += told.length
                expect([subject, action, told.sort()]).toEqual([subject, action, expected.sort()])
              }
        }),
        { numRuns: 8, examples: [[everything, 1]] },
      )
      // The first world lacks nothing, and so has five of each design by itself. The others may have none.
      expect(found).toBeGreaterThanOrEqual(5)
    })
  })
}
