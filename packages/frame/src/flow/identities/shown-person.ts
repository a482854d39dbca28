import { type Entity, email, type Item } from '@freehold/table'
import { consistent } from '@freehold/table/runtime'
import { denied, type FlowContext } from '../flow-host.ts'
import type { Alongside } from '../items/write-item.ts'
import type { View } from '../records/recorded-changes.ts'
import { idIn, idNormal, linking, notVerified, type SigningParts, tenantsOf } from './sign-in.ts'

const emailForm = email().schema

/**
 * Holds a caller that shows the token of a person to what is that person's: the user whom the token names by its id, who has the identity, or whose
 * address it is at first sight. Steps that link it then, to be written with a change of the user. Throws `Denied`.
 * @param email the address of the user
 */
export async function shownPerson<C extends FlowContext, U extends Entity>(
  parts: SigningParts<C, U>,
  context: C,
  user: Item<U>,
  email: string | undefined,
): Promise<Alongside> {
  const { caller, flow, unscoped } = context
  const { person } = caller
  if (person === undefined) return {}
  const { identity, tenant, holder } = parts
  const id = idIn(parts.user, user)
  const tenants = await tenantsOf(parts, context, user)
  // An administrator of the user's tenant sees why.
  const no = (reason: string, message: string) => denied(flow, reason, message, tenants[0])
  const another = () => no('AnotherPerson', 'The token is of another person than this user.')
  const entry = { user: id }
  if ('id' in person) {
    if (idNormal(parts.user, person.id) !== id) throw another()
    return { entry }
  }
  const { provider, subject, firstSight } = person
  const named = person.tenant === undefined ? undefined : (idNormal(tenant, person.tenant) ?? person.tenant)
  const isKept = unscoped.design.form.entities.get(identity.name) === identity
  const found: View | undefined = isKept ? await unscoped.repositoryNamed(identity.name).get({ provider, subject }, consistent) : undefined
  if (found !== undefined) {
    if (found[holder] !== id) throw another()
    if (named !== undefined && !tenants.includes(named))
      throw no('ForeignUser', `${provider} names another ${tenant.name} than that of this user.`)
    return { entry }
  }
  if (firstSight === 'refuse' || !isKept) throw no('UnknownIdentity', `Nobody is linked to this subject of ${provider}.`)
  if (!person.isAddressVerified || person.address === undefined) throw no('EmailNotVerified', notVerified(provider))
  if (emailForm.safeParse(person.address).data !== email) throw another()
  const { steps } = await linking(parts, context, { provider, subject, tenant: named }, user, async () => undefined)
  return { steps, entry: { ...entry, related: { provider, subject } } }
}
