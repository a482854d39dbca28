import { type ByFlows, checkByFlows, createOnce, operator, type Verb } from '@freehold/frame/flow'
import { type AnyDesign, type ConnectedTable, type Entity, FreeholdError, type Item } from '@freehold/table'
import { itemWords, keyPlaceholders } from '@freehold/table/runtime'
import type { CallerViews } from '../http/caller-view.ts'
import { checkFields, takeControls } from '../http/control.ts'
import { answerOnce, refuseIdempotencyKey } from '../http/idempotency-key.ts'
import { entityTag, onCondition, refuseIfMatch, refuseIfNoneMatch, wantedVersions } from '../http/if-match.ts'
import type { Answer, Asked, Route } from '../http/route.ts'
import { valueOfText } from '../http/text-value.ts'
import { tellItem } from '../http/told-item.ts'
import type { ApiNames } from '../openapi/api-names.ts'
import { entityOperations } from '../openapi/entity-operations.ts'
import type { Served } from '../served.ts'

/**
 * True for a write that the design always refuses: flows alone write the entity (spec rule 24), its owner's writes do (spec rule 10), or no
 * item of it ever changes. Such a write is no operation of the API.
 * @param verb what the route does: `get`, `create`, `update`, `move` or `remove`
 */
function isRefused({ name, form }: Entity, verb: string, byFlows: ByFlows = {}): boolean {
  if (verb === 'get') return false
  const { part, appendOnly, sequence } = form
  if (Object.hasOwn(byFlows, name) || part.kind === 'guard' || part.kind === 'mirror') return true
  if (verb === 'create') return false
  return appendOnly || sequence !== undefined || (verb === 'move' && part.kind === 'edge')
}

type NamedItems = ReturnType<ConnectedTable['repositoryNamed']>

