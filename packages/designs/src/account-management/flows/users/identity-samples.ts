import { type FlowSample, sampleOf as row } from '@freehold/frame/flow'
import { Client, SignInIdentity, User } from '../../design.ts'
import type { AccountFlows } from '../flows.ts'

interface Scene {
  readonly ours: string
  name(word: string): string
  newUser(more?: object): Promise<string>
}

/** Calls of the flows by which people of an issuer are users. */
export function identitySamples({ flows }: { readonly flows: AccountFlows }, { ours, name, newUser }: Scene): readonly FlowSample[] {
  const subject = () => ({ provider: 'google', subject: name('subject') })
  /** One of a provider whose people become users of the client. */
  const person = async () => {
    await flows.setIdentityProviders({ id: ours, identity_providers: ['google'] })
    return { ...subject(), address: `${name('p').replace(' ', '')}@ours.example` }
  }
  return [
    row('signIn', SignInIdentity, async () => {
      const one = await person()
      await newUser({ email: one.address })
      return { ...one, unknown: 'link' }
    }),
    row('signIn', User, async () => ({ ...(await person()), tenant: ours, unknown: 'make' })),
    row('linkIdentity', SignInIdentity, async () => ({ ...subject(), user_id: await newUser() })),
    row('unlinkIdentity', SignInIdentity, async () => {
      const identity = subject()
      await flows.linkIdentity({ ...identity, user_id: await newUser() })
      return identity
    }),
    row('setIdentityProviders', Client, async () => ({
      id: (await flows.createClient({ name: name('Client') })).id,
      identity_providers: ['google'],
    })),
  ]
}
