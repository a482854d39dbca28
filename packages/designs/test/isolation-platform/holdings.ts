import type { Items } from '../isolation/watched-items.ts'
import type { Item } from '../model/parts.ts'

// Who may do what, as the items themselves say: read a second time, without the code under test.

const flags = { canView: 'view', canCreate: 'create', canEdit: 'edit', canDelete: 'delete' }

const isThere = (item: Item | undefined): item is Item => item !== undefined && item.deleting === undefined
export const isActive = (user: Item, today: string): boolean =>
  isThere(user) && user.status === 'active' && !(typeof user.endDate === 'string' && user.endDate < today)

const inPartition = (items: readonly Item[], partition: string, type: string) =>
  items.filter(({ PK, Type }) => PK === partition && Type === type)

/** What the roles of a user's groups allow, as `action menu`, whether the user may act or not. */
export function grantedTo(items: Items, userId: string): ReadonlySet<string> {
  const found = new Set<string>()
  const user = items.get(`USER#${userId} / METADATA`)
  if (!isThere(user)) return found
  const all = [...items.values()].filter(({ Type }) => Type === 'UserGroup' || Type === 'GroupRole' || Type === 'RolePermission')
  const isOwn = ({ accountId }: Item) => accountId === undefined || accountId === user.accountId
  for (const { groupId } of inPartition(all, `USER_GROUPS#${userId}`, 'UserGroup')) {
    const group = items.get(`GROUP#${groupId} / METADATA`)
    if (!isThere(group) || group.accountId !== user.accountId) continue
    for (const { roleId } of inPartition(all, `GROUP#${groupId}`, 'GroupRole')) {
      const role = items.get(`ROLE#${roleId} / METADATA`)
      if (!isThere(role) || !isOwn(role)) continue
      for (const permission of inPartition(all, `ROLE#${roleId}`, 'RolePermission'))
        for (const [flag, action] of Object.entries(flags)) if (permission[flag] === true) found.add(`${action} ${permission.menuKey}`)
    }
  }
  return found
}

/** The users of a table, with what each may do now. */
export function holdingsOf(items: Items, today: string): ReadonlyMap<string, ReadonlySet<string>> {
  const users = [...items.values()].filter(({ Type }) => Type === 'User')
  return new Map(users.map((user) => [String(user.id), isActive(user, today) ? grantedTo(items, String(user.id)) : new Set()]))
}

/**
 * The permissions that a step gave without its actor holding them: what somebody may do anew; and all that a user has whose end is later, or whose address is
 * another's, since the reader of its mail may act as it.
 */
export function escalations(before: Items, after: Items, actor: string, today: string): string[] {
  const was = holdingsOf(before, today)
  const own = was.get(actor) ?? new Set()
  return [...holdingsOf(after, today)].flatMap(([user, held]) => {
    const place = `USER#${user} / METADATA`
    const [earlier, later] = [before.get(place), after.get(place)]
    const isTaken = user !== actor && earlier !== undefined && earlier.email !== later?.email
    const isLonger = user !== actor && earlier?.endDate !== undefined && String(later?.endDate ?? '~') > String(earlier.endDate)
    const given = isTaken || isLonger ? grantedTo(after, user) : held
    return [...given]
      .filter((each) => !own.has(each) && (isTaken || isLonger || was.get(user)?.has(each) !== true))
      .map((each) => `${each} to ${user}`)
  })
}
