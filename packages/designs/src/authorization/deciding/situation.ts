import {
  byIds,
  isForeign,
  isUnusable,
  type LoadResult,
  type Lookup,
  loadRecord,
  loadRecords,
  nameLookup,
  nameOf,
  parseRecord,
  resolveNames,
  type Sources,
  type Unusable,
  type Wanted,
  wanted,
} from '@freehold/frame/decision'
import type { Item } from '@freehold/table'
import { type Awaitable, byIndex, parallel, parallelMap, whenThere } from '@freehold/table/runtime'
import { Role, RoleById, Tenant, TenantGrant, User, UserEmail, UserPreferredUsername } from '../design.ts'
import type { UserName } from './question.ts'
import {
  fromSource,
  isOfDesign,
  keepsResources,
  type ResourceName,
  type ResourceRecord,
  type ResourceSource,
  resourceAt,
} from './resources.ts'

export interface InTenant {
  readonly user: string
  readonly tenant: string
  readonly resource?: Omit<ResourceName, 'tenant'> | undefined
}

/** A user with its grant in the tenant. */
interface Known {
  readonly userItem: LoadResult<Item<typeof User>>
  readonly grant: LoadResult<Item<typeof TenantGrant>>
}

export type Roles = ReadonlyMap<string, LoadResult<Item<typeof Role>>>

/** A user in a tenant, as it was read at one moment. */
export interface Situation extends Omit<InTenant, 'resource'> {
  /** The name by which the user was asked about. */
  readonly named: UserName
  readonly userItem: LoadResult<Item<typeof User>>
  /** Undefined if the name stands for nobody: then nothing else was read. */
  readonly tenantItem: LoadResult<Item<typeof Tenant>> | undefined
  readonly grant: LoadResult<Item<typeof TenantGrant>> | undefined
  /** The resource that is asked about, if such resources are kept. */
  readonly resource?: ResourceRecord
  /** Another user that is the resource. */
  readonly other?: Known | undefined
}

const emailAt = (email: string) => wanted(UserEmail, { email })
const usernameAt = (preferredUsername: string) => wanted(UserPreferredUsername, { preferredUsername })

/** The look-up of a user by name. */
export function userLookup(sources: Sources, { by, text }: UserName): Lookup<string> {
  // Read outside the tenant scope, which has no names. It gives an id alone, and `situationOf` hides whoever has no grant in the tenant.
  const everywhere = { ...sources, runtime: { ...sources.runtime, tenantScope: undefined } }
  const load = (name: string): Promise<LoadResult<{ readonly userId: string }>> =>
    by === 'email' ? loadRecord(everywhere, emailAt(name)) : loadRecord(everywhere, usernameAt(name))
  return nameLookup(sources, by, { by: by === 'id' ? 'id' : 'lookup', text }, load, ({ userId }) => userId)
}

const nobodyNamed = (named: UserName, tenant: string, nobody: Unusable): Situation => ({
  ...{ user: named.text, tenant, named, userItem: nobody, tenantItem: undefined, grant: undefined },
})

/** A named user in a tenant. One round trip, and one more for a name that is looked up for the first time. */
export async function situationOf(
  sources: Sources,
  { user, tenant, resource }: Omit<InTenant, 'user'> & { readonly user: UserName },
  source?: ResourceSource,
): Promise<Situation> {
  const names = { user: userLookup(sources, user) }
  const { unusable, read } = await resolveNames(names, (ids) => situationsOf(sources, [{ tenant, resource, ...ids }], source))
  const [nobody] = unusable
  if (nobody !== undefined) return nobodyNamed(user, tenant, nobody)
  const [situation] = read ?? []
  if (situation === undefined) throw new Error('A situation was asked for.')
  const isHidden = sources.runtime.tenantScope !== undefined && situation.userItem.state === 'missing'
  if (!isHidden || user.by === 'id') return { ...situation, named: user }
  // A name that stands for somebody without a grant looks as one that stands for nobody: not even the id is told.
  const nothing = user.by === 'email' ? parseRecord(emailAt(user.text), undefined) : parseRecord(usernameAt(user.text), undefined)
  return isUnusable(nothing) ? nobodyNamed(user, tenant, nothing) : { ...situation, named: user }
}

const isRoleId = (id: string) => nameOf(RoleById, 'roleId')(id) === id
const noRole: Unusable = { state: 'missing', entity: Role.name, key: { PK: '', SK: '' }, message: 'There is no Role.' }

type RoleKey = Pick<Item<typeof Role>, 'scope' | 'name'>
type RoleResult = LoadResult<Item<typeof Role>>

/** The keys of roles by the index of the document, for ids without lookup items. */
async function rolesInIndex({ runtime }: Sources, roleIds: readonly string[]): Promise<ReadonlyMap<string, LoadResult<RoleKey>>> {
  const all = await parallelMap(roleIds, async (roleId) => {
    const [item] = (await byIndex(runtime, RoleById, { roleId })) ?? []
    return [roleId, item === undefined ? noRole : ({ state: 'found', item } as const)] as const
  })
  return new Map(all)
}

/** Roles as they are under the keys that their ids were found to have. One round trip. */
async function rolesUnder(sources: Sources, keys: ReadonlyMap<string, LoadResult<RoleKey>>): Promise<ReadonlyMap<string, RoleResult>> {
  const found = [...keys].map(([roleId, key]) => ({
    roleId,
    key,
    role: key.state === 'found' ? wanted(Role, { scope: key.item.scope, name: key.item.name }) : undefined,
  }))
  const records = found.flatMap(({ role }) => role ?? [])
  const loaded = records.length === 0 ? undefined : await loadRecords(sources, records)
  return new Map(
    found.map(({ roleId, key, role }): [string, RoleResult] => {
      if (isUnusable(key)) return [roleId, key]
      const result = role === undefined ? undefined : loaded?.(role)
      if (role === undefined || result === undefined) return [roleId, noRole]
      // Renamed meanwhile, and its old name given to another one.
      const isOther = result.state === 'found' && result.item.roleId !== roleId
      return [roleId, isOther ? { state: 'missing', entity: Role.name, key: role.key, message: 'There is no Role.' } : result]
    }),
  )
}

