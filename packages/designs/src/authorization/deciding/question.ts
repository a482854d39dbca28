import { type Asked, type Can, nameOf, optional, type Problem, type Questions, textField, type Why } from '@freehold/frame/decision'
import { pageOfValues, type Returns, valuesOf } from '@freehold/frame/flow'
import type { Given } from '@freehold/frame/reading'
import { email, flag, type Issue, list, map, record, text, ulid, username, verbatim } from '@freehold/table'
import { Tenant, User, UserEmail, UserPreferredUsername } from '../design.ts'
import type { AskedProperties, Values } from './properties.ts'

export interface AskedResource {
  /** An entity type of the schema: `Ticket`. */
  readonly type: string
  /** Of a `Role` the role's id. */
  readonly id: string
  /** In Cedar's JSON form, and all declared by the schema. What is stored counts instead. */
  readonly attributes?: Values
}
/** `can` and `why`: may this user do this to this resource, in this tenant? */
export interface AuthorizationQuestion {
  /** Its id, e-mail address or preferred username. */
  readonly user: string
  readonly tenant: string
  /** The id of an action of the schema. */
  readonly action: string
  readonly resource: AskedResource
  /** In Cedar's JSON form, without the tenant, and all declared by the schema. */
  readonly context?: Values | undefined
  /** The same where a caller does not know the schema: it says which ones count. The others are `ignored`, and told in the answer. */
  readonly properties?: AskedProperties | undefined
}
/**
 * Which actions may this user do to this resource, in this tenant? An action that needs another context is not among them. With `action` that one alone
 * is asked about.
 */
export type AuthorizationWhatQuestion = Omit<AuthorizationQuestion, 'action'> & Partial<Pick<AuthorizationQuestion, 'action'>>
/** The same of each resource of a type that is kept, or of those to which `action` is permitted. */
export type AuthorizationWhatOfTypeQuestion = Omit<AuthorizationWhatQuestion, 'resource'> & { readonly resource: { readonly type: string } }
/** Who may do this to this resource, in this tenant? */
export type AuthorizationWhoQuestion = Omit<AuthorizationQuestion, 'user'>
/** In which tenants may this user do this: to this resource or, without one, to the tenant itself? */
export type AuthorizationWhereQuestion = Omit<AuthorizationQuestion, 'tenant' | 'resource'> &
  Partial<Pick<AuthorizationQuestion, 'resource'>>

/** The properties that no policy sees, since the schema does not declare them: `resource.colour`. Left out if there are none. */
export interface Ignoring {
  readonly ignored?: readonly string[]
}
export type AuthorizationCan = Can & Ignoring
export type AuthorizationWhy = Why & Ignoring

/** What is permitted, and the policies that permit it, by their ids. */
export type Permitted = {
  readonly policies: readonly string[]
}
export type PermittedAction = Permitted & { readonly action: string }
/** A resource of the type that was asked about, and what is permitted there. */
export type PermittedResource = Permitted & { readonly id: string; readonly actions: readonly string[] }
export type PermittedUser = Permitted & { readonly userId: string; readonly email: string; readonly preferredUsername?: string | undefined }
export type PermittedTenant = Permitted & { readonly tenantId: string; readonly name: string }

/** A user, as a question names it. */
export interface UserName {
  readonly by: 'id' | 'email' | 'preferredUsername'
  readonly text: string
}

const readers = [
  ['id', nameOf(User, 'userId')],
  ['email', nameOf(UserEmail, 'email')],
  ['preferredUsername', nameOf(UserPreferredUsername, 'preferredUsername')],
] as const

/** Text is one name only. A username that is an id or an e-mail address in its form names nobody, so nobody can pass for another. */
function userNamed(given: string): UserName | Problem {
  for (const [by, read] of readers) {
    const told = read(given)
    if (typeof told === 'string') return { by, text: told }
  }
  return { problem: 'is neither an id nor an e-mail address nor a username' }
}

/** A name of the user by which questions find it: its username if that names it, else its id. */
export function nameOfUser({ userId, preferredUsername }: Pick<PermittedUser, 'userId' | 'preferredUsername'>): string {
  const named = preferredUsername === undefined ? undefined : userNamed(preferredUsername)
  return preferredUsername !== undefined && named !== undefined && 'by' in named && named.by === 'preferredUsername'
    ? preferredUsername
    : userId
}

