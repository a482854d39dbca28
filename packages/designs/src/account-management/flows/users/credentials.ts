import { count, flag, type Item, text, uuid } from '@freehold/table'
import { AuthToken, LoginSession, User } from '../../design.ts'
import type { AccountContext } from '../account-context.ts'
import { accountFlow } from '../account-flow.ts'
import { changeAudited, checkNamedVersion, standingItem } from '../change-audited.ts'
import { revokeAllSessions } from '../credentials/sessions.ts'
import { revokeAllTokens } from '../credentials/tokens.ts'
import { ownerPlace, type Where } from '../place.ts'
import { stateConflict } from '../state-conflict.ts'
import { newPassword } from './new-password.ts'

type UserItem = Item<typeof User>

const named = { id: uuid(), version: count().optional() }
const secretMax = 4096

/** Whoever knows another's password is that other: a user sets its own, and no permission is enough for another's (spec rule 23). */
const place = async (context: AccountContext, { id }: { readonly id: string }): Promise<Where> => ownerPlace(context, id)

/** Credentials of one who never accepted the invitation come with its acceptance. Throws `CheckFailed`: `InvitationNotAccepted`. */
function checkSignsIn({ invitation_expires_at: end }: UserItem): void {
  if (end === undefined) return
  throw stateConflict(User, 'InvitationNotAccepted', 'This user has not accepted the invitation yet: acceptInvitation sets its password.')
}

/** Whoever has signed in with the old credentials signs in anew. */
async function revokeAll(context: AccountContext, user_id: string): Promise<void> {
  const { entities } = context.table.runtime.design.form
  const owner = await ownerPlace(context, user_id)
  if (entities.has(LoginSession.name)) await revokeAllSessions(context, user_id, owner, true)
  if (entities.has(AuthToken.name)) await revokeAllTokens(context, user_id, owner, true)
}

export const setPassword = accountFlow({
  name: 'setPassword',
  summary: 'Sets the hash of a user’s password, which the caller has made, and revokes its sessions and tokens unless told to keep them.',
  input: { ...named, password_hash: newPassword, keep_sessions: flag().optional() },
  place,
  run: async (context, { id, version, password_hash, keep_sessions }): Promise<UserItem> => {
    const before = await standingItem(context, User, { id })
    checkNamedVersion(User, before.version, version)
    checkSignsIn(before)
    const isRevoking = keep_sessions !== true
    // Before, so that a process that ends between the two leaves nobody signed in whom the new password should keep out.
    if (isRevoking) await revokeAll(context, id)
    const password_last_changed_at = context.table.runtime.now().toISOString()
    const user = await changeAudited(context, User, { id }, { password_hash, password_last_changed_at }, { version, check: checkSignsIn })
    // After, for whoever has signed in with the old password meanwhile.
    if (isRevoking) await revokeAll(context, id)
    return user
  },
})

export const setMfa = accountFlow({
  name: 'setMfa',
  summary: 'Sets the second factor of a user, whose secret the caller has encrypted, and turns it on.',
  input: {
    ...named,
    mfa_type: text({ max: 100, pattern: /\P{Cc}+/u }),
    mfa_secret: text({ max: secretMax, pattern: /\P{Cc}+/u }).secret(),
  },
  place,
  run: async (context, { id, version, mfa_type, mfa_secret }): Promise<UserItem> =>
    changeAudited(context, User, { id }, { mfa_enabled: true, mfa_type, mfa_secret }, { version, check: checkSignsIn }),
})

export const unsetMfa = accountFlow({
  name: 'unsetMfa',
  summary: 'Takes the second factor of a user away: its password alone is enough from then on.',
  input: named,
  place,
  run: async (context, { id, version }): Promise<UserItem> =>
    changeAudited(
      context,
      User,
      { id },
      { mfa_enabled: false, mfa_type: null, mfa_secret: null },
      { version, entry: { severity: 'warning' } },
    ),
})
