import { askedBy, type Input, type KeysOf } from './rules/asked.ts'
import type { Rule } from './rules/rule.ts'
import { rulesOfKeys } from './rules/rules-of-keys.ts'
import { rulesOfRequests } from './rules/rules-of-requests.ts'

/** A rule that a request breaks, and what breaks it. */
export interface BrokenRule extends Pick<Rule, 'says' | 'source'> {
  readonly what: string
}

const rules: readonly Rule[] = [...rulesOfKeys, ...rulesOfRequests]

/**
 * The first rule that a request breaks, of those by which DynamoDB at AWS refuses requests whatever its tables hold, and which AWS writes down. The embedded
 * engine does not have all of them.
 * @param keysOf without the keys of a table, only what its requests tell of themselves is known
 */
export function brokenRule(operation: string, input: Input, keysOf: KeysOf = () => undefined): BrokenRule | undefined {
  const asked = askedBy(operation, input, keysOf)
  for (const { says, source, broken } of rules) {
    const what = broken(asked)
    if (what !== undefined) return { says, source, what }
  }
  return undefined
}
