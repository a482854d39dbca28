import {
  type Asked,
  anyOf,
  decision,
  explanation,
  field,
  isProblem,
  nameOf,
  optional,
  type Problem,
  type Questions,
  type SnapshotDeciderFor,
  type TextReader,
  textField,
  userField,
  userTold,
} from '@freehold/frame/decision'
import { pageOfValues, valuesOf } from '@freehold/frame/flow'
import type { Given } from '@freehold/frame/reading'
import { type Attribute, email, flag, instant, list, map, number, record, text, uuid, verbatim } from '@freehold/table'
import { lookedFor } from '@freehold/table/runtime'
import { Permission as CatalogueEntry, Client, User, UserEmail, UserRoleAssignment } from '../design.ts'
import { type Permission, partsWritten, permissionParts, wildcard } from '../permission/permission.ts'
import type { AccessData } from '../snapshot/access-data.ts'
import type { AccessSnapshot } from '../snapshot/access-snapshot.ts'
import type { ScopeType } from './scope.ts'

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

/** Text of an attribute's kind. No item is called by text that is empty or holds a control character. */
function textOf(attribute: Attribute<string>): TextReader {
  return (text) => {
    const result = lookedFor(attribute.kind, text)
    if (!result.success) return { problem: result.error.issues[0]?.message ?? 'is no such text' }
    if (result.data === '') return { problem: 'is empty' }
    return /\p{Cc}/u.test(result.data) ? { problem: 'holds a control character' } : result.data
  }
}

const id = textOf(Client.attributes.id)
const user = userField(id, nameOf(UserEmail, 'email'), 'is neither a UUID nor an e-mail address', userTold(uuid(), 'UUID'))

/** Longer than the longest key that a permission of the catalogue could have. */
const partMax = 1024

/** A question never holds a wildcard (spec rule 21). */
function partProblem(part: string | Problem): string | undefined {
  if (isProblem(part)) return part.problem
  if (part === wildcard) return 'is a wildcard: ask for what is to be done'
  return part.length > partMax ? `is longer than ${partMax} characters` : undefined
}

/** Over HTTP a permission has three fields; its text is taken, too. */
const partGiven = (what: string) => text({ lookAlikes: 'refused', max: partMax }).describe(`${what}: no wildcard.`)
const partsGiven = record({
  module: partGiven('The module'),
  action: partGiven('What is done'),
  resource: partGiven('With what it is done'),
})
const permission = field(
  { ...anyOf(verbatim(), map()), told: partsGiven, description: 'What is to be allowed.' },
  (value): Permission | Problem => {
    const written = partsWritten(value)
    if (typeof written === 'string') return { problem: written }
    const read: Record<string, string> = {}
    for (const name of permissionParts) {
      const text = written[name]
      if (typeof text !== 'string') return { problem: `has no ${name} that is text` }
      const part = textOf(CatalogueEntry.attributes[name])(text)
      const problem = partProblem(part)
      if (problem !== undefined || isProblem(part)) return { problem: `has a ${name} that ${problem}` }
      read[name] = part
    }
    const { module = '', action = '', resource = '' } = read
    return { module, action, resource }
  },
)

/** True or false, also as the text that a CSV has. */
const include_trial = field({ ...anyOf(flag(), verbatim()), description: 'A trial of the module counts, too.' }, (value) => {
  if (typeof value === 'boolean') return value
  return value === 'true' || value === 'false' ? value === 'true' : { problem: 'is not true or false' }
})

const optionalId = (description: string) => optional(textField(uuid().describe(description), id))
const scope = {
  client: optionalId('The client that is asked about, by its id.'),
  project: optionalId('The project that is asked about, by its id.'),
  building: optionalId('The building that is asked about, by its id.'),
}
const module = { module_id: optionalId('A module that the scope must have by a subscription.'), include_trial: optional(include_trial) }

function scopeMissing(given: Given) {
  if (Object.keys(scope).some((name) => Object.hasOwn(given, name) && given[name] !== undefined)) return []
  return [{ path: ['client'], message: 'is missing: a question names a client, a project or a building' }]
}

const atScope = { alsoWrong: scopeMissing, rule: 'It names a client, a project or a building.' }

const scope_type = UserRoleAssignment.attributes.scope_type
const grantedBy = map()

export const questions = {
  can: {
    summary: 'May this user do this here?',
    fields: { user, ...scope, permission, ...module },
    ...atScope,
    answer: decision,
  },
  why: {
    summary: 'By which items, or for want of which, is it so?',
    fields: { user, ...scope, permission, ...module },
    ...atScope,
    answer: explanation,
  },
  what: {
    summary: 'What may this user do here?',
    fields: { user, ...scope, ...module },
    ...atScope,
    answer: pageOfValues<HeldPermission>({ permission: record({ module: text(), action: text(), resource: text() }), grantedBy }),
  },
  who: {
    summary: 'Who may do this here?',
    fields: { ...scope, permission, ...module },
    ...atScope,
    answer: pageOfValues<EntitledUser>({
      ...{ user_id: uuid(), email: email().optional(), user_type: User.attributes.user_type.optional() },
      ...{ first_name: text().optional(), last_name: text().optional(), grantedBy },
    }),
  },
  where: {
    summary: 'Where may this user do this?',
    fields: { user, permission, ...module },
    answer: pageOfValues<GrantingScope>({
      ...{ scope_type, scope_id: uuid(), client_id: uuid(), project_id: uuid().optional(), building_id: uuid().optional() },
      ...{ name: text().optional(), grantedBy },
    }),
  },
  access: {
    summary: 'What may this user do, at a scope or, without one, everywhere?',
    fields: { user, ...scope, ...module },
    // A client as a whole has no subscription, so that no scope says of all beneath it whether it has the module.
    rule: 'With a module it names a client, a project or a building.',
    alsoWrong: (given) => (given.module_id === undefined ? [] : scopeMissing(given)),
    answer: valuesOf<AccessData>({
      ...{ format: number({ integer: true }), user_id: uuid().optional(), issued_at: instant(), expires_at: instant() },
      ...{ place: map().optional(), grants: list(map()), reason: map().optional() },
    }),
  },
} as const satisfies Questions

export type Access = Asked<typeof questions.can>
export type ScopeAsked = Pick<Access, 'client' | 'project' | 'building'>
export type ModuleAsked = Pick<Access, 'module_id' | 'include_trial'>
export type WhatAsked = Omit<Access, 'permission'>
export type WhereAsked = Omit<Access, keyof ScopeAsked>
