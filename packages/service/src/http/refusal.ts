import { FreeholdError, type Issue } from '@freehold/table'

/** The error for a request whose `what` does not fit, with a sentence for each issue. */
export function refusal(what: string, issues: readonly Issue[]): FreeholdError {
  const sentences = issues.map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')} ${message}`))
  return new FreeholdError('InvalidInput', `${what}: ${sentences.join('; ')}.`, { issues })
}
