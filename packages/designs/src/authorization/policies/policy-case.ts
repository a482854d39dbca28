import type { CedarValue, PolicyAnswer, PolicyEngine } from '@freehold/frame/cedar'
import { readAttributes } from '@freehold/frame/reading'
import { type Attribute, list, map, oneOf, record, verbatim } from '@freehold/table'
import { compareKeys } from '@freehold/table/runtime'
import { policyRequest } from './policy-request.ts'

/** One question to a folder of policies, and its answer. */
export interface PolicyCase {
  readonly name: string
  /** `roles`: names of global roles. */
  readonly principal: {
    readonly id: string
    readonly roles?: readonly string[]
    readonly attributes?: Readonly<Record<string, CedarValue>>
  }
  /** The names of the roles that the user has been granted, by tenant. */
  readonly grants: Readonly<Record<string, readonly string[]>>
  readonly tenant: string
  /** What the schema declares of a tenant. */
  readonly tenantAttributes?: Readonly<Record<string, CedarValue>>
  readonly action: string
  /** `roles`: if it is another user, the names of the roles of its grant in the tenant. */
  readonly resource: {
    readonly type: string
    readonly id: string
    readonly roles?: readonly string[]
    readonly attributes?: Readonly<Record<string, CedarValue>>
  }
  readonly context?: Readonly<Record<string, CedarValue>>
  readonly decision: 'allow' | 'deny'
  /** The policies that decide, in any order; none for a denial by default. */
  readonly by: readonly string[]
}

/** A part that may be left out. */
const optional = <V>(attribute: Attribute<V>) => ({ ...attribute, presence: 'optional' }) as Attribute<V, 'optional'>
const names = list(verbatim())

const fields = {
  name: verbatim(),
  principal: record({ id: verbatim(), roles: optional(names), attributes: optional(map()) }),
  grants: map(),
  tenant: verbatim(),
  tenantAttributes: optional(map()),
  action: verbatim(),
  resource: record({ type: verbatim(), id: verbatim(), roles: optional(names), attributes: optional(map()) }),
  context: optional(map()),
  decision: oneOf('allow', 'deny'),
  by: names,
}

/** Reads a case. Throws `InvalidInput` naming each part that is missing, unknown or of another kind. */
export function readCase(input: unknown): PolicyCase {
  const foreign = (known: string) => `is no part of a case, which has ${known}`
  return readAttributes(fields, input, {
    ...{ name: 'The case', details: { question: 'case' }, called: 'case', foreign },
    alsoWrong: ({ grants, context }) => [
      ...Object.entries(typeof grants === 'object' && grants !== null ? grants : {}).flatMap(([tenant, roles]) =>
        names.schema.safeParse(roles).success ? [] : [{ path: ['grants', tenant], message: 'is not a list of names of roles' }],
      ),
      ...(typeof context === 'object' && context !== null && Object.hasOwn(context, 'tenant')
        ? [{ path: ['context', 'tenant'], message: 'is added to each request: it is the tenant of the case' }]
        : []),
    ],
    // Each part is read by its own schema; Cedar tells what it does not take of attributes and context.
  }) as unknown as PolicyCase
}

const told = (ids: readonly string[]) => (ids.length === 0 ? 'by no policy' : `by ${[...ids].sort(compareKeys).join(', ')}`)
const answerText = (decision: string, ids: readonly string[]) => `${decision} ${told(ids)}`

/** Without a grant in the tenant nothing is asked of the policies. */
const withoutGrant: PolicyAnswer = { decision: 'deny', policies: [], errors: [] }

export interface CaseResult {
  readonly name: string
  /** What is wrong; undefined if the case passes. */
  readonly problem?: string
  /** The policies that decided. */
  readonly by: readonly string[]
}

/** Asks a case. It fails by another answer, and by an error: a policy that Cedar skips is a mistake in the policy. */
export async function runCase(engine: PolicyEngine, asked: PolicyCase): Promise<CaseResult> {
  const { name, principal, grants, tenant: id, tenantAttributes: attributes = {}, action, resource, context = {}, decision } = asked
  const roles = Object.hasOwn(grants, id) ? grants[id] : undefined
  const request =
    roles &&
    policyRequest({
      user: { ...principal, globalRoles: principal.roles ?? [], roles },
      tenant: { id, attributes },
      action,
      resource,
      context,
    })
  const answer = request === undefined ? withoutGrant : await engine.isAuthorized(request)
  const by = answer.policies.map(({ id }) => id)
  const [got, expected] = [answerText(answer.decision, by), answerText(decision, asked.by)]
  const [error] = answer.errors
  if (error !== undefined)
    return { name, by, problem: error.policy === undefined ? error.message : `${error.policy} fails: ${error.message}` }
  return got === expected ? { name, by } : { name, by, problem: `expected ${expected}, got ${got}` }
}
