import { email, list, map, record, text, ulid, verbatim } from '@freehold/table'
import { type Asked, decision, explanation, field, nameOf, optional, type Questions } from '../../decision/question.ts'
import { pageOfValues } from '../../returns.ts'
import { Tenant, User } from '../design.ts'
import type { CedarValue } from '../policies/policy-engine.ts'

type Values = Readonly<Record<string, CedarValue>>

export interface AskedResource {
  /** An entity type of the schema: `Ticket`. */
  readonly type: string
  /** Of a `Role` the role's id. */
  readonly id: string
  /** In Cedar's JSON form. */
  readonly attributes?: Values
}
/** `can` and `why`: may this user do this to this resource, in this tenant? */
export interface AuthorizationQuestion {
  readonly user: string
  readonly tenant: string
  /** The id of an action of the schema. */
  readonly action: string
  readonly resource: AskedResource
  /** In Cedar's JSON form, without the tenant. */
  readonly context?: Values | undefined
}
/** Which actions may this user do to this resource, in this tenant? An action that needs another context is not among them. */
export type AuthorizationWhatQuestion = Omit<AuthorizationQuestion, 'action'>
/** Who may do this to this resource, in this tenant? */
export type AuthorizationWhoQuestion = Omit<AuthorizationQuestion, 'user'>
/** In which tenants may this user do this: to this resource or, without one, to the tenant itself? */
export type AuthorizationWhereQuestion = Omit<AuthorizationQuestion, 'tenant' | 'resource'> &
  Partial<Pick<AuthorizationQuestion, 'resource'>>

/** What is permitted, and the policies that permit it, by their ids. */
export type Permitted = {
  readonly policies: readonly string[]
}
export type PermittedAction = Permitted & { readonly action: string }
export type PermittedUser = Permitted & { readonly userId: string; readonly email: string }
export type PermittedTenant = Permitted & { readonly tenantId: string; readonly name: string }

const user = field(verbatim(), nameOf(User, 'userId'))
const tenant = field(verbatim(), nameOf(Tenant, 'tenantId'))
const action = verbatim()
const resource = record({ type: verbatim(), id: verbatim(), attributes: optional(map()) })
const context = optional(map())
const policies = list(text())
const may = { user, tenant, action, resource, context }

export const questions = {
  can: { summary: 'May this user do this to this resource, in this tenant?', fields: may, answer: decision },
  why: {
    summary: 'By which policies, roles and grant, or for want of which, is it so?',
    fields: may,
    answer: explanation,
  },
  what: {
    summary: 'What may this user do to this resource, in this tenant?',
    fields: { user, tenant, resource, context },
    answer: pageOfValues<PermittedAction>({ action, policies }),
  },
  who: {
    summary: 'Who may do this to this resource, in this tenant?',
    fields: { tenant, action, resource, context },
    answer: pageOfValues<PermittedUser>({ userId: ulid(), email: email(), policies }),
  },
  where: {
    summary: 'In which tenants may this user do this, to this resource or to the tenant itself?',
    fields: { user, action, resource: optional(resource), context },
    answer: pageOfValues<PermittedTenant>({ tenantId: ulid(), name: text(), policies }),
  },
} as const satisfies Questions

export type Access = Asked<typeof questions.can>
export type WhereAsked = Asked<typeof questions.where>
