import { engineOf, loadCedar, type PolicyFiles, parsePolicies } from '@freehold/frame/cedar'
import { type Issue, isFreeholdError } from '@freehold/table'
import { type CaseResult, readCase, runCase } from './policy-case.ts'

/** A folder of policies with its cases. */
export interface PolicyFolder extends PolicyFiles {
  /** What each file of cases holds, by its name: a list. */
  readonly cases: ReadonlyMap<string, unknown>
}

export interface PolicyCheck {
  /** What does not parse or fit the schema, and cases that are none. While there are any, no case is asked. */
  readonly issues: readonly Issue[]
  /** The files that Cedar's formatter would write otherwise, and how. */
  readonly formatted: Readonly<Record<string, string>>
  readonly policies: number
  readonly results: readonly (CaseResult & { readonly file: string })[]
  /** Policies that decide no case. */
  readonly unexercised: readonly string[]
}

/** Parses the policies, formats them, validates them against the schema and asks the cases. */
export async function checkPolicies({ cases, ...files }: PolicyFolder): Promise<PolicyCheck> {
  const cedar = await loadCedar()
  const { set, issues: found } = parsePolicies(cedar, files)
  const issues = [...found]
  const formatted = [...files.policies].flatMap(([file, policyText]): [string, string][] => {
    const answer = policyText.trim() === '' ? undefined : cedar.formatPolicies({ policyText })
    return answer?.type === 'success' && answer.formatted_policy !== policyText ? [[file, answer.formatted_policy]] : []
  })
  const asked = [...cases].flatMap(([file, held]) => {
    if (Array.isArray(held)) return held.map((one: unknown, index) => ({ file, index, one }))
    issues.push({ path: [file], message: 'is not a list of cases' })
    return []
  })
  const read = asked.flatMap(({ file, index, one }) => {
    try {
      return [{ file, one: readCase(one) }]
    } catch (error) {
      if (!isFreeholdError(error, 'InvalidInput')) throw error
      issues.push(...(error.details.issues ?? []).map(({ path, message }) => ({ path: [file, index + 1, ...path], message })))
      return []
    }
  })
  const checked = { formatted: Object.fromEntries(formatted), policies: set.policies.size }
  if (issues.length > 0) return { ...checked, issues, results: [], unexercised: [] }
  const engine = engineOf(cedar, set)
  const results = await Promise.all(read.map(async ({ file, one }) => ({ file, ...(await runCase(engine, one)) })))
  const exercised = new Set(results.flatMap(({ by }) => by))
  return { ...checked, issues, results, unexercised: [...set.policies.keys()].filter((id) => !exercised.has(id)) }
}
