import { checking, creating, type Entity, type Item, type New, type Steps, updating } from '@freehold/table'
import { consistent, keyPlaceholders, parallel } from '@freehold/table/runtime'
import type { FirstSight } from '../../issuers/verified-token.ts'
import { denied, type FlowContext } from '../flow-host.ts'
import { type Alongside, idOfItem } from '../items/write-item.ts'
import type { View } from '../records/recorded-changes.ts'
import { entryOf, writeRecorded } from '../records/recorded-write.ts'
import { retryOnConflict } from '../retry-on-conflict.ts'

/** What a provider says of a person who has just signed in there. */
export interface SigningIn {
  readonly provider: string
  readonly subject: string
  /** Undefined unless the provider says that the address is the person's. */
  readonly address?: string | null | undefined
  /** The id of the tenant that the provider names. */
  readonly tenant?: string | null | undefined
  readonly name?: string | null | undefined
  /** `link`: to the user with the person's address. `make`: the same, or else to a new user of the tenant that the provider names. */
  readonly firstSight: FirstSight
}

export const outcomes = ['known', 'linked', 'created'] as const
export interface SignedIn {
  readonly id: string
  readonly outcome: (typeof outcomes)[number]
}

/** A person of whom a user is made. */
export interface NewPerson {
  readonly id: string
  readonly email: string
  readonly first: string
  readonly last: string
  readonly tenant: string
}

/** How a design keeps its users, their identities, and the tenants that say who may become one. */
export interface SigningParts<C extends FlowContext, U extends Entity> {
  readonly user: U
  /** An identity is two items: by `provider` and `subject`, and by its user and `provider`. Either has the user's id in `holder`. */
  readonly identity: Entity
  readonly ofUser: Entity
  readonly holder: string
  readonly tenant: Entity
  /** The attribute of a tenant that lists the providers whose people become its users. */
  readonly allowed: string
  /** The attribute of a user that lists the providers from which it was unlinked. */
  readonly unlinked: string
  /** The uniqueness guard of a user's address, by its attribute `email`. */
  readonly address: Entity
  /** All of these have to allow that the user is linked. Left out where each user is of the one tenant that it names, or an internal one of none. */
  tenantsOf?(context: C, user: Item<U>): Promise<readonly string[]>
  /** A new user, without roles, and what else makes it one of the tenant. */
  made(person: NewPerson): { readonly user: New<U>; readonly steps?: Steps }
}

/** Codes by which a write says that another sign-in, or a deletion, was faster: what that left decides again. */
const overtaken = ['AlreadyExists', 'MissingEnd', 'NotFound', 'BeingDeleted'] as const

/** Users and tenants are each named by one attribute. */
export const idName = (entity: Entity) => keyPlaceholders(entity)[0] ?? ''
export const idIn = (entity: Entity, item: View) => String(item[idName(entity)])

/** The id of a tenant, or of a user, as it is stored. Undefined for text that is none. */
export function idNormal(entity: Entity, text: string): string | undefined {
  const id = entity.attributes[idName(entity)]?.schema.safeParse(text).data
  return typeof id === 'string' ? id : undefined
}

export const notVerified = (provider: string) => `${provider} has not verified an e-mail address of this person.`

/** The user with an address. */
async function userWith<C extends FlowContext, U extends Entity>(
  { user, address }: SigningParts<C, U>,
  { table }: C,
  text: string,
): Promise<Item<U> | undefined> {
  const found: View | undefined = await table.repositoryNamed(address.name).get({ email: text }, consistent)
  if (found === undefined) return undefined
  // The repository was asked for by name, which tells no types.
  return (await table.repositoryNamed(user.name).get({ [idName(user)]: idIn(user, found) }, consistent)) as Item<U> | undefined
}

export async function tenantsOf<C extends FlowContext, U extends Entity>(
  parts: SigningParts<C, U>,
  context: C,
  user: Item<U>,
): Promise<readonly string[]> {
  if (parts.tenantsOf !== undefined) return parts.tenantsOf(context, user)
  const tenant = (user as View)[context.host.design.tenants?.by ?? '']
  return typeof tenant === 'string' ? [tenant] : []
}

