import type { DeciderOptions, SnapshotDeciderFor } from '@freehold/frame/decision'
import type { Runtime } from '@freehold/table'
import { access } from './access.ts'
import type { AccessSnapshot } from './snapshot/access-snapshot.ts'
import type { Action, Flags } from './snapshot/menu-flags.ts'

/** An account, or one of its workstreams: then the user must be a member of it. */
export interface PlatformPlace {
  readonly account: string
  readonly workstream?: string | undefined
}
/** `can` and `why`: may this user do this in this menu here? */
export interface PlatformAccessQuestion extends PlatformPlace {
  /** An id, or an e-mail address in any spelling. */
  readonly user: string
  /** The key of a menu. Menus are no items: in a menu that no role names nothing is allowed. */
  readonly menu: string
  readonly action: Action
}
/** In which menus may this user do what here? */
export type PlatformWhatQuestion = Omit<PlatformAccessQuestion, 'menu' | 'action'>
/** Who may do this in this menu here? */
export type PlatformWhoQuestion = Omit<PlatformAccessQuestion, 'user'>
/** In which menus may this user do what, at a place or, without one, at its account and all its workstreams? */
export type PlatformSnapshotQuestion = Pick<PlatformAccessQuestion, 'user'> & Partial<PlatformPlace>
/** Where may this user do this in this menu? */
export type PlatformWhereQuestion = Omit<PlatformAccessQuestion, keyof PlatformPlace>

/** The group and the role through which something is granted. */
export type Grant = {
  readonly groupId: string
  readonly roleId: string
}
/** A menu in which the user may do something. */
export type OpenMenu = Flags & { readonly menuKey: string }
/** A user who may do this, and one grant by which; `why` tells all. */
export type PermittedUser = {
  readonly userId: string
  /** Address and names are absent if another program has left them out, as its document does. */
  readonly email?: string
  readonly firstName?: string
  readonly lastName?: string
  readonly grantedBy: Grant
}
/** The account of the user or, with `expand`, a workstream, and one grant by which; `why` tells all. */
export type PermittedPlace = {
  readonly accountId: string
  readonly workstreamId?: string
  /** The name of the account, or of the workstream; absent if another program has left it out. */
  readonly name?: string
  readonly grantedBy: Grant
}

/** The five questions of platform and its snapshots, typed. */
export interface PlatformDecider
  extends SnapshotDeciderFor<{
    readonly can: PlatformAccessQuestion
    readonly what: [PlatformWhatQuestion, OpenMenu]
    readonly who: [PlatformWhoQuestion, PermittedUser]
    readonly where: [PlatformWhereQuestion, PermittedPlace]
    readonly access: [PlatformSnapshotQuestion, AccessSnapshot]
  }> {}

/** Decisions over a platform table. It remembers definitions and names between questions: one for each connection to a table. */
// Its lists tell what the declaration shows, which these types name.
export const decidePlatform = access.decider as unknown as (runtime: Runtime, options?: DeciderOptions) => PlatformDecider
