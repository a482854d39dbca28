import { compareKeys } from '@freehold/table/runtime'
import type { AnswerPage } from '../../decision/decision.ts'
import type { Listed } from '../../decision/list.ts'
import type { Sources } from '../../decision/sources.ts'
import { rolesOnMenu } from './definitions.ts'
import { userEverywhere } from './everywhere.ts'
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
  const { account, workstreams, held, looked, reason } = await userEverywhere(sources, user, list.isExpanded)
  if (account === undefined) return list.page([], undefined, looked, reason)
  const { id: accountId, name } = account
  const roles = await rolesOnMenu(sources, distinctRoles(held), menu)
  const flaws = [...looked, ...[...roles.values()].flatMap(({ role, permission }) => [role, permission])]
  const [grantedBy] = grantsAmong(accountId, held, roles, action)
  if (grantedBy === undefined) return list.page([], undefined, flaws)
  const beneath = workstreams.map((each): PermittedPlace => ({ accountId, workstreamId: each.id, name: each.name, grantedBy }))
  const ahead = [{ accountId, name, grantedBy }, ...beneath]
    .filter((place) => list.after === undefined || compareKeys(positionOf(place), list.after) > 0)
    .sort((a, b) => compareKeys(positionOf(a), positionOf(b)))
  return list.pageOf(ahead, positionOf, flaws)
}
