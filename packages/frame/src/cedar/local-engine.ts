import { compareKeys } from '@freehold/table/runtime'
import { type Cedar, loadCedar } from './cedar.ts'
import { cedarProblem } from './cedar-value.ts'
import { type PackedPolicies, unpackedPolicies } from './packed-policies.ts'
import type { PolicyAnswer, PolicyEngine, PolicyError, PolicyRequest } from './policy-engine.ts'
import { declaredSchema, schemaOf } from './policy-schema.ts'
import { type PolicyFiles, type PolicySet, policiesForCedar, readPolicySet } from './policy-set.ts'
import { rememberingAnswers } from './remembered-answers.ts'

/**
 * An engine within this process, by texts that the caller has read: `policyFiles` makes `files` of a folder's texts. It parses the policies once: Cedar keeps them by their version.
 * @param packed what `packPolicies` made of the same files: they are then neither parsed nor validated again. Of other files, or by another version of
 * Cedar, it is without effect
 * @throws InvalidInput if a policy or the schema does not parse, or a policy does not fit the schema
 */
export async function localEngine(files: PolicyFiles, packed?: PackedPolicies): Promise<PolicyEngine> {
  const cedar = await loadCedar()
  return engineOf(cedar, (packed && unpackedPolicies(cedar, files, packed)) ?? (await readPolicySet(files)))
}

/** The names under which Cedar holds versions of policies: as many as it holds at the same time. */
const names = Array.from({ length: 8 }, (_, index) => `policies ${index}`)

/** The versions that Cedar holds, by these names: the least recently used one first. */
const held = new Map<string, string>()

/**
 * The name under which Cedar holds these policies, parsed. Cedar holds each name for the life of the process, so there are few names: a version gives its
 * name up for another one, and is parsed again when it is asked again.
 */
function heldName(cedar: Cedar, set: PolicySet): string {
  const { version, schema, parsed } = set
  const known = held.get(version)
  const [oldest] = known === undefined ? held : []
  const taken = new Set(known === undefined ? held.values() : [])
  const name = known ?? names.find((each) => !taken.has(each)) ?? oldest?.[1] ?? ''
  if (known === undefined) {
    if (oldest?.[1] === name) held.delete(oldest[0])
    for (const answer of [cedar.preparseSchema(name, parsed?.schema ?? schema), cedar.preparsePolicySet(name, policiesForCedar(set))])
      if (answer.type === 'failure') throw new Error(answer.errors[0]?.message)
  }
  held.delete(version)
  held.set(version, name)
  return name
}

/** An engine of policies that have been parsed without issues. */
export function engineOf(cedar: Cedar, set: PolicySet): PolicyEngine {
  heldName(cedar, set)
  const answer = rememberingAnswers((request) => answerOf(cedar, set, request))
  return Object.freeze({
    version: set.version,
    ...schemaOf(set.declared ?? declaredSchema(cedar, set.schema)),
    isAuthorized: async (request: PolicyRequest) => answer(request),
  })
}

const refused = (...messages: readonly string[]): PolicyAnswer => ({
  decision: 'deny',
  policies: [],
  errors: messages.map((message): PolicyError => ({ message })),
})

function answerOf(cedar: Cedar, set: PolicySet, request: PolicyRequest): PolicyAnswer {
  const { policies } = set
  const { principal, action, resource, context, entities } = request
  const problem = cedarProblem(request)
  if (problem !== undefined) return refused(`The request ${problem}.`)
  const absent = [principal, resource].filter((each) => !entities.some(({ uid }) => uid.type === each.type && uid.id === each.id))
  if (absent.length > 0) return refused(...absent.map(({ type, id }) => `The entities lack ${type}::${JSON.stringify(id)}.`))
  try {
    const name = heldName(cedar, set)
    const answer = cedar.statefulIsAuthorized({
      ...{ principal, action, resource, validateRequest: true, preparsedSchemaName: name, preparsedPolicySetId: name },
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
