import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { isFreeholdError } from '@freehold/table'
import { parse } from 'yaml'
import type { CedarValue, PolicyEngine } from '../../frame/src/cedar/policy-engine.ts'
import type { PolicyFiles } from '../../frame/src/cedar/policy-set.ts'
import { type AuthorizationDecider, decideAuthorization } from '../src/authorization/decide.ts'
import type { AuthorizationQuestion } from '../src/authorization/deciding/question.ts'
import { authorization } from '../src/authorization/design.ts'
import { starterFiles } from '../src/authorization/policies/starter.ts'
import { removeLiterally, setLiterally } from './literal-items.ts'
import { ownTableOf } from './own-table.ts'

type Names<T> = Readonly<Record<string, T>>

interface Organisation {
  /** Each with its status. */
  readonly tenants: Names<'active' | 'suspended'>
  /** Each with its scope, and perhaps the name that policies know. */
  readonly roles: Names<'tenant' | 'global' | readonly ['tenant' | 'global', string]>
  /** Each with its global roles. */
  readonly users: Names<readonly string[]>
  /** The roles of each user, by tenant. */
  readonly grants: Names<Names<readonly string[]>>
}

interface AskedTicket {
  readonly type?: string
  readonly id?: string
  readonly tenant?: string
  readonly status?: string
  readonly assignee?: string
  readonly size?: number
}

export interface DecisionCase {
  readonly name: string
  readonly remove?: readonly (readonly [PK: string, SK: string])[]
  readonly set?: readonly (readonly [PK: string, SK: string, attribute: string, value: string | readonly string[]])[]
  readonly question?: {
    readonly user?: string
    readonly tenant?: string
    readonly action?: string
    readonly resource?: AskedTicket
    readonly context?: Names<CedarValue>
  }
  /** The tenant of the ticket: acme unless given. */
  readonly at?: string
  readonly answer: 'allowed' | readonly [kind: string, code: string]
}

export interface DecisionCases {
  readonly organisation: Organisation
  readonly cases: readonly DecisionCase[]
}

export const decisionCases = (): DecisionCases =>
  parse(readFileSync(new URL('../src/authorization/cases/decisions.cases.yaml', import.meta.url), 'utf8'))

const huge =
  '@id("huge")\nforbid (\n  principal,\n  action,\n  resource is Ticket\n)\nwhen { resource has size && resource.size + 9223372036854775807 < 0 };\n'

/** The starter, with a guardrail that can fail. */
export const casesPolicies = (): PolicyFiles => ({
  schema: (starterFiles['schema.cedarschema'] ?? '').replace('  status: String,', '  status: String,\n  size?: Long,'),
  policies: new Map([...Object.entries(starterFiles).filter(([name]) => name.endsWith('.cedar')), ['huge.cedar', huge]]),
})

function namesOf({ users, tenants, roles }: Organisation): ReadonlyMap<string, string> {
  const ids = (kind: string, of: Names<unknown>) =>
    Object.keys(of).map((name, index): [string, string] => [name, `01H${kind}${String(index + 1).padStart(22, '0')}`])
  return new Map([...ids('A', users), ...ids('B', tenants), ...ids('C', roles)])
}

/** The value with ids for names: `$ada`, and `$ada.lower` in lower case. */
function named<T>(value: T, ids: ReadonlyMap<string, string>): T {
  const text = JSON.stringify(value) ?? 'null'
  return JSON.parse(
    text.replace(/\$([a-z]+)(\.lower)?/g, (_, name: string, lower?: string) => {
      const id = ids.get(name) ?? name
      return lower ? id.toLowerCase() : id
    }),
  )
}

