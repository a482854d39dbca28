import { checking, FreeholdError, type Item } from '@freehold/table'
import { parallelMap } from '@freehold/table/runtime'
import { liveItem } from '../../flow/live-item.ts'
import { BasisChanged, type BasisItem } from '../../flow/permission-basis.ts'
import { GroupRole, Role, RolePagePermission, UserGroup, UserGroupEdge } from '../design.ts'
import { type AtLocation, basisOf, type RebacContext } from './rebac-host.ts'

/** An error names no more pages. */
const namedMax = 10
const pageMax = 1000

/** A role with the pages that it allows. Each flow that changes them counts as a write of the role, whose version is read first. */
async function contentOf(context: RebacContext, roleName: string) {
  const { version } = await liveItem(context, Role, { roleName })
  const allowed = new Set<string>()
  for await (const { pageName, permission } of context.table.permissionsOfRole.all({ roleName }, { consistent: true }))
    if (permission === 'ALLOW') allowed.add(pageName)
  const asRead: BasisItem = { kind: 'definition', name: `content of role ${roleName}`, check: checking(Role, { roleName }, { version }) }
  return { allowed, asRead }
}

interface HeldPage {
  readonly page: string
  readonly grantedBy: { readonly groupId: string; readonly roleName: string }
}

/** The pages that the calling user may open at a location, each with a grant, by a decision that reads everything. */
async function pagesHeld(
  { decider, user }: RebacContext,
  { locationId: location }: AtLocation,
): Promise<ReadonlyMap<string, HeldPage['grantedBy']>> {
  const held = new Map<string, HeldPage['grantedBy']>()
  let cursor: string | undefined
  do {
    const how = { consistency: 'strong', limit: pageMax, ...(cursor === undefined ? {} : { cursor }) } as const
    const answer = await decider().what({ user: user?.id, location }, how)
    // Every decider of rebac tells open pages so.
    for (const { page, grantedBy } of answer.items as unknown as readonly HeldPage[]) held.set(page, grantedBy)
    cursor = answer.cursor
  } while (cursor !== undefined)
  return held
}

/**
 * A caller that is a user grants no page that it cannot open itself at that location (spec rule 23). The roles that are granted, and all by which the
 * caller holds their pages, join the permission basis of the writes that follow. Throws `Denied`.
 * @param roleNames what somebody gets there
 */
export async function checkHeld(context: RebacContext, at: AtLocation, roleNames: readonly string[]): Promise<void> {
  const { user, basis, flow } = context
  if (user === undefined || roleNames.length === 0) return
  const granted = await parallelMap(roleNames, (roleName) => contentOf(context, roleName))
  basis?.add(granted.map(({ asRead }) => asRead))
  const wanted = [...new Set(granted.flatMap(({ allowed }) => [...allowed]))]
  if (wanted.length === 0) return
  const held = await pagesHeld(context, at)
  const missing = wanted.filter((page) => !held.has(page)).slice(0, namedMax)
  if (missing.length > 0) {
    const message = `Nobody grants more than they hold here, and this caller may not open ${missing.join(', ')}.`
    throw new FreeholdError('Denied', message, { flow, reason: 'NotHeld', missing })
  }
  const grants = wanted.flatMap((page) => held.get(page) ?? [])
  const holding = [...new Set(grants.map(({ roleName }) => roleName))]
  const contents = new Map(await parallelMap(holding, async (roleName) => [roleName, await contentOf(context, roleName)] as const))
  for (const page of wanted) {
    const { roleName = '' } = held.get(page) ?? {}
    // The role has lost the page since the decision.
    if (contents.get(roleName)?.allowed.has(page) !== true) throw new BasisChanged(roleName)
  }
  const of = (entity: { readonly name: string }, id: Readonly<Record<string, string>>) =>
    basisOf({ entity: entity.name, id, state: 'found' }) ?? []
  basis?.add(
    [
      ...[...contents.values()].map(({ asRead }) => asRead),
      ...grants.flatMap(({ groupId, roleName }) => [
        of(UserGroupEdge, { userId: user.id, groupId }),
        of(UserGroup, { groupId }),
        of(GroupRole, { groupId, roleName }),
      ]),
      ...wanted.map((pageName) => of(RolePagePermission, { roleName: held.get(pageName)?.roleName ?? '', pageName })),
    ].flat(),
  )
}

/** A new member gets the group's roles. They are read after the group, since each change of them counts as a write of the group. Throws `Denied`. */
export async function checkHeldOfGroup(context: RebacContext, at: AtLocation, { groupId, version }: Item<typeof UserGroup>): Promise<void> {
  if (context.user === undefined) return
  const roleNames: string[] = []
  for await (const { roleName } of context.table.rolesOfGroup.all({ groupId }, { consistent: true })) roleNames.push(roleName)
  context.basis?.add([{ kind: 'definition', name: `roles of group ${groupId}`, check: checking(UserGroup, { groupId }, { version }) }])
  await checkHeld(context, at, roleNames)
}
