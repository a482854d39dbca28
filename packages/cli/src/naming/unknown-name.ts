import { FreeholdError } from '@freehold/table'
import { safeText } from '../output/safe-text.ts'
import { nearest } from './nearest.ts'

const shown_max = 60

/** More names than these are left to the command that lists them. */
const names_max = 12

/**
 * The error for an unknown name. It suggests the name that was probably meant, or lists the names.
 * @param lists the command that lists the names, for those that are many
 */
export function unknownName(what: string, name: string, known: Iterable<string>, lists?: string): FreeholdError {
  const names = [...known]
  const near = nearest(name, names)
  const shown = safeText(name.length > shown_max ? `${name.slice(0, shown_max)}…` : name)
  const all = names.length > names_max && lists !== undefined ? `\`${lists}\` lists them` : `There is ${names.join(', ') || 'none'}`
  const hint = near === undefined ? `${all}.` : `Did you mean ${near}?`
  return new FreeholdError('UnknownName', `There is no ${what} '${shown}'. ${hint}`, { name: shown, ...(near && { suggestion: near }) })
}
