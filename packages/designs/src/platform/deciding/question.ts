import { uniqueName } from '@freehold/frame/attributes'
import {
  type Asked,
  decision,
  explanation,
  nameOf,
  optional,
  type Questions,
  type SnapshotDeciderFor,
  textField,
  userField,
  userTold,
} from '@freehold/frame/decision'
import { pageOfValues, valuesOf } from '@freehold/frame/flow'
import { email, flag, instant, list, map, number, oneOf, opaqueId, record, text } from '@freehold/table'
import { Account, RolePermission, User, UserEmail } from '../design.ts'
import type { AccessData, AccessSnapshot } from '../snapshot/access-snapshot.ts'
import type { Grant } from './grants.ts'
import { type Action, actions, type Flags } from './menu-flags.ts'

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

const user = userField(nameOf(User, 'id'), nameOf(UserEmail, 'email'), 'is neither an id nor an e-mail address', userTold(opaqueId(), 'id'))
const idOf = (description: string) => textField(opaqueId().describe(description), nameOf(Account, 'id'))
const account = idOf('The account, by its id.')
const workstream = optional(idOf('A workstream of the account, by its id: then the user must be a member of it.'))
const place = { account, workstream }
const menu = textField(uniqueName.describe('The key of a menu.'), nameOf(RolePermission, 'menuKey', { roleId: '-' }))
const action = oneOf(...actions).describe('What is to be done in the menu.')
const grantedBy = record({ groupId: opaqueId(), roleId: opaqueId() })

export const questions = {
  can: { summary: 'May this user do this in this menu here?', fields: { user, ...place, menu, action }, answer: decision },
  why: { summary: 'By which items, or for want of which, is it so?', fields: { user, ...place, menu, action }, answer: explanation },
  what: {
    summary: 'In which menus may this user do what here?',
    fields: { user, ...place },
    answer: pageOfValues<OpenMenu>({ menuKey: text(), canView: flag(), canCreate: flag(), canEdit: flag(), canDelete: flag() }),
  },
  who: {
    summary: 'Who may do this in this menu here?',
    fields: { ...place, menu, action },
    answer: pageOfValues<PermittedUser>({
      ...{ userId: opaqueId(), email: email().optional(), firstName: text().optional(), lastName: text().optional(), grantedBy },
    }),
  },
  where: {
    summary: 'Where may this user do this in this menu?',
    fields: { user, menu, action },
    answer: pageOfValues<PermittedPlace>({
      accountId: opaqueId(),
      workstreamId: opaqueId().optional(),
      name: text().optional(),
      grantedBy,
    }),
  },
  access: {
    summary: 'In which menus may this user do what, at a place or, without one, at its account and all its workstreams?',
    fields: { user, account: optional(account), workstream },
    rule: 'A workstream is named with its account.',
    alsoWrong: ({ account, workstream }) =>
      workstream === undefined || account !== undefined
        ? []
        : [{ path: ['account'], message: 'is missing: a workstream is named with it' }],
    answer: valuesOf<AccessData>({
      ...{ format: number({ integer: true }), userId: opaqueId().optional(), issued_at: instant(), expires_at: instant() },
      ...{ places: list(map()), grants: list(map()), reason: map().optional() },
    }),
  },
} as const satisfies Questions

/** The five questions of platform and its snapshots, typed. */
export interface PlatformDecider
  extends SnapshotDeciderFor<{
    readonly can: PlatformAccessQuestion
    readonly what: [PlatformWhatQuestion, OpenMenu]
    readonly who: [PlatformWhoQuestion, PermittedUser]
    readonly where: [PlatformWhereQuestion, PermittedPlace]
    readonly access: [PlatformSnapshotQuestion, AccessSnapshot]
  }> {}

export type Access = Asked<typeof questions.can>
export type PlaceAsked = Pick<Access, 'account' | 'workstream'>
export type WhatAsked = Asked<typeof questions.what>
export type SnapshotAsked = Asked<typeof questions.access>
export type Permission = Pick<Access, 'menu' | 'action'>