/** The attributes of the table key, from a query string. */
function idOf(names: readonly string[], { query }: Asked): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name): [string, string][] => {
      const value = query.get(name)
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

/** Where an item is, beside the path of the request: that may begin with a stage or a prefix, which the service does not know. */
function location(beside: string, names: readonly string[], item: object): string {
  const values = Object.entries(item).filter(([name]) => names.includes(name))
  return `${beside}?${new URLSearchParams(values.map(([name, value]): [string, string] => [name, String(value)]))}`
}

const pathOf = (name: string, entity: Entity) => `/v1/${name}/entities/${entity.name}`

/** A derived item that an access pattern gets: the pattern has a name that says what for, and POST keeps the key out of logs. */
const isGotByPattern = ({ name, form: { part } }: Entity, { form: { patterns } }: AnyDesign): boolean =>
  'owner' in part && [...patterns.values()].some(({ operation, entities }) => operation === 'get' && entities[0]?.name === name)

function routesOfEntity(
  names: ApiNames,
  entity: Entity,
  { module: { flows }, table: { design } }: Served,
  viewOf: CallerViews,
): Readonly<Record<Verb | 'get' | 'move', Route>> {
  const name = names.design
  const path = pathOf(name, entity)
  const ids = keyPlaceholders(entity)
  checkFields(`The key of ${entity.name}`, ids, ['consistent', 'version'])
  const itemsOf = async ({ caller }: Asked) => (await viewOf(caller)).table.repositoryNamed(entity.name)
  const told = entityOperations(names, entity, Object.values(design.entities))
  const tell = tellItem([entity]) ?? ((item) => item)
  /** A write of an existing item. If the request names a version, the item must have it. */
  const changing =
    (
      verb: Verb,
      write: (items: NamedItems, id: Record<string, string>, body: Asked['body'], how: { version?: number }) => Promise<Answer>,
    ): Route['answer'] =>
    async (asked) => {
      checkByFlows(entity, verb, flows?.byFlows)
      refuseIfNoneMatch(asked.headers)
      refuseIdempotencyKey(asked, 'This write names a version instead: `If-Match`, or `version`')
      const versions = wantedVersions(asked.ifMatch, asked.query.get('version'))
      const items = await itemsOf(asked)
      return onCondition(asked.ifMatch, versions, (version) =>
        write(items, idOf(ids, asked), asked.body, version === undefined ? {} : { version }),
      )
    }
  return {
    create: {
      method: 'POST',
      path,
      kind: 'write',
      design: name,
      query: [],
      takesBody: true,
      describe: told.create,
      answer: async ({ body, ifMatch, idempotencyKey: key, origin, caller: asking }) => {
        checkByFlows(entity, 'create', flows?.byFlows)
        refuseIfMatch({ ifMatch })
        const caller = { actor: { ...operator, name: origin.key } }
        const { table } = await viewOf(asking)
        const create = () =>
          key === undefined ? table.repositoryNamed(entity.name).create(body) : createOnce(table, entity.name, body, caller, key)
        return answerOnce(create, (item) => {
          // Either gives the item.
          const made = item as Item<Entity>
          return { status: 201, body: tell(made), headers: { ...entityTag(made), Location: location(entity.name, ids, made) } }
        })
      },
    },
    get: {
      method: 'GET',
      path,
      kind: 'read',
      design: name,
      query: [...ids, 'consistent'],
      takesBody: false,
      describe: told.get,
      ...(isGotByPattern(entity, design) ? { isTwin: true } : {}),
      answer: async (asked) => {
        const consistent = asked.query.get('consistent')
        const { how } = takeControls(consistent === undefined ? {} : { consistent: valueOfText(consistent, 'boolean') }, ['consistent'])
        const id = idOf(ids, asked)
        const item = await (await itemsOf(asked)).get(id, how)
        if (item === undefined) throw new FreeholdError('NotFound', `There is no ${itemWords(entity.name, id)}.`, { entity: entity.name })
        return { status: 200, body: tell(item), headers: entityTag(item) }
      },
    },
    update: {
      method: 'PATCH',
      path,
      kind: 'write',
      design: name,
      query: [...ids, 'version'],
      takesBody: true,
      describe: told.update,
      answer: changing('update', async (items, id, body, how) => {
        const item = await items.update(id, body, how)
        return { status: 200, body: tell(item), headers: entityTag(item) }
      }),
    },
    move: {
      method: 'POST',
      path: `${path}/move`,
      kind: 'write',
      design: name,
      query: [...ids, 'version'],
      takesBody: true,
      describe: told.move,
      answer: changing('update', async (items, id, body, how) => {
        const item = await items.move(id, body, how)
        return { status: 200, body: tell(item), headers: { ...entityTag(item), Location: location(`../${entity.name}`, ids, item) } }
      }),
    },
    remove: {
      method: 'DELETE',
      path,
      kind: 'write',
      design: name,
      query: [...ids, 'version'],
      takesBody: false,
      describe: told.remove,
      answer: changing('remove', async (items, id, _, how) => {
        const { pending } = await items.remove(id, how)
        return pending === undefined ? { status: 204 } : { status: 202, body: { pending } }
      }),
    },
  }
}

/**
 * The routes to create, get, update, move and remove items of every entity, as far as the design lets anybody do that. Keys may have any character, so query
 * parameters name an item. No answer ever has a secret attribute: HTTP has no way to ask for one (spec rule 17).
 */
export function entityRoutes(names: ApiNames, served: Served, viewOf: CallerViews): Route[] {
  const { byFlows } = served.module.flows ?? {}
  return Object.values(served.table.design.entities).flatMap((entity) =>
    Object.entries(routesOfEntity(names, entity, served, viewOf)).flatMap(([verb, route]) =>
      isRefused(entity, verb, byFlows) ? [] : [route],
    ),
  )
}

/** The route that answers a refused write with what to use instead: a flow, or the owner. Undefined for any other request. */
export type RefusedRoute = (method: string, path: string) => Route | undefined

/** The refused writes of a design. Their routes are made as they are asked for: most of a design's writes are refused, and few are ever tried. */
export function refusedWrites(names: ApiNames, served: Served, viewOf: CallerViews): RefusedRoute {
  const { byFlows } = served.module.flows ?? {}
  const entities = new Map(
    Object.values(served.table.design.entities).flatMap((entity) => {
      const path = pathOf(names.design, entity)
      return [path, `${path}/move`].map((each) => [each, entity] as const)
    }),
  )
  return (method, path) => {
    const entity = entities.get(path)
    if (entity === undefined) return undefined
    const { get, ...writes } = routesOfEntity(names, entity, served, viewOf)
    const [, route] =
      Object.entries(writes).find(([verb, each]) => each.method === method && each.path === path && isRefused(entity, verb, byFlows)) ?? []
    // Whoever names the item as other writes do is told what to use, too.
    return route && { ...route, query: [...new Set([...get.query, ...route.query])] }
  }
}