/**
 * Roles by their ids. They are definitions. Two round trips if any is not in memory: by its id, and by the name that the id has. One more for a role of
 * another program, which has no lookup item, unless `areForeign` told so.
 * @param areForeign another program wrote an item that names these roles: the index is asked side by side with the lookup items
 */
export function rolesOf(sources: Sources, ids: readonly string[], areForeign = false): Awaitable<Roles> {
  const unique = [...new Set(ids)]
  const taken = sources.definitions.takeAll(unique, async (missing) => {
    // A question may name any text as a role: text that no key can hold names none.
    const asked = missing.filter(isRoleId).map((roleId) => ({ roleId, at: wanted(RoleById, { roleId }) }))
    const places = asked.map(({ at }) => at)
    const [lookup, indexed] = await parallel(
      () => loadRecords(sources, places),
      () => rolesInIndex(sources, areForeign ? asked.map(({ roleId }) => roleId) : []),
    )
    const listed = new Map<string, LoadResult<RoleKey>>(missing.map((roleId) => [roleId, noRole]))
    for (const { roleId, at } of asked) {
      const byId = lookup(at)
      listed.set(roleId, byId.state === 'missing' ? (indexed.get(roleId) ?? byId) : byId)
    }
    const unlisted = asked.filter(({ roleId }) => !areForeign && listed.get(roleId)?.state === 'missing').map(({ roleId }) => roleId)
    const [roles, late] = await parallel(
      () => rolesUnder(sources, listed),
      () => rolesInIndex(sources, unlisted),
    )
    const inIndex = new Map([...late].filter(([, key]) => key.state === 'found'))
    return inIndex.size === 0 ? roles : new Map([...roles, ...(await rolesUnder(sources, inIndex))])
  })
  return whenThere(taken, (values) => byIds(unique, values))
}

/** True if another program wrote the user, or its grant: it names roles by ids that may have no lookup items. */
export const areRolesForeign = (all: readonly Situation[]): boolean =>
  all.some(({ userItem, grant }) => [userItem, grant].some((each) => each?.state === 'found' && isForeign(each.item)))

/** A resource that is a user. A tenant knows it if it has a grant there. */
const userAsked = ({ resource }: InTenant) => {
  const userId = resource?.type === 'User' ? resource.id : undefined
  return userId !== undefined && nameOf(User, 'userId')(userId) === userId ? userId : undefined
}

/**
 * Users in tenants: user, tenant and grant of each, with the resource that is asked about, all in one round trip.
 * @param source resources of a program's own, asked for side by side
 */
export async function situationsOf(sources: Sources, all: readonly InTenant[], source?: ResourceSource): Promise<readonly Situation[]> {
  const { runtime } = sources
  const placed = all.map((each) => {
    const { user, tenant, resource } = each
    const known = (userId: string) => ({ userAt: wanted(User, { userId }), grantAt: wanted(TenantGrant, { tenantId: tenant, userId }) })
    const other = userAsked(each)
    const isAsked = resource !== undefined && !isOfDesign(resource)
    return {
      resourceAt: isAsked && source === undefined && keepsResources(runtime) ? resourceAt({ tenant, ...resource }) : undefined,
      other: other === undefined || other === user ? undefined : known(other),
      ...{ user, tenant, resource, isAsked, tenantAt: wanted(Tenant, { tenantId: tenant }), ...known(user) },
    }
  })
  const [loaded, told] = await parallel(
    () =>
      loadRecords(
        sources,
        placed.flatMap(({ userAt, tenantAt, grantAt, resourceAt: at, other }) =>
          [userAt, tenantAt, grantAt, at, other?.userAt, other?.grantAt].flatMap((each): Wanted[] => (each === undefined ? [] : [each])),
        ),
      ),
    () =>
      parallelMap(placed, async ({ tenant, resource, isAsked }) =>
        source !== undefined && resource !== undefined && isAsked ? fromSource(source, { tenant, ...resource }) : undefined,
      ),
  )
  return placed.map(({ user, tenant, userAt, tenantAt, grantAt, resourceAt: at, other }, index) => {
    const grant = loaded(grantAt)
    // A tenant knows those alone who have a grant in it. To all others it answers as if they were not there.
    const isHidden = runtime.tenantScope !== undefined && grant.state === 'missing'
    const userItem = isHidden ? parseRecord(userAt, undefined) : loaded(userAt)
    return {
      resource: at === undefined ? told[index] : loaded(at),
      other: other && { userItem: loaded(other.userAt), grant: loaded(other.grantAt) },
      ...{ user, tenant, named: { by: 'id', text: user }, userItem, tenantItem: loaded(tenantAt), grant },
    }
  })
}

/** A user as the tenant scope knows it. One round trip. */
export async function userOf(sources: Sources, user: string): Promise<Situation['userItem']> {
  const { tenantScope } = sources.runtime
  if (tenantScope === undefined) return loadRecord(sources, wanted(User, { userId: user }))
  const [situation] = await situationsOf(sources, [{ user, tenant: tenantScope.tenant }])
  if (situation === undefined) throw new Error('A situation was asked for.')
  return situation.userItem
}
