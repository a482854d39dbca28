import { createMongoAbility, subject } from '@casl/ability'
import * as cedar from '@cedar-policy/cedar-wasm/nodejs'
import { localEngine } from '@freehold/frame/cedar'
import { newEnforcer, newModel, StringAdapter } from 'casbin'
import { held, type Permit, policiesOf, type Question, requestOf, schema } from './question.js'

/** Answers the question in one way. */
export interface Deciding {
  readonly name: string
  decide(question: Question): boolean | Promise<boolean>
}

/** Cedar alone, as its package offers it for many requests: parsed once, each request validated. */
function bareCedar(permits: readonly Permit[]): Deciding {
  const name = `bench ${permits.length}`
  for (const parsed of [
    cedar.preparseSchema(name, schema),
    cedar.preparsePolicySet(name, { staticPolicies: Object.fromEntries(policiesOf(permits)) }),
  ])
    if (parsed.type === 'failure') throw new Error(JSON.stringify(parsed.errors))
  return {
    name: 'bare cedar-wasm',
    decide: (question) => {
      // Cedar takes the same JSON.
      const { principal, action, resource, context, entities } = requestOf(question)
      const answer = cedar.statefulIsAuthorized({
        ...{ principal, action, resource, context: context as never, entities: entities as never },
        ...{ validateRequest: true, preparsedSchemaName: name, preparsedPolicySetId: name },
      })
      return answer.type === 'success' && answer.response.decision === 'allow'
    },
  }
}

/** Of tickets that were never asked about, and of the same again: the engine remembers its last answers. */
async function ours(permits: readonly Permit[]): Promise<readonly Deciding[]> {
  const engine = await localEngine({ schema, policies: policiesOf(permits) })
  let tickets = 0
  return [
    {
      name: 'freehold',
      decide: async (question) => (await engine.isAuthorized(requestOf(question, `t-${tickets++}`))).decision === 'allow',
    },
    { name: 'freehold, asked again', decide: async (question) => (await engine.isAuthorized(requestOf(question))).decision === 'allow' },
  ]
}

/** An ability of one user: CASL is given the rules of her roles, and the tenant as a condition. */
function casl(permits: readonly Permit[]): Deciding {
  const own = permits.filter(({ role }) => held.some((each) => each === role))
  const ability = createMongoAbility(own.map(({ action }) => ({ action, subject: 'Ticket', conditions: { tenant: 'acme' } })))
  return { name: 'CASL, rules of the user', decide: ({ action, tenant }) => ability.can(action, subject('Ticket', { tenant })) }
}

const model = `[request_definition]
r = sub, dom, tenant, act
[policy_definition]
p = sub, act
[role_definition]
g = _, _, _
[policy_effect]
e = some(where (p.eft == allow))
[matchers]
m = r.act == p.act && r.tenant == r.dom && g(r.sub, p.sub, r.dom)`

async function casbin(permits: readonly Permit[]): Promise<Deciding> {
  const lines = [...permits.map(({ role, action }) => `p, ${role}, ${action}`), ...held.map((role) => `g, ada, ${role}, acme`)]
  const enforcer = await newEnforcer(newModel(model), new StringAdapter(lines.join('\n')))
  return { name: 'node-casbin', decide: ({ action, tenant }) => enforcer.enforceSync('ada', 'acme', tenant, action) }
}

export const contendersOn = async (permits: readonly Permit[]): Promise<readonly Deciding[]> => [
  ...(await ours(permits)),
  bareCedar(permits),
  casl(permits),
  await casbin(permits),
]
