import { FreeholdError } from '@freehold/table'
import { safeText } from '../output/safe-text.ts'
import { nearest } from './nearest.ts'

const shown_max = 60

/** The error for an unknown name. It suggests the name that was probably meant, or lists all names. */
export function unknownName(what: string, name: string, known: Iterable<string>): FreeholdError {
  const names = [...known]
  const near = nearest(name, names)
  const shown = safeText(name.length > shown_max ? `${name.slice(0, shown_max)}…` : name)
  const hint = near === undefined ? `There is ${names.join(', ') || 'none'}.` : `Did you mean ${near}?`
  return new FreeholdError('UnknownName', `There is no ${what} '${shown}'. ${hint}`, { name: shown, ...(near && { suggestion: near }) })
}