/** The texts of a list that an item may have. */
function listed(item: View, name: string): readonly unknown[] {
  const found = item[name]
  return Array.isArray(found) ? found : []
}

/** The step of an unlinking by which the user's address links it no more. */
export async function unlinking<C extends FlowContext, U extends Entity>(
  { user, holder, unlinked }: SigningParts<C, U>,
  { table }: C,
  identity: View,
): Promise<Alongside> {
  const key = { [idName(user)]: identity[holder] }
  const found: View | undefined = await table.repositoryNamed(user.name).get(key, consistent)
  if (found === undefined) return {}
  const providers = [...new Set([...listed(found, unlinked), identity.provider])]
  // The compiler does not know the entity.
  return { steps: { user: updating<Entity>(user, key as never, { [unlinked]: providers } as never, { version: Number(found.version) }) } }
}

/** A name of one word is both: a design that has two attributes wants both. */
function nameParts(name: string): { readonly first: string; readonly last: string } {
  const words = name.trim().split(/\s+/)
  const last = words.at(-1) ?? name
  return { first: words.slice(0, -1).join(' ') || last, last }
}

/** Checks that a tenant is active and lets people of a provider become its users. Throws `Denied`. */
async function allowing<C extends FlowContext, U extends Entity>(
  { tenant, allowed }: SigningParts<C, U>,
  { table, flow }: C,
  id: string,
  provider: string,
): Promise<Steps> {
  const key = { [idName(tenant)]: id }
  const isId = idNormal(tenant, id) !== undefined
  const found: View | undefined = isId ? await table.repositoryNamed(tenant.name).get(key, consistent) : undefined
  if (found?.status !== 'active' || found.deleting !== undefined)
    throw denied(flow, 'TenantNotActive', `The ${tenant.name} of this person is not there, or not active.`, found && id)
  if (!listed(found, allowed).includes(provider))
    throw denied(flow, 'ProviderNotAllowed', `The ${tenant.name} does not let people of ${provider} become its users.`, id)
  // The compiler does not know the entity.
  return { [`${tenant.name} ${id}`]: checking<Entity>(tenant, key as never, { version: Number(found.version) }) }
}

/** What links a person to a user at first sight. `ready`: whether the user may be linked. Throws `Denied`. */
export async function linking<C extends FlowContext, U extends Entity>(
  parts: SigningParts<C, U>,
  context: C,
  { provider, subject, tenant: named }: Pick<SigningIn, 'provider' | 'subject' | 'tenant'>,
  user: Item<U>,
  ready: () => Promise<unknown>,
) {
  const { table, flow } = context
  const { identity, ofUser, holder } = parts
  const id = idIn(parts.user, user)
  const [tenants, linked] = await parallel(
    () => tenantsOf(parts, context, user),
    () => table.repositoryNamed(ofUser.name).get({ [holder]: id, provider }, consistent),
    ready,
  )
  const [tenant = named ?? undefined] = tenants
  if (tenants.length === 0) throw denied(flow, 'NoTenant', 'This user is of no tenant: only an operator links it.')
  if (named !== undefined && named !== null && !tenants.includes(named))
    throw denied(flow, 'ForeignUser', `The user with this address is not of the ${parts.tenant.name} that ${provider} names.`, tenant)
  if (listed(user, parts.unlinked).includes(provider))
    throw denied(flow, 'Unlinked', `An administrator has unlinked this user from ${provider}, and links it again by linkIdentity.`, tenant)
  const known: View | undefined = linked
  if (known !== undefined && known.subject !== subject)
    throw denied(flow, 'AnotherSubject', `The user with this address signs in as another subject of ${provider}.`, tenant)
  const allowed = await Promise.all(tenants.map((each) => allowing(parts, context, each, provider)))
  const after = { provider, subject, [holder]: id }
  // The compiler does not know the entities.
  const steps: Steps = { ...Object.assign({}, ...allowed), identity: creating<Entity>(identity, after as never) }
  return { id, tenant, after, steps }
}

