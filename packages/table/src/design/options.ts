import { FreeholdError } from '../errors.ts'
import type { TextOptions } from '../kind/text.ts'
import type { Attribute, Presence } from './attribute.ts'

/**
 * Refuses what a builder would take and never use, such as a misspelt option. The compiler finds it in a literal; a design that is loaded without the
 * compiler, or made by a program, is found out here.
 */
export function checkOptions(what: string, given: object, known: readonly string[]): void {
  const stray = Object.entries(given).find(([name, value]) => value !== undefined && !known.includes(name))
  if (stray !== undefined) throw new FreeholdError('InvalidDesign', `${what} has no option '${stray[0]}'. It has: ${known.join(', ')}.`)
}

/**
 * What a member of a list, set or record says in vain, if it is stored: only an item's own attributes have defaults, copies, secrets and reasons. In
 * the form of an input or an answer such a member stands for its kind.
 */
export function inertMember(
  where: string,
  { kind, presence, isSecret, why, formerNames }: Attribute,
  allowed: readonly Presence[],
): string | undefined {
  const taken = !allowed.includes(presence)
    ? presence
    : isSecret
      ? 'secret'
      : formerNames.length > 0
        ? 'renamed'
        : why === undefined
          ? undefined
          : 'an addition'
  return taken === undefined ? kind.inert : `a ${kind.name} within ${where} cannot be ${taken}: say so of the whole attribute`
}

/** The sentence of a pattern that is not there would never be said. */
export function checkSaying(what: string, { pattern, saying }: Pick<TextOptions, 'pattern' | 'saying'>): void {
  if (saying !== undefined && pattern === undefined)
    throw new FreeholdError('InvalidDesign', `${what} has 'saying', the sentence for what does not match, but no 'pattern'.`)
}
