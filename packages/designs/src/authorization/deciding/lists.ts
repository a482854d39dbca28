import {
  type AnswerPage,
  confirmedPage,
  type Listed,
  type LoadResult,
  loadRecord,
  mergedRanges,
  placeOf,
  resolveNames,
  type Sources,
  unknownReason,
  wanted,
} from '@freehold/frame/decision'
import type { Entity } from '@freehold/table'
import { parallel, tableKey } from '@freehold/table/runtime'
import { Tenant, TenantGrant, User, UserTenantGrant } from '../design.ts'
import type { PermittedTenant, PermittedUser, WhereAsked, WhoAsked } from './question.ts'
import { type InTenant, userLookup, userOf } from './situation.ts'
import { type DecidesBy, permitting } from './verdict.ts'
import { type Refused, verdictsOf } from './verdicts.ts'

/** An item that is to blame if the schema refuses it alone. */
const refusedAt = (entity: Entity, id: Readonly<Record<string, string>>): Refused => ({ entity: entity.name, key: tableKey(entity, id) })

/** The users of the tenant who may do this, in the order of their ids. Two round trips with warm definitions, four cold or strong. */
export async function who(by: DecidesBy, sources: Sources, asked: WhoAsked, list: Listed): Promise<AnswerPage<PermittedUser>> {
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
    const verdicts = await verdictsOf(by, sources, all, ({ user }) => ({ asked, refused: refusedAt(User, { userId: user }) }), flaws)
    return verdicts.flatMap((verdict): PermittedUser[] => {
      const { userItem } = verdict.situation
      if (!verdict.can.allowed || userItem.state !== 'found') return []
      const { userId, email, preferredUsername } = userItem.item
      return [{ userId, email, ...(preferredUsername === undefined ? {} : { preferredUsername }), policies: permitting(verdict) }]
    })
  }
  return confirmedPage(
    list,
    candidates,
    steps,
    confirm,
    ({ userId }) => userId,
    () => flaws,
  )
}

/** The tenants in which the user may do this, in the order of their ids. Two round trips with warm definitions, four cold or strong. */
export async function where(
  by: DecidesBy,
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
    const of = ({ tenant }: InTenant) => ({
      asked: { ...asked, resource: resource ?? { type: 'Tenant', id: tenant } },
      refused: refusedAt(Tenant, { tenantId: tenant }),
    })
    const verdicts = await verdictsOf(by, sources, all, of, flaws)
    return verdicts.flatMap((verdict): PermittedTenant[] => {
      const { tenantItem } = verdict.situation
      if (!verdict.can.allowed || tenantItem?.state !== 'found') return []
      return [{ tenantId: tenantItem.item.tenantId, name: tenantItem.item.name, policies: permitting(verdict) }]
    })
  }
  return confirmedPage(
    list,
    candidates,
    steps,
    confirm,
    ({ tenantId }) => tenantId,
    () => flaws,
  )
}
