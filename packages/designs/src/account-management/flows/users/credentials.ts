import { count, flag, type Item, text, uuid } from '@freehold/table'
import { changeErrors } from '../../../flow/flow-errors.ts'
import { checkNamedVersion, liveItem, stateConflict } from '../../../flow/live-item.ts'
import { changeItem } from '../../../flow/write-item.ts'
import { itemOf } from '../../../returns.ts'
import { User } from '../../design.ts'
import { type AccountContext, type AccountWithin, flow, itemFlows } from '../account-host.ts'
import { sessions } from '../credentials/sessions.ts'
import { tokens } from '../credentials/tokens.ts'
import { ownerScope } from '../scope.ts'

type UserItem = Item<typeof User>

const secretMax = 4096

/** As an input: what the caller's own hashing made of a password. It is compared by the caller, too, and never given back. */
export const newPassword = text({ max: secretMax, pattern: /\P{Cc}+/u, saying: 'is empty, or holds a control character' }).secret()

/** Somebody who knows the password of a user acts as that user: a user sets its own, and no permission is enough for another's (spec rule 23). */
const scope = async (context: AccountContext, { id }: { readonly id: string }): Promise<AccountWithin> => ownerScope(context, id)
const ownUser = itemFlows(User, { scope })

/** A user who never accepted the invitation gets credentials by accepting it. Throws `CheckFailed`: `InvitationNotAccepted`. */
function checkSignsIn({ invitation_expires_at: end }: UserItem): void {
  if (end === undefined) return
  throw stateConflict(User, 'InvitationNotAccepted', 'This user has not accepted the invitation yet: acceptInvitation sets its password.')
}

/** The user signs in again after that. */
async function revokeAll(context: AccountContext, user_id: string): Promise<void> {
  const owner = await ownerScope(context, user_id)
  for (const kind of [sessions, tokens]) await kind.revokeAllOf(context, user_id, owner)
}

export const setPassword = flow({
  name: 'setPassword',
  summary: 'Sets the hash of a user’s password, which the caller has made, and revokes its sessions and tokens unless told to keep them.',
  input: { id: uuid(), version: count().optional(), password_hash: newPassword, keep_sessions: flag().optional() },
  needs: 'own',
  effect: 'write',
  returns: itemOf(User),
  errors: [...changeErrors, 'CheckFailed'],
  scope,
  run: async (context, { id, version, password_hash, keep_sessions }) => {
    const before = await liveItem(context, User, { id })
    checkNamedVersion(User, before.version, version)
    checkSignsIn(before)
    const isRevoking = keep_sessions !== true
    // Before the change: if the process ends between the two, nobody whom the new password should keep out is left signed in.
    if (isRevoking) await revokeAll(context, id)
    const password_last_changed_at = context.table.runtime.now().toISOString()
    const user = await changeItem(context, User, { id }, { password_hash, password_last_changed_at }, { version, check: checkSignsIn })
    // And after it: somebody may have signed in with the old password meanwhile.
    if (isRevoking) await revokeAll(context, id)
    return user
  },
})

export const setMfa = ownUser.update({
  name: 'setMfa',
  summary: 'Sets the second factor of a user, whose secret the caller has encrypted, and turns it on.',
  input: {
    mfa_type: text({ max: 100, pattern: /\P{Cc}+/u }),
    mfa_secret: text({ max: secretMax, pattern: /\P{Cc}+/u }).secret(),
  },
  needs: 'own',
  errors: ['CheckFailed'],
  check: (_call, before) => checkSignsIn(before),
  change: ({ input: { mfa_type, mfa_secret } }) => ({ mfa_enabled: true, mfa_type, mfa_secret }),
})

export const unsetMfa = ownUser.update({
  name: 'unsetMfa',
  summary: 'Takes the second factor of a user away: its password alone is enough from then on.',
  needs: 'own',
  change: () => ({ mfa_enabled: false, mfa_type: null, mfa_secret: null }),
  alongside: () => ({ entry: { severity: 'warning' } }),
})
