import type { Survey } from '@freehold/table/runtime'
import { counted } from './counted.ts'
import { listed } from './listed.ts'
import { safeText } from './safe-text.ts'

/** What a table lacks, in one line. */
export function lackingWords(missing: Survey['missing']): string {
  const words = Object.entries(missing).map(([entity, count]) => `${count} ${entity}`)
  return words.length === 0 ? 'Nothing is missing.' : `Missing or old: ${listed(words)}.`
}

/** What a design cannot add by itself, a line each. */
export function problemLines(problems: Survey['problems'], count: number): readonly string[] {
  const lines = problems.map(({ code, message }) => `${safeText(`${message} (${code})`)}\n`)
  return count > problems.length ? [...lines, `These are the first of ${counted(count, 'problem')}.\n`] : lines
}

/** What a command says of a table that another program has written; nothing if it lacks nothing. */
export function adviceFor(design: string, { missing, problemsCount, isWhole, items }: Survey): string | undefined {
  if (Object.keys(missing).length === 0 && problemsCount === 0) return undefined
  const problems = problemsCount === 0 ? '' : ` ${counted(problemsCount, 'item')} cannot be read as the design has them.`
  const among = isWhole ? '' : ` (of the first ${items} items)`
  return `Another program has written to this table. ${lackingWords(missing)}${problems}${among} \`freehold adopt ${design}\` adds what it can.`
}
