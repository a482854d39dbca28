import type { DeciderOptions, SnapshotDeciderFor } from '@freehold/frame/decision'
import type { Attribute, Item, Runtime } from '@freehold/table'
import { access } from './access.ts'
import type { User, UserRoleAssignment } from './design.ts'
import type { Permission } from './permission/permission.ts'
import type { AccessSnapshot } from './snapshot/access-snapshot.ts'

export type ScopeType = Item<typeof UserRoleAssignment>['scope_type']

/** A scope: a client, a project or a building. The id of a building or project alone is enough, and costs one more round trip the first time. */
export interface ScopeQuestion {
  readonly client?: string
  readonly project?: string
  readonly building?: string
}
/** The scope must have a module: a subscription of the building or its project that is active. */
export interface ModuleQuestion {
  readonly module_id?: string
  /** A trial counts as well. */
  readonly include_trial?: boolean
}
/** `can` and `why`: may this user do this here? */
export interface AccountAccessQuestion extends ScopeQuestion, ModuleQuestion {
  /** An id (UUID), or an e-mail address in any spelling. */
  readonly user: string
  /** Three names, or `module:action:resource` where no name holds a colon. */
  readonly permission: Permission | string
}
/** What may this user do here? */
export type AccountWhatQuestion = Omit<AccountAccessQuestion, 'permission'>
/** Who may do this here? */
export type AccountWhoQuestion = Omit<AccountAccessQuestion, 'user'>
/** Where may this user do this? With a module: at each scope that has it. */
export type AccountWhereQuestion = Omit<AccountAccessQuestion, keyof ScopeQuestion>

/** What may this user do, at a scope or, without one, everywhere? A module is asked for at a scope only. */
export type AccountSnapshotQuestion = AccountWhatQuestion

/** The part of a grant that lists tell; `why` tells all. */
export type Grant = {
  readonly scope_type: ScopeType
  readonly scope_id: string
  readonly role_id: string
  readonly role_owner: string
  readonly role_name?: string
  /** Absent if it does not end. */
  readonly expires_at?: string
  /** The role that grants, where it is one above the assigned one. */
  readonly through?: string
  readonly through_name?: string
}

/** A permission of the user, in which `*` stands for any, and one assignment and role that give it. */
export type HeldPermission = {
  readonly permission: Permission
  readonly grantedBy: Grant
}
/** A user who may do this at the scope, and one grant by which; `why` tells all. */
export type EntitledUser = {
  readonly user_id: string
  /** Absent, as other attributes, if another program has left it out. */
  readonly email?: string | undefined
  readonly user_type?: ((typeof User)['attributes']['user_type'] extends Attribute<infer T> ? T : never) | undefined
  readonly first_name?: string | undefined
  readonly last_name?: string | undefined
  readonly grantedBy: Grant
}
/** A scope where the user may do this and everywhere beneath it, and one grant by which; `why` tells all. */
export type GrantingScope = {
  readonly scope_type: ScopeType
  readonly scope_id: string
  readonly client_id: string
  readonly project_id?: string | undefined
  readonly building_id?: string | undefined
  readonly name?: string | undefined
  readonly grantedBy: Grant
}

/** The five questions of account-management and its snapshots, typed. */
export interface AccountDecider
  extends SnapshotDeciderFor<{
    readonly can: AccountAccessQuestion
    readonly what: [AccountWhatQuestion, HeldPermission]
    readonly who: [AccountWhoQuestion, EntitledUser]
    readonly where: [AccountWhereQuestion, GrantingScope]
    readonly access: [AccountSnapshotQuestion, AccessSnapshot]
  }> {}

/** Decisions over an account-management table. It remembers definitions and names between questions: one for each connection to a table. */
// Its lists tell what the declaration shows, which these types name.
export const decideAccountManagement = access.decider as unknown as (runtime: Runtime, options?: DeciderOptions) => AccountDecider
