import { type AnswerPage, type Listed, type Sources, withoutAbsent } from '@freehold/frame/decision'
import { compareKeys } from '@freehold/table/runtime'
import { closedReason, recordsOf, userEverywhere } from './access.ts'
import { rolesOnMenu } from './definitions.ts'
import { distinctRoles, grantsAmong } from './grants.ts'
import type { Access, PermittedPlace } from './question.ts'

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
  const at = await userEverywhere(sources, user, list.isExpanded)
  const { held, facts, workstreams } = at
  const { account: accountId } = at.asked
  const roles = await rolesOnMenu(sources, distinctRoles(held), menu)
  const flaws = [...recordsOf(at), ...workstreams, ...[...roles.values()].flatMap(({ role, permission }) => [role, permission])]
  const [grantedBy] = grantsAmong(accountId, held, roles, action)
  if (grantedBy === undefined || facts?.account?.state !== 'found') return list.page([], undefined, flaws, closedReason(at))
  const beneath = workstreams.flatMap((each): PermittedPlace[] =>
    each.state === 'found' ? [{ accountId, workstreamId: each.item.id, ...withoutAbsent({ name: each.item.name }), grantedBy }] : [],
  )
  const ahead = [{ accountId, ...withoutAbsent({ name: facts.account.item.name }), grantedBy }, ...beneath]
    .filter((place) => list.after === undefined || compareKeys(positionOf(place), list.after) > 0)
    .sort((a, b) => compareKeys(positionOf(a), positionOf(b)))
  return list.pageOf(ahead, positionOf, flaws)
}
