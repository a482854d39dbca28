import {
  type AnswerPage,
  confirmedPage,
  type Listed,
  type ListedIds,
  type LoadResult,
  mergedRanges,
  parseRecords,
  placeOf,
  type Reason,
  readCollection,
  type Sources,
  type Unusable,
} from '@freehold/frame/decision'
import { compareKeys, invalidInput, parallel, parallelMap } from '@freehold/table/runtime'
import { Resource, Role, TenantGrant } from '../design.ts'
import type { AskedResource, PermittedAction, PermittedResource, WhatAsked } from './question.ts'
import { faulty, idsFrom, isKeptType, isOfDesign, keepsResources, resourceKey } from './resources.ts'
import { areRolesForeign, rolesOf, situationOf, situationsOf } from './situation.ts'
import { type DecidesBy, misfit, permitting, refusalOf, roleIdsRead, type Verdict, verdictOf } from './verdict.ts'
import { atOnceFor, inTurns, recordsOf } from './verdicts.ts'

/** The actions that are asked about: those of the type that the schema lets a user ask, or the one of them that the question names. */
export const actionsAsked = ({ engine }: DecidesBy, { action, resource }: Pick<WhatAsked, 'action' | 'resource'>) =>
  engine.actionsOn(resource.type).filter((each) => action === undefined || each === action)

/** Why the schema takes none of the questions; undefined if it takes one. An action that needs another context is not among those that are allowed. */
function refusedBySchema(verdicts: readonly Verdict[]): Reason | undefined {
  const [message] = verdicts.flatMap((verdict) => misfit(verdict) ?? [])
  const isAll = verdicts.every((verdict) => misfit(verdict) !== undefined)
  return message !== undefined && isAll ? { kind: 'fault', code: 'PolicyFault', message } : undefined
}

/** What may this user do to a resource, or to each of a type? */
export function what(
  by: DecidesBy,
  sources: Sources,
  asked: WhatAsked,
  list: Listed,
): Promise<AnswerPage<PermittedAction | PermittedResource>> {
  const { type, id, ...more } = asked.resource
  if (id === undefined && more.attributes !== undefined)
    throw invalidInput('what', [{ path: ['resource', 'attributes'], message: 'goes with an id' }])
  return id === undefined ? whatOfType(by, sources, asked, list) : whatOfOne(by, sources, asked, { type, id, ...more }, list)
}

/** In the order of the names of actions. The same round trips as `can`. */
async function whatOfOne(
  by: DecidesBy,
  sources: Sources,
  asked: WhatAsked,
  resource: AskedResource,
  list: Listed,
): Promise<AnswerPage<PermittedAction>> {
  const { user, tenant } = asked
  const situation = await situationOf(sources, { user, tenant, resource }, by.resources)
  const roles = await rolesOf(sources, roleIdsRead(situation, resource), areRolesForeign([situation]))
  const actions = actionsAsked(by, asked)
  const verdicts = await parallelMap(actions, async (action) => ({
    action,
    verdict: await verdictOf(by, situation, roles, { ...asked, resource, action }),
  }))
  const items = verdicts.flatMap(({ action, verdict }): PermittedAction[] => {
    const isAhead = list.after === undefined || compareKeys(action, list.after) > 0
    return verdict.can.allowed && isAhead ? [{ action, policies: permitting(verdict) }] : []
  })
  const nothing = refusalOf(situation) ?? refusedBySchema(verdicts.map(({ verdict }) => verdict))
  return list.pageOf(items, ({ action }) => action, [...recordsOf(situation), ...roles.values()], undefined, nothing)
}

/**
 * The roles of grants, in the order of their ids. In the table they lie in the order of their names, so all of them are read: a product has some dozens.
 */
function rolesListed(sources: Sources, after: string | undefined): ListedIds {
  const place = placeOf(Role, { scope: 'tenant' })
  const malformed: Unusable[] = []
  let all: Promise<readonly string[]> | undefined
  const read = async () => {
    const { found, unusable } = parseRecords(Role, await readCollection(sources.runtime, place.partition, place.range))
    malformed.push(...unusable)
    return found.map(({ roleId }) => roleId).sort(compareKeys)
  }
  const idsOf = async (past: string | undefined, limit: number) => {
    all ??= read()
    return (await all).filter((id) => past === undefined || compareKeys(id, past) > 0).slice(0, limit)
  }
  return idsFrom(idsOf, after, malformed)
}

