import type { Shell } from '../shell.ts'
import { listed } from './listed.ts'
import { safeText } from './safe-text.ts'

/** The properties that an answer names as left out. Only some designs have such, and a service may answer with anything. */
function ignoredOf(answer: object): readonly string[] {
  const ignored: unknown = 'ignored' in answer ? answer.ignored : undefined
  return Array.isArray(ignored) ? ignored.filter((name) => typeof name === 'string') : []
}

/** Tells a person on stderr which properties of a question its answer does not rest on, since one of them may be misspelled. */
export function tellIgnored(shell: Pick<Shell, 'err'>, answer: object): void {
  const names = ignoredOf(answer)
  if (names.length === 0) return
  const [left, why] =
    names.length === 1
      ? ['property', 'was left out: the schema does not declare it, or the table has it.']
      : ['properties', 'were left out: the schema does not declare them, or the table has them.']
  shell.err(`The ${left} ${safeText(listed(names))} ${why}\n`)
}