async function link<C extends FlowContext, U extends Entity>(
  parts: SigningParts<C, U>,
  context: C,
  person: SigningIn,
  user: Item<U>,
): Promise<SignedIn> {
  const { unscoped, host } = context
  const { identity, holder } = parts
  const { id, tenant, after, steps } = await linking(parts, context, person, user, () => host.actingUser(unscoped, idIn(parts.user, user)))
  // The address is still the user's when the identity is written: the version says so. A user of several tenants counts on, so that of a grant that comes
  // at once only one is written. The compiler does not know the entities.
  const { version }: View = user
  const read = { version: Number(version) }
  const key = idOfItem(parts.user, user) as never
  await writeRecorded(
    context,
    {
      ...steps,
      user: parts.tenantsOf === undefined ? checking<Entity>(parts.user, key, read) : updating<Entity>(parts.user, key, {}, read),
    },
    { ...entryOf(context, identity, after), tenant, after, related: { [holder]: id } },
  )
  return { id, outcome: 'linked' }
}

async function make<C extends FlowContext, U extends Entity>(
  parts: SigningParts<C, U>,
  context: C,
  { provider, subject, tenant, name }: SigningIn,
  email: string,
): Promise<SignedIn> {
  const { flow } = context
  const { identity, holder } = parts
  if (tenant === undefined || tenant === null)
    throw denied(flow, 'NoTenant', `No user has this address, and ${provider} names no ${parts.tenant.name} that gets one.`)
  const allowed = await allowing(parts, context, tenant, provider)
  const making = context.table.runtime.making()
  const id = String(parts.user.attributes[idName(parts.user)]?.make?.(making) ?? making.uuid())
  const { user, steps } = parts.made({ id, email, tenant, ...nameParts(name ?? email.slice(0, email.lastIndexOf('@'))) })
  const after: View = user
  await writeRecorded(
    context,
    {
      ...allowed,
      ...steps,
      // The compiler does not know the entities.
      user: creating<Entity>(parts.user, user as never),
      identity: creating<Entity>(identity, { provider, subject, [holder]: id } as never),
    },
    { ...entryOf(context, parts.user, after), id, tenant, after, related: { provider, subject } },
  )
  return { id, outcome: 'created' }
}

/**
 * Signs a person in. At first sight one transaction writes the identity, with the user if that is new: of several first sign-ins at once one writes,
 * and the others find what it wrote. Throws `Denied`, with the reason.
 */
export async function signedIn<C extends FlowContext, U extends Entity>(
  parts: SigningParts<C, U>,
  context: C,
  person: SigningIn,
): Promise<SignedIn> {
  const { table, unscoped, flow, caller, host } = context
  const { provider, subject, address, firstSight } = person
  const { tenant } = person
  const named = typeof tenant === 'string' ? { ...person, tenant: idNormal(parts.tenant, tenant) ?? tenant } : person
  const { actor } = caller
  if (actor.kind === 'identity-provider' && actor.name !== undefined && actor.name !== provider)
    throw denied(flow, 'AnotherProvider', `${actor.name} does not speak for ${provider}.`)
  const attempt = async (): Promise<SignedIn> => {
    const [found, user] = await parallel(
      () => table.repositoryNamed(parts.identity.name).get({ provider, subject }, consistent),
      async () => (address === undefined || address === null ? undefined : userWith(parts, context, address)),
    )
    const known: View | undefined = found
    if (known !== undefined) {
      const { id } = await host.actingUser(unscoped, String(known[parts.holder]))
      return { id, outcome: 'known' }
    }
    if (firstSight === 'refuse') {
      const [tenant] = user === undefined ? [] : await tenantsOf(parts, context, user)
      throw denied(flow, 'UnknownIdentity', `Nobody is linked to this subject of ${provider}.`, tenant)
    }
    if (address === undefined || address === null) throw denied(flow, 'EmailNotVerified', notVerified(provider))
    if (user !== undefined) return link(parts, context, named, user)
    if (firstSight === 'link') throw denied(flow, 'UnknownUser', 'No user has this address.')
    return make(parts, context, named, address)
  }
  return retryOnConflict(table.runtime, attempt, overtaken)
}
