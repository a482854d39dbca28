import { stateConflict } from '@freehold/frame/flow'
import { encryptedSecret, passwordHash } from '@freehold/frame/secrets'
import { flag, type Item, text } from '@freehold/table'
import { User } from '../../design.ts'
import { type AccountContext, type AccountWithin, itemFlows } from '../account-host.ts'
import { signingOut } from '../credentials/signing-out.ts'
import { ownerScope } from '../scope.ts'

type UserItem = Item<typeof User>

/** Somebody who knows the password of a user acts as that user: a user sets its own, and no permission is enough for another's (spec rule 23). */
const scope = async (context: AccountContext, { id }: { readonly id: string }): Promise<AccountWithin> => ownerScope(context, id)
const ownUser = itemFlows(User, { scope })

/** A user who never accepted the invitation gets credentials by accepting it. Throws `CheckFailed`: `InvitationNotAccepted`. */
function checkSignsIn({ invitation_expires_at: end }: UserItem): void {
  if (end === undefined) return
  throw stateConflict(User, 'InvitationNotAccepted', 'This user has not accepted the invitation yet: acceptInvitation sets its password.')
}

const setPassword = ownUser.update({
  name: 'setPassword',
  summary: 'Sets the hash of a user’s password, which the caller has made, and revokes its sessions and tokens unless told to keep them.',
  input: { password_hash: passwordHash(), keep_sessions: flag().optional() },
  needs: 'own',
  errors: ['CheckFailed'],
  check: (_call, before) => checkSignsIn(before),
  change: ({ context, input: { password_hash } }) => ({
    password_hash,
    password_last_changed_at: context.table.runtime.now().toISOString(),
  }),
  around: ({ context, input }, { id }, write) => (input.keep_sessions === true ? write() : signingOut(context, id, write)),
})

const setting = (signsOut: (before: Pick<UserItem, 'mfa_enabled'>) => boolean) =>
  ownUser.update({
    name: 'setMfa',
    summary:
      'Sets the second factor of a user, whose secret the caller has encrypted, and turns it on. Another one that it had goes, as by unsetMfa.',
    input: {
      mfa_type: text({ max: 100, pattern: /\P{Cc}+/u, saying: 'is empty, or holds a control character' }).describe(
        'What it is: some text.',
      ),
      mfa_secret: encryptedSecret(),
    },
    needs: 'own',
    errors: ['CheckFailed'],
    check: (_call, before) => checkSignsIn(before),
    change: ({ input: { mfa_type, mfa_secret } }) => ({ mfa_enabled: true, mfa_type, mfa_secret }),
    around: ({ context }, before, write) => (signsOut(before) ? signingOut(context, before.id, write) : write()),
  })

const setMfa = setting(({ mfa_enabled }) => mfa_enabled)
/** As this product's own pages set it: whom the password alone has let in stays in nowhere (ASVS 5.0, 7.2.4 and 7.4.3). */
export const setMfaSigningOut = setting(() => true)

const unsetMfa = ownUser.update({
  name: 'unsetMfa',
  summary: 'Takes the second factor of a user away, and revokes its sessions and tokens: its password alone is enough from then on.',
  needs: 'own',
  change: () => ({ mfa_enabled: false, mfa_type: null, mfa_secret: null }),
  alongside: () => ({ entry: { severity: 'warning' } }),
  around: ({ context }, { id }, write) => signingOut(context, id, write),
})

/** Stores a second factor whose code was used, or that another data key encrypts. No face offers it. */
export const storeFactor = ownUser.update({
  name: 'storeFactor',
  summary: 'Stores the second factor of a user after one of its codes was used, or encrypted by another data key.',
  input: { mfa_secret: encryptedSecret() },
  needs: 'operator',
  change: ({ input: { mfa_secret } }) => ({ mfa_secret }),
})

const changing = { changesSignIn: true } as const
export const credentialFlows = {
  setPassword: { ...setPassword, ...changing },
  setMfa: { ...setMfa, ...changing },
  unsetMfa: { ...unsetMfa, ...changing },
} as const