function questionOf({ question = {}, at = '$acme' }: DecisionCase, ids: ReadonlyMap<string, string>): AuthorizationQuestion {
  const { resource: { type = 'Ticket', id = 't-1', tenant = at, status = 'open', assignee, size } = {}, ...asked } = question
  const ticket = {
    ...{ status, tenant: { type: 'Tenant', id: tenant } },
    ...(assignee === undefined ? {} : { assignee: { type: 'User', id: assignee } }),
    ...(size === undefined ? {} : { size }),
  }
  const resource = { type, id, ...(type === 'Ticket' ? { attributes: ticket } : {}) }
  return named({ user: '$ada', tenant: '$acme', action: 'closeTicket', ...asked, resource }, ids)
}

/** The table of a case. */
async function tableOf(
  { remove = [], set = [] }: DecisionCase,
  { tenants, roles, users, grants }: Organisation,
  ids: ReadonlyMap<string, string>,
) {
  const table = await ownTableOf(authorization)
  const idsOf = (names: readonly string[]) => names.map((name) => ids.get(name) ?? '')
  for (const [word, role] of Object.entries(roles)) {
    const [scope, name] = typeof role === 'string' ? [role, word] : role
    await table.Role.create({ roleId: ids.get(word) ?? '', name, scope })
  }
  for (const [name, status] of Object.entries(tenants)) await table.Tenant.create({ tenantId: ids.get(name) ?? '', name, status })
  for (const [name, held] of Object.entries(users))
    await table.User.create({ userId: ids.get(name) ?? '', email: `${name}@example.org`, roles: idsOf(held) })
  for (const [tenant, members] of Object.entries(grants))
    for (const [user, held] of Object.entries(members))
      await table.TenantGrant.create({ tenantId: ids.get(tenant) ?? '', userId: ids.get(user) ?? '', roles: idsOf(held) })
  for (const [PK, SK] of named(remove, ids)) await removeLiterally(table.runtime, PK, SK)
  for (const [PK, SK, name, value] of named(set, ids)) await setLiterally(table.runtime, { PK, SK }, name, value)
  return table
}

const codeOf = (error: unknown) => {
  if (isFreeholdError(error, 'InvalidInput')) return 'InvalidInput'
  throw error
}

/** Asks a case in all ways. Gives what is not as it says. */
export async function failuresOf(
  engine: PolicyEngine,
  one: DecisionCase,
  { organisation }: Pick<DecisionCases, 'organisation'>,
): Promise<readonly string[]> {
  const ids = namesOf(organisation)
  const table = await tableOf(one, organisation, ids)
  const decider: AuthorizationDecider = decideAuthorization(engine)(table.runtime)
  const question = questionOf(one, ids)
  const { user, tenant, action, resource, ...more } = question
  const expected = one.answer === 'allowed' ? 'allowed' : one.answer.join(' ')
  const found: string[] = []
  const check = (told: unknown, wanted: unknown, how: string) => {
    if (!isDeepStrictEqual(told, wanted)) found.push(`${how}: ${JSON.stringify(told)}, and not ${JSON.stringify(wanted)}`)
  }
  for (const consistency of ['bounded', 'bounded', 'strong'] as const) {
    for (const name of ['can', 'why'] as const) {
      const { allowed, reason } = await decider[name](question, { consistency })
      check(allowed ? 'allowed' : `${reason?.kind} ${reason?.code}`, expected, `${name} ${consistency}`)
    }
    const isAllowed = expected === 'allowed'
    const what = await decider.what({ user, tenant, resource, ...more }, { consistency })
    check(
      what.items.some((item) => item.action === action),
      isAllowed,
      `what ${consistency}`,
    )
    // A list whose question no policy can be asked is an error.
    const who = await decider.who({ tenant, action, resource, ...more }, { consistency }).catch(codeOf)
    const where = await decider.where({ user, action, resource, ...more }, { consistency }).catch(codeOf)
    check(typeof who !== 'string' && who.items.some(({ userId }) => userId === user.toUpperCase()), isAllowed, `who ${consistency}`)
    check(typeof where !== 'string' && where.items.some(({ tenantId }) => tenantId === tenant), isAllowed, `where ${consistency}`)
  }
  return found
}
