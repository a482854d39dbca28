import type { Item } from '@freehold/table'
import { type Awaitable, parallel, parallelMap, whenThere } from '@freehold/table/runtime'
import { byIds } from '../../decision/definition-reader.ts'
import { loadRecord, loadRecords } from '../../decision/load.ts'
import { type Lookup, nameLookup, resolveNames } from '../../decision/lookup.ts'
import { nameOf } from '../../decision/question.ts'
import { isUnusable, type LoadResult, parseRecord, type Unusable, type Wanted, wanted } from '../../decision/record.ts'
import type { Sources } from '../../decision/sources.ts'
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

/** Roles by their ids. They are definitions. Two round trips if any is not in memory: by its id, and by the name that the id has. */
export function rolesOf(sources: Sources, ids: readonly string[]): Awaitable<Roles> {
  const unique = [...new Set(ids)]
  const taken = sources.definitions.takeAll(unique, async (missing) => {
    // A question may name any text as a role: text that no key can hold names none.
    const named = missing.map((roleId) => ({ roleId, at: isRoleId(roleId) ? wanted(RoleById, { roleId }) : undefined }))
    const lookup = await loadRecords(
      sources,
      named.flatMap(({ at }): Wanted<typeof RoleById>[] => (at === undefined ? [] : [at])),
    )
    const found = named.map(({ roleId, at }) => {
      const byId = at === undefined ? noRole : lookup(at)
      return { roleId, byId, role: byId.state === 'found' ? wanted(Role, { scope: byId.item.scope, name: byId.item.name }) : undefined }
    })
    const loaded = await loadRecords(
      sources,
      found.flatMap(({ role }) => role ?? []),
    )
    return new Map(
      found.map(({ roleId, byId, role }): [string, LoadResult<Item<typeof Role>>] => {
        if (isUnusable(byId)) return [roleId, byId]
        if (role === undefined) return [roleId, noRole]
        const result = loaded(role)
        // Renamed meanwhile, and its old name given to another one.
        const isOther = result.state === 'found' && result.item.roleId !== roleId
        return [roleId, isOther ? { state: 'missing', entity: Role.name, key: role.key, message: 'There is no Role.' } : result]
      }),
    )
  })
  return whenThere(taken, (values) => byIds(unique, values))
}

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
