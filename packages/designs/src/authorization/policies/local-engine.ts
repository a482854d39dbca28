import { compareKeys, invalidInput } from '@freehold/table/runtime'
import { type Cedar, loadCedar } from './cedar.ts'
import { cedarProblem } from './cedar-value.ts'
import type { PolicyAnswer, PolicyEngine, PolicyError, PolicyRequest } from './policy-engine.ts'
import { type PolicyFiles, type PolicySet, parsePolicies, textsById } from './policy-set.ts'

/**
 * An engine within this process. It parses the policies once: Cedar keeps them by their version.
 * @throws InvalidInput if a policy or the schema does not parse, or a policy does not fit the schema
 */
export async function localEngine(files: PolicyFiles): Promise<PolicyEngine> {
  const cedar = await loadCedar()
  const { set, issues } = parsePolicies(cedar, files)
  if (issues.length > 0) throw invalidInput('The policies', issues)
  return engineOf(cedar, set)
}

/** An engine of policies that have been parsed without issues. */
export function engineOf(cedar: Cedar, set: PolicySet): PolicyEngine {
  cedar.preparseSchema(set.version, set.schema)
  cedar.preparsePolicySet(set.version, { staticPolicies: textsById(set) })
  return Object.freeze({
    version: set.version,
    actionsOn: actionsOf(cedar, set),
    isAuthorized: async (request: PolicyRequest) => answerOf(cedar, set, request),
  })
}

const refused = (...messages: readonly string[]): PolicyAnswer => ({
  decision: 'deny',
  policies: [],
  errors: messages.map((message): PolicyError => ({ message })),
})

function answerOf(cedar: Cedar, { version, policies }: PolicySet, request: PolicyRequest): PolicyAnswer {
  const { principal, action, resource, context, entities } = request
  const problem = cedarProblem(request)
  if (problem !== undefined) return refused(`The request ${problem}.`)
  const absent = [principal, resource].filter((each) => !entities.some(({ uid }) => uid.type === each.type && uid.id === each.id))
  if (absent.length > 0) return refused(...absent.map(({ type, id }) => `The entities lack ${type}::${JSON.stringify(id)}.`))
  try {
    const answer = cedar.statefulIsAuthorized({
      ...{ principal, action, resource, validateRequest: true, preparsedSchemaName: version, preparsedPolicySetId: version },
      context,
      entities: entities.map(({ uid, attrs = {}, parents = [] }) => ({ uid, attrs, parents })),
    })
    if (answer.type === 'failure') return refused(...answer.errors.map(({ message }) => message))
    const { decision, diagnostics } = answer.response
    return {
      decision,
      policies: [...diagnostics.reason].sort(compareKeys).flatMap((id) => policies.get(id) ?? []),
      errors: diagnostics.errors.map(({ policyId, error: { message } }): PolicyError => {
        // Cedar evaluates these policies and no others; of one that it made up, the worst is believed.
        return { policy: policyId, effect: policies.get(policyId)?.effect ?? 'forbid', message }
      }),
    }
  } catch (error) {
    return refused(`Cedar could not read the request: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** The actions that a user may ask of each type of resource. */
function actionsOf(cedar: Cedar, { schema }: PolicySet) {
  const read = cedar.schemaToJson(schema)
  const declared = read.type === 'failure' ? [] : Object.entries(read.json['']?.actions ?? {})
  const asked = declared.filter(([, { appliesTo }]) => appliesTo?.principalTypes.includes('User'))
  return (type: string): readonly string[] =>
    asked.flatMap(([name, { appliesTo }]) => (appliesTo?.resourceTypes.includes(type) ? [name] : [])).sort(compareKeys)
}