const user = textField(text({ pattern: /.+/ }).describe('The user, by its ULID, e-mail address or preferred username.'), userNamed)
/** The id of a tenant, normalised, or the flaw of the text. */
export const tenantId = nameOf(Tenant, 'tenantId')
const tenant = textField(ulid().describe('The tenant, by its ULID.'), tenantId)
const action = verbatim().describe(
  'The id of an action of the policies’ schema. It applies to the type of the resource, or to tenants where none is given.',
)
const resource = record({ type: verbatim(), id: verbatim(), attributes: optional(map()) })
const context = optional(map())
const someValues = optional(map())
const properties = optional(record({ user: someValues, resource: someValues, action: someValues, context: someValues }))
const policies = list(text())
const may = { user, tenant, action, resource, context, properties }

const ignored = list(text()).optional()
const answer: Returns<AuthorizationCan> = valuesOf<AuthorizationCan>({ allowed: flag(), reason: map().optional(), ignored })

/** As JSON in UTF-8. A list decides about a thousand candidates a page, each of them with all of this: Cedar takes up to 0.3 ms for each kilobyte. */
const valuesBytesMax = 65_536
const listedValuesBytesMax = 8_192

/** The bytes of the values that a question tells. */
export function valuesBytesOf({ resource: asked, context: told, properties: more }: Given): number {
  return [asked, told, more].reduce<number>((sum, each) => sum + Buffer.byteLength(JSON.stringify(each) ?? ''), 0)
}

/** The values of a question together are bounded. Those that are no JSON are refused by their fields. */
const boundedTo =
  (bytes_max: number) =>
  (given: Given): readonly Issue[] => {
    try {
      const bytes = valuesBytesOf(given)
      const message = `and what else the question tells have ${bytes} bytes together: ${bytes_max} are the most`
      return bytes > bytes_max ? [{ path: ['context'], message }] : []
    } catch {
      return []
    }
  }
const within = (bytes_max: number) => ({
  alsoWrong: boundedTo(bytes_max),
  rule: `Resource, context and properties have ${bytes_max} bytes together at most, as JSON.`,
})
const bounded = within(valuesBytesMax)
const boundedList = within(listedValuesBytesMax)

export const questions = {
  can: { summary: 'May this user do this to this resource, in this tenant?', fields: may, answer, ...bounded },
  why: {
    summary: 'By which policies, roles and grant, or for want of which, is it so?',
    ...bounded,
    fields: may,
    answer: valuesOf<AuthorizationWhy>({
      allowed: flag(),
      reason: map().optional(),
      chains: list(list(map())),
      missing: list(map()),
      ignored,
    }),
  },
  what: {
    summary: 'What may this user do to this resource, or to each of a type, in this tenant?',
    fields: {
      ...{ user, tenant, action: optional(action), context, properties },
      resource: record({
        type: verbatim(),
        id: optional(verbatim()),
        attributes: optional(map().describe('The attributes that policies read, in the JSON form of Cedar: not without its id.')),
      }),
    },
    answer: pageOfValues<PermittedAction | PermittedResource>(
      {
        ...{ action: text().optional(), policies },
        ...{ id: text().optional(), actions: list(text()).optional() },
      },
      { ignored },
    ),
    ...boundedList,
  },
  who: {
    summary: 'Who may do this to this resource, in this tenant?',
    fields: { tenant, action, resource, context, properties },
    answer: pageOfValues<PermittedUser>(
      { userId: ulid(), email: email(), preferredUsername: username().optional(), policies },
      { ignored },
    ),
    ...boundedList,
  },
  where: {
    summary: 'In which tenants may this user do this, to this resource or to the tenant itself?',
    fields: { user, action, resource: optional(resource), context, properties },
    answer: pageOfValues<PermittedTenant>({ tenantId: ulid(), name: text(), policies }, { ignored }),
    ...boundedList,
  },
} as const satisfies Questions

export type Access = Asked<typeof questions.can>
export type WhatAsked = Asked<typeof questions.what>
export type WhoAsked = Asked<typeof questions.who>
export type WhereAsked = Asked<typeof questions.where>
