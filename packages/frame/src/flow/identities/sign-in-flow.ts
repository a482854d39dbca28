import { type Attribute, type Entity, email, oneOf, text } from '@freehold/table'
import { valuesOf } from '../../decision/returns.ts'
import { firstSights } from '../../issuers/verified-token.ts'
import type { FlowContext, ScopeOf, Within } from '../flow-host.ts'
import { flow } from '../written-flow.ts'
import type { Identities } from './people-finder.ts'
import { idName, outcomes, type SigningParts, signedIn } from './sign-in.ts'

/** The result of `signIn`: the id of the user, and what was written. */
export interface SignInAnswer {
  readonly user: string
  readonly outcome: (typeof outcomes)[number]
}

/**
 * The flow by which people of an identity provider are users of a design, and how the design knows them from then on.
 * @param feature the design's feature that has the identities
 */
export function signingIn<C extends FlowContext, U extends Entity>(parts: SigningParts<C, U>, summary: string, feature: string) {
  const { identity, user, holder } = parts
  // Each of these attributes is a text that its item must have.
  const given = (entity: Entity, name: string) => entity.attributes[name] as Attribute<string, 'given'>
  const idOf = (entity: Entity) => given(entity, idName(entity))
  const signIn = flow({
    name: 'signIn',
    summary,
    input: {
      provider: given(identity, 'provider'),
      subject: given(identity, 'subject'),
      address: email().optional().describe('The address, only if the provider has verified it.'),
      tenant: text().optional().describe(`The ${parts.tenant.name} that the provider names, by its id.`),
      name: text().optional().describe('The name of a new user.'),
      unknown: oneOf(...firstSights).describe('What to do with an unknown person.'),
    },
    needs: 'identity-provider',
    effect: 'write',
    returns: valuesOf<SignInAnswer>({
      user: idOf(user).describe('The id of the user.'),
      outcome: oneOf(...outcomes).describe('What was done.'),
    }),
    writes: { create: identity },
    feature,
    scope: async (): Promise<Within<ScopeOf<C>>> => 'system',
    tells: ['provider', 'subject', 'address'],
    run: async (context: C, { unknown: firstSight, ...person }): Promise<SignInAnswer> => {
      const { id, outcome } = await signedIn(parts, context, { ...person, firstSight })
      return { user: id, outcome }
    },
  })
  const identities: Identities = {
    ...{ identity, holder, ...(parts.tenantsOf === undefined ? { tenantId: idOf(parts.tenant) } : {}) },
    signingIn: ({ provider, subject, address, isAddressVerified, tenant, name, firstSight: unknown }) => ({
      ...{ provider, subject, address: isAddressVerified ? address : undefined, tenant, name, unknown },
    }),
  }
  return { signIn, identities }
}
