import { invalidInput, parallel, parallelMap } from '@freehold/table/runtime'
import { confirmedPage } from '../../decision/confirmed-page.ts'
import type { AnswerPage } from '../../decision/decision.ts'
import { unknownReason } from '../../decision/fault.ts'
import type { Listed } from '../../decision/list.ts'
import { loadRecord } from '../../decision/load.ts'
import { resolveNames } from '../../decision/lookup.ts'
import { mergedRanges } from '../../decision/merged-ranges.ts'
import { type LoadResult, wanted } from '../../decision/record.ts'
import { placeOf, type Sources } from '../../decision/sources.ts'
import { Tenant, TenantGrant, UserTenantGrant } from '../design.ts'
import type { PolicyEngine } from '../policies/policy-engine.ts'
import type { PermittedAction, PermittedTenant, PermittedUser, WhatAsked, WhereAsked, WhoAsked } from './question.ts'
import { type InTenant, rolesOf, type Situation, situationOf, situationsOf, userLookup, userOf } from './situation.ts'
import { type AskedAction, misfit, permitting, refusalOf, roleAsked, roleIdsOf, type Verdict, verdictOf } from './verdict.ts'

const recordsOf = ({ userItem, tenantItem, grant }: Situation): readonly LoadResult<unknown>[] =>
  [userItem, tenantItem, grant].flatMap((each) => each ?? [])

/** The actions of the schema that the user may do, in the order of their names. The same round trips as `can`. */
export async function what(engine: PolicyEngine, sources: Sources, asked: WhatAsked, list: Listed): Promise<AnswerPage<PermittedAction>> {
  const { resource } = asked
  const situation = await situationOf(sources, asked)
  const roles = await rolesOf(sources, [...roleIdsOf(situation), ...roleAsked(resource)])
  const ahead = engine.actionsOn(resource.type).filter((action) => list.after === undefined || action > list.after)
  const verdicts = await parallelMap(ahead, async (action) => ({
    action,
    verdict: await verdictOf(engine, situation, roles, { ...asked, action }),
  }))
  const items = verdicts.flatMap(({ action, verdict }): PermittedAction[] => {
    return verdict.can.allowed ? [{ action, policies: permitting(verdict) }] : []
  })
  return list.pageOf(items, ({ action }) => action, [...recordsOf(situation), ...roles.values()], undefined, refusalOf(situation))
}

/** The verdicts of a batch, in its order. One round trip with warm definitions, three cold or strong. */
async function verdictsOf(
  engine: PolicyEngine,
  sources: Sources,
  all: readonly InTenant[],
  of: (each: InTenant) => AskedAction,
  flaws: LoadResult<unknown>[],
): Promise<readonly Verdict[]> {
  const situations = await situationsOf(sources, all)
  const resources = all.flatMap((each) => roleAsked(of(each).resource))
  const roles = await rolesOf(sources, [...situations.flatMap(roleIdsOf), ...resources])
  for (const each of [...situations.flatMap(recordsOf), ...roles.values()]) flaws.push(each)
  const verdicts = await parallelMap(situations, (situation) => verdictOf(engine, situation, roles, of(situation)))
  const [problem] = verdicts.flatMap((verdict) => misfit(verdict) ?? [])
  // An empty page would say that nobody may.
  if (problem !== undefined) throw invalidInput('The question', [{ path: [], message: problem }])
  return verdicts
}

/** The users of the tenant who may do this, in the order of their ids. Two round trips with warm definitions, four cold or strong. */
export async function who(engine: PolicyEngine, sources: Sources, asked: WhoAsked, list: Listed): Promise<AnswerPage<PermittedUser>> {
  const { tenant } = asked
  const candidates = mergedRanges(sources, TenantGrant, [{ of: tenant, ...placeOf(TenantGrant, { tenantId: tenant }) }], list.after)
  const [scope, steps] = await parallel(
    () => loadRecord(sources, wanted(Tenant, { tenantId: tenant })),
    () => candidates.read(list.limit + 1, 1),
  )
  const flaws: LoadResult<unknown>[] = [scope]
  const unknown = unknownReason([], [{ what: 'Tenant', name: tenant, id: tenant, result: scope }])
  if (unknown !== undefined) return list.page([], undefined, flaws, unknown)
  const confirm = async (batch: readonly (readonly [string, ...unknown[]])[]) => {
    const all = batch.map(([user]) => ({ user, tenant }))
    const verdicts = await verdictsOf(engine, sources, all, () => asked, flaws)
    return verdicts.flatMap((verdict): PermittedUser[] => {
      const { userItem } = verdict.situation
      if (!verdict.can.allowed || userItem.state !== 'found') return []
      const { userId, email, preferredUsername } = userItem.item
      return [{ userId, email, ...(preferredUsername === undefined ? {} : { preferredUsername }), policies: permitting(verdict) }]
    })
  }
  return confirmedPage(list, candidates, steps, confirm, ({ userId }) => userId, flaws)
}

/** The tenants in which the user may do this, in the order of their ids. Two round trips with warm definitions, four cold or strong. */
export async function where(
  engine: PolicyEngine,
  sources: Sources,
  { user: named, resource, ...asked }: WhereAsked,
  list: Listed,
): Promise<AnswerPage<PermittedTenant>> {
  const names = { user: userLookup(sources, named) }
  const {
    read,
    unusable: [nobody],
  } = await resolveNames(names, async ({ user }) => {
    const candidates = mergedRanges(sources, UserTenantGrant, [{ of: user, ...placeOf(UserTenantGrant, { userId: user }) }], list.after)
    const [self, steps] = await parallel(
      () => userOf(sources, user),
      () => candidates.read(list.limit + 1, 1),
    )
    return { user, candidates, self, steps }
  })
  const self = nobody ?? read?.self
  const flaws: LoadResult<unknown>[] = self === undefined ? [] : [self]
  const unknown = unknownReason([], [{ what: 'User', name: named.text, id: undefined, result: self }])
  if (unknown !== undefined || read === undefined) return list.page([], undefined, flaws, unknown)
  const { user, candidates, steps } = read
  const confirm = async (batch: readonly (readonly [string, ...unknown[]])[]) => {
    const all = batch.map(([tenant]) => ({ user, tenant }))
    const of = ({ tenant }: InTenant) => ({ ...asked, resource: resource ?? { type: 'Tenant', id: tenant } })
    const verdicts = await verdictsOf(engine, sources, all, of, flaws)
    return verdicts.flatMap((verdict): PermittedTenant[] => {
      const { tenantItem } = verdict.situation
      if (!verdict.can.allowed || tenantItem?.state !== 'found') return []
      return [{ tenantId: tenantItem.item.tenantId, name: tenantItem.item.name, policies: permitting(verdict) }]
    })
  }
  return confirmedPage(list, candidates, steps, confirm, ({ tenantId }) => tenantId, flaws)
}
