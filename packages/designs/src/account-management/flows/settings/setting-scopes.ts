import type { AccountContext, AccountWithin } from '../account-host.ts'
import type { SettingScope } from './effective-settings.ts'

/** The client of a scope; undefined for an internal user, who has none and so can have no settings of a client. */
export function clientOf({ user }: AccountContext, within: AccountWithin): string | undefined {
  if (within === 'own') return user?.client_id
  return within === 'system' ? undefined : within.client_id
}

/** The scopes whose settings meet at a scope, root first. A user lies below every other scope. */
export function scopesFromRoot(context: AccountContext, within: AccountWithin, user?: string): readonly SettingScope[] {
  const { project_id: project = undefined, building_id: building = undefined } = typeof within === 'string' ? {} : within
  const ids = { client: clientOf(context, within), project, building, user }
  return (['client', 'project', 'building', 'user'] as const).flatMap((scope_type) => {
    const scope_id = ids[scope_type]
    return scope_id === undefined ? [] : [{ scope_type, scope_id }]
  })
}
