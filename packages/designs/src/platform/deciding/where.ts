import { compareKeys, parallel } from '@freehold/table/runtime'
import type { AnswerPage } from '../../decision/decision.ts'
import { unknownReason } from '../../decision/fault.ts'
import type { Listed } from '../../decision/list.ts'
import { loadRecords } from '../../decision/load.ts'
import { resolveNames } from '../../decision/lookup.ts'
import { type LoadResult, wanted } from '../../decision/record.ts'
import type { Sources } from '../../decision/sources.ts'
import { Account, Workstream } from '../design.ts'
import { todayOf } from './access.ts'
import { groups as groupDefinitions, isOf, rolesOnMenu } from './definitions.ts'
import { presenceOf, userLookup } from './facts.ts'
import { distinctRoles, grantsAmong, heldRoles, recordsOfGroups } from './grants.ts'
import type { Access, PermittedPlace } from './question.ts'
import { accountRefusals, refusalReason, userRefusals } from './refusals.ts'

/** The account comes before its workstreams, which are in the order of their ids. */
const positionOf = ({ workstreamId = '' }: PermittedPlace): string => workstreamId

/**
 * The user's account, if it may do this there: it covers each workstream of the user. With `expand` these are listed, too. Two round trips with warm
 * definitions; three cold or strong, and one more if an e-mail address is looked up for the first time.
 */
export async function where(
  sources: Sources,
  { user, menu, action }: Pick<Access, 'user' | 'menu' | 'action'>,
  list: Listed,
): Promise<AnswerPage<PermittedPlace>> {
  const { ids, unusable, read } = await resolveNames({ user: userLookup(sources, user) }, (known) =>
    presenceOf(sources, known.user, list.isExpanded),
  )
  const named = [{ what: 'User', name: user.text, id: ids.user, result: read?.user }]
  if (read?.user.state !== 'found') {
    const looked = [...unusable, ...(read === undefined ? [] : [read.user])]
    return list.page([], undefined, looked, unknownReason(unusable, named))
  }
  const { accountId } = read.user.item
  const edges = read.workstreams.found.filter(isOf(accountId))
  const at = wanted(Account, { id: accountId })
  const beneath = edges.map(({ workstreamId }) => wanted(Workstream, { accountId, id: workstreamId }))
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
  const [refusal] = [
    ...userRefusals(accountId, read.user.item, todayOf(sources)),
    ...(account.state === 'found' ? accountRefusals(account.item) : []),
  ]
  const unknown = unknownReason([], [{ what: 'Account', name: accountId, id: accountId, result: account }])
  if (account.state !== 'found' || refusal !== undefined)
    return list.page([], undefined, [account], unknown ?? (refusal && refusalReason(refusal)))
  const held = heldRoles(accountId, read.groups.found, groups)
  const roles = await rolesOnMenu(sources, distinctRoles(held), menu)
  const defined = [...roles.values()].flatMap(({ role, permission }) => [role, permission])
  const flaws: readonly LoadResult<unknown>[] = [
    ...[account, ...workstreams, ...read.groups.unusable, ...read.workstreams.unusable],
    ...[...recordsOfGroups(groups), ...defined],
  ]
  const [grantedBy] = grantsAmong(accountId, held, roles, action)
  if (grantedBy === undefined) return list.page([], undefined, flaws)
  const places: readonly PermittedPlace[] = [
    { accountId, name: account.item.name, grantedBy },
    ...workstreams.flatMap((each) =>
      each.state === 'found' ? { accountId, workstreamId: each.item.id, name: each.item.name, grantedBy } : [],
    ),
  ]
  const ahead = places
    .filter((place) => list.after === undefined || compareKeys(positionOf(place), list.after) > 0)
    .sort((a, b) => compareKeys(positionOf(a), positionOf(b)))
  return list.pageOf(ahead, positionOf, flaws)
}
