import { loadCedar } from './cedar.ts'
import type { CedarPolicy, EntityUid } from './policy-engine.ts'

/** A policy or template of a policy store, as Cedar reads it. */
export interface ReadPolicy extends CedarPolicy {
  /** The head of the policy, which a store does not change: its effect and what it says of principal and resource. */
  readonly head: string
}

/**
 * Reads policies and templates of a policy store. One without `@id` has its name in the store as its id. One that Cedar does not read counts as a forbid:
 * nothing is allowed by it.
 * @param texts by their names in the store
 */
export async function readPolicies(texts: ReadonlyMap<string, string>): Promise<ReadonlyMap<string, ReadPolicy>> {
  const cedar = await loadCedar()
  return new Map(
    [...texts].map(([name, text]): [string, ReadPolicy] => {
      const asPolicy = cedar.policyToJson(text)
      const answer = asPolicy.type === 'success' ? asPolicy : cedar.templateToJson(text)
      if (answer.type === 'failure') return [name, { id: name, effect: 'forbid', annotations: {}, text, file: name, head: '' }]
      const { effect, principal, resource, annotations = {} } = answer.json
      const told = Object.fromEntries(Object.entries(annotations).map(([key, value]) => [key, value ?? '']))
      return [
        name,
        { id: told.id || name, effect, annotations: told, text, file: name, head: JSON.stringify([effect, principal, resource]) },
      ]
    }),
  )
}

/** The entities that a policy names: `Role::"agent"`. */
export function entitiesNamed(text: string): readonly EntityUid[] {
  return [...text.matchAll(/((?:[A-Za-z_]\w*::)+)"((?:[^"\\]|\\.)*)"/g)].map(([, type = '', id = '']) => ({ type: type.slice(0, -2), id }))
}
