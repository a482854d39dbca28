import { FreeholdError } from '@freehold/table'
import { safeText } from '../output/safe-text.ts'
import { hintOf, nearest } from './nearest.ts'

const shown_max = 60

/** More names than these are left to the command that lists them. */
const names_max = 12

/**
 * The error for an unknown name. It suggests the names that were probably meant, or lists the names where they are few.
 * @param lists the command that lists all names
 */
export function unknownName(what: string, name: string, known: Iterable<string>, lists: string): FreeholdError {
  const names = [...known]
  const [near] = nearest(name, names)
  const shown = safeText(name.length > shown_max ? `${name.slice(0, shown_max)}…` : name)
  const few = near === undefined && names.length <= names_max ? `There is ${names.join(', ') || 'none'}. ` : ''
  const message = `There is no ${what} '${shown}'. ${few}${hintOf(name, names, lists)}`
  return new FreeholdError('UnknownName', message, { name: shown, ...(near && { suggestion: near }) })
}
