import type { Item } from '@freehold/table'
import { parallel } from '@freehold/table/runtime'
import type { Reason } from '../../decision/decision.ts'
import { unknownReason } from '../../decision/fault.ts'
import { loadRecords } from '../../decision/load.ts'
import { type Name, resolveNames } from '../../decision/lookup.ts'
import { type LoadResult, wanted } from '../../decision/record.ts'
import type { Sources } from '../../decision/sources.ts'
import { Account, type User, Workstream } from '../design.ts'
import { todayOf } from './access.ts'
import { groups as groupDefinitions, isOf } from './definitions.ts'
import { presenceOf, userLookup } from './facts.ts'
import { type Grant, heldRoles, recordsOfGroups } from './grants.ts'
import { accountRefusals, refusalReason, userRefusals } from './refusals.ts'

/** A user at its account, and at its workstreams there. */
export interface UserEverywhere {
  /** Undefined if there is no such user. */
  readonly user?: Item<typeof User>
  /** Undefined if it is not there, or something refuses. */
  readonly account?: Item<typeof Account>
  readonly workstreams: readonly Item<typeof Workstream>[]
  readonly held: readonly Grant[]
  /** All records that were loaded. */
  readonly looked: readonly LoadResult<unknown>[]
  readonly reason: Reason | undefined
}

/** Two round trips with warm definitions, also cold or strong, and one more if an e-mail address is looked up for the first time. */
export async function userEverywhere(sources: Sources, user: Name, hasWorkstreams: boolean): Promise<UserEverywhere> {
  const { ids, unusable, read } = await resolveNames({ user: userLookup(sources, user) }, (known) =>
    presenceOf(sources, known.user, hasWorkstreams),
  )
  const none = { workstreams: [], held: [] }
  if (read?.user.state !== 'found') {
    const reason = unknownReason(unusable, [{ what: 'User', name: user.text, id: ids.user, result: read?.user }])
    return { ...none, looked: [...unusable, ...(read === undefined ? [] : [read.user])], reason }
  }
  const { item } = read.user
  const { accountId } = item
  const at = wanted(Account, { id: accountId })
  const beneath = read.workstreams.found.filter(isOf(accountId)).map(({ workstreamId: id }) => wanted(Workstream, { accountId, id }))
  const [loaded, groups] = await parallel(
    () => loadRecords(sources, [at, ...beneath]),
    () =>
      groupDefinitions.takeAll(
        sources,
        read.groups.found.map(({ groupId }) => groupId),
      ),
  )
  const account = loaded(at)
  const workstreams = beneath.map((each) => loaded(each))
  const unknown = unknownReason([], [{ what: 'Account', name: accountId, id: accountId, result: account }])
  const ofAccount = account.state === 'found' ? accountRefusals(account.item) : []
  const [refusal] = [...userRefusals(accountId, item, todayOf(sources)), ...ofAccount]
  if (account.state !== 'found' || refusal !== undefined)
    return { ...none, user: item, looked: [account], reason: unknown ?? (refusal && refusalReason(refusal)) }
  return {
    ...{ user: item, account: account.item, reason: undefined },
    workstreams: workstreams.flatMap((each) => (each.state === 'found' ? [each.item] : [])),
    held: heldRoles(accountId, read.groups.found, groups),
    looked: [...workstreams, ...read.groups.unusable, ...read.workstreams.unusable, ...recordsOfGroups(groups)],
  }
}
