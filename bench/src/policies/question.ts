import type { PolicyRequest } from '@freehold/frame/cedar'

// One question for all contenders: may ada, by the roles of her grant in acme, do this to a ticket of that tenant? A policy permits one action to one role, and a
// guardrail keeps each request within its tenant.

export const actions = ['view', 'comment', 'assign', 'close', 'delete'] as const
/** The roles that ada has in acme. */
export const held = ['role-0', 'role-1'] as const

export interface Question {
  readonly action: string
  /** The tenant of the ticket. The request is made for acme. */
  readonly tenant: string
}

export interface Permit {
  readonly role: string
  readonly action: string
}

/** So many permits: the first roles have the first ones. */
export const permitsOf = (count: number): readonly Permit[] =>
  Array.from({ length: count }, (_, index) => ({ role: `role-${Math.floor(index / 4)}`, action: actions[index % 4] ?? 'view' }))

/** Half of them are allowed. The others are denied for want of a permit, or by the guardrail. */
export const questions: readonly Question[] = [
  ...['view', 'comment', 'assign'].map((action) => ({ action, tenant: 'acme' })),
  ...['delete'].map((action) => ({ action, tenant: 'acme' })),
  ...['view', 'close'].map((action) => ({ action, tenant: 'rival' })),
]

export const expected = ({ action, tenant }: Question): boolean => tenant === 'acme' && action !== 'delete'

export const schema = `type Request = { tenant: Tenant };
entity Tenant;
entity Role;
entity User in [Role];
entity Ticket = { tenant: Tenant };
action ${actions.join(', ')} appliesTo { principal: User, resource: Ticket, context: Request };`

export function policiesOf(permits: readonly Permit[]): ReadonlyMap<string, string> {
  const guardrail = 'forbid (principal, action, resource) unless { resource.tenant == context.tenant };'
  return new Map([
    ['stay', `@id("stay") ${guardrail}`],
    ...permits.map(({ role, action }, index): [string, string] => [
      `p${index}`,
      `@id("p${index}") permit (principal in Role::"${role}", action == Action::"${action}", resource);`,
    ]),
  ])
}

/** The question as Cedar has it. @param ticket the id of the resource */
export function requestOf({ action, tenant }: Question, ticket = 't-1'): PolicyRequest {
  const [principal, resource] = [
    { type: 'User', id: 'ada' },
    { type: 'Ticket', id: ticket },
  ]
  return {
    ...{ principal, resource, action: { type: 'Action', id: action } },
    context: { tenant: { __entity: { type: 'Tenant', id: 'acme' } } },
    entities: [
      { uid: principal, attrs: {}, parents: held.map((id) => ({ type: 'Role', id })) },
      { uid: resource, attrs: { tenant: { __entity: { type: 'Tenant', id: tenant } } }, parents: [] },
    ],
  }
}