/** Where the resources of a type are listed. Undefined for a type of which there can be none. Throws `InvalidInput` for one that nothing lists. */
function resourcesListed(
  { resources }: DecidesBy,
  sources: Sources,
  tenant: string,
  type: string,
  after: string | undefined,
): ListedIds | undefined {
  const { runtime } = sources
  if (type === 'Tenant') return idsFrom(async (past) => (past === undefined || compareKeys(past, tenant) < 0 ? [tenant] : []), after)
  if (type === 'Role') return rolesListed(sources, after)
  if (type === 'User') return mergedRanges(sources, TenantGrant, [{ of: type, ...placeOf(TenantGrant, { tenantId: tenant }) }], after)
  const { idsOf } = resources ?? {}
  if (idsOf !== undefined && !isOfDesign({ type }))
    return idsFrom((past, limit) => faulty(() => idsOf({ tenant, type, after: past, limit })), after)
  if (resources !== undefined || isOfDesign({ type }) || !keepsResources(runtime))
    throw invalidInput('what', [
      { path: ['resource', 'id'], message: `is missing: nothing lists resources of type ${JSON.stringify(type)}` },
    ])
  if (!isKeptType(type)) return undefined
  return mergedRanges(sources, Resource, [{ of: type, ...placeOf(Resource, { tenantId: tenant, type }) }], after)
}

/** Every resource of the type, in the order of their ids. Two round trips with warm definitions, four cold or strong. */
async function whatOfType(by: DecidesBy, sources: Sources, asked: WhatAsked, list: Listed): Promise<AnswerPage<PermittedResource>> {
  const {
    user,
    tenant,
    resource: { type },
  } = asked
  const candidates = resourcesListed(by, sources, tenant, type, list.after)
  const [situation, steps = 0] = await parallel(
    () => situationOf(sources, { user, tenant }),
    async () => candidates?.read(list.limit + 1, 1),
  )
  const flaws: LoadResult<unknown>[] = [...recordsOf(situation)]
  const refusal = refusalOf(situation)
  if (refusal !== undefined || candidates === undefined) return list.page([], undefined, flaws, refusal)
  const actions = actionsAsked(by, asked)
  const { user: userId } = situation
  const confirm = async (batch: readonly (readonly [id: string, ...unknown[]])[]) => {
    const all = batch.map(([id]) => ({ user: userId, tenant, resource: { type, id } }))
    const situations = await situationsOf(sources, all, by.resources)
    const roles = await rolesOf(
      sources,
      situations.flatMap((each, index) => roleIdsRead(each, all[index]?.resource ?? { type, id: '' })),
      areRolesForeign(situations),
    )
    for (const each of [...situations.flatMap(recordsOf), ...roles.values()]) flaws.push(each)
    const decided = await inTurns(situations, Math.ceil(atOnceFor(asked) / Math.max(1, actions.length)), async (each, index) => {
      const resource = all[index]?.resource
      // Removed since it was listed.
      if (resource === undefined || each.resource?.state === 'missing') return []
      const verdicts = await parallelMap(actions, (action) => verdictOf(by, each, roles, { ...asked, resource, action }))
      const refused = refusedBySchema(verdicts)
      if (refused !== undefined)
        flaws.push({ state: 'malformed', entity: Resource.name, key: resourceKey({ tenant, ...resource }), message: refused.message })
      const allowed = verdicts.flatMap((verdict, at) => (verdict.can.allowed ? [{ action: actions[at] ?? '', verdict }] : []))
      if (allowed.length === 0) return []
      const policies = [...new Set(allowed.flatMap(({ verdict }) => permitting(verdict)))].sort(compareKeys)
      return [{ id: resource.id, actions: allowed.map(({ action }) => action), policies }]
    })
    return decided.flat()
  }
  return confirmedPage(
    list,
    candidates,
    steps,
    confirm,
    ({ id }) => id,
    () => flaws,
  )
}
