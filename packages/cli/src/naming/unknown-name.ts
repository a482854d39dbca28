import { FreeholdError } from '@freehold/table'
import { safeText } from '../output/safe-text.ts'
import { nearest } from './nearest.ts'

const shown_max = 60

/** The error for a name that is not there: with the one that was probably meant, else with all that there are. */
export function unknownName(what: string, name: string, known: Iterable<string>): FreeholdError {
  const names = [...known]
  const near = nearest(name, names)
  const shown = safeText(name.length > shown_max ? `${name.slice(0, shown_max)}…` : name)
  const hint = near === undefined ? `There is ${names.join(', ') || 'none'}.` : `Did you mean ${near}?`
  return new FreeholdError('UnknownName', `There is no ${what} '${shown}'. ${hint}`, { name: shown, ...(near && { suggestion: near }) })
}
