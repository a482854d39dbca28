import { isListOfObjects } from './answers.ts'
import type { Values } from './caller.ts'

// Questions with their expected answers, as a file `*.cases.yaml` of a repository keeps them.

export type SavedAsk = 'can' | 'what' | 'who' | 'where'
const asks: readonly SavedAsk[] = ['can', 'what', 'who', 'where']

/** Yes, no, or no for a reason with this code; of a list its rows, each by as many of its fields as tell it from others. */
export type Expected = boolean | string | readonly Values[]

export interface SavedQuestion {
  readonly name: string
  readonly ask: SavedAsk
  readonly question: Values
  readonly expect: Expected
}

export interface SavedQuestions {
  readonly design: string
  readonly cases: readonly SavedQuestion[]
}

const isObject = (value: unknown): value is Values => typeof value === 'object' && value !== null && !Array.isArray(value)

function isExpected(value: unknown, ask: SavedAsk): value is Expected {
  return ask === 'can' ? typeof value === 'boolean' || (typeof value === 'string' && value !== '') : isListOfObjects(value)
}

/** The questions in a file that was parsed. Tells of the first thing that is wrong, in words. */
export function savedQuestionsOf(file: unknown): SavedQuestions | { readonly problem: string } {
  if (!isObject(file) || typeof file.design !== 'string' || !Array.isArray(file.cases))
    return { problem: 'It needs `design`, the name of a design, and `cases`, a list.' }
  const cases: SavedQuestion[] = []
  for (const [index, each] of file.cases.entries()) {
    const { name = `case ${index + 1}`, ask: asked = 'can', question, expect } = isObject(each) ? each : {}
    const ask = asks.find((one) => one === asked)
    if (typeof name !== 'string' || ask === undefined || !isObject(question))
      return { problem: `Case ${index + 1} needs \`question\`, an object, and \`ask\`, one of ${asks.join(', ')}.` }
    if (!isExpected(expect, ask)) {
      const wants = ask === 'can' ? 'true, false or the code of a reason' : 'a list of rows'
      return { problem: `Case ${index + 1} needs \`expect\`: ${wants}.` }
    }
    cases.push({ name, ask, question, expect })
  }
  return { design: file.design, cases }
}

/** An answer, as far as it is compared. A list has its rows, and tells whether there are more. */
export interface Answered {
  readonly allowed?: boolean
  readonly reason?: { readonly code: string; readonly message: string } | undefined
  readonly items?: readonly Values[]
  readonly cursor?: string | undefined
}

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
const has = (row: Values, wanted: Values): boolean => Object.entries(wanted).every(([name, value]) => same(row[name], value))
const answerWords = ({ allowed, reason }: Answered): string =>
  allowed === true ? 'yes' : reason === undefined ? 'no' : `no: ${reason.message} (${reason.code})`

/** What differs from the expected answer, in words. Undefined if it is as expected. */
export function changeOf({ expect }: Pick<SavedQuestion, 'expect'>, answer: Answered): string | undefined {
  const { allowed, reason, items = [], cursor } = answer
  if (typeof expect === 'boolean') return allowed === expect ? undefined : `expected ${expect ? 'yes' : 'no'}, got ${answerWords(answer)}`
  if (typeof expect === 'string')
    return allowed === false && reason?.code === expect ? undefined : `expected no (${expect}), got ${answerWords(answer)}`
  if (cursor !== undefined) return `expected ${expect.length} rows, got more than ${items.length}`
  const lacking = expect.filter((wanted) => !items.some((row) => has(row, wanted)))
  const added = items.filter((row) => !expect.some((wanted) => has(row, wanted)))
  const told = [
    ...lacking.map((row) => `lacks ${JSON.stringify(row)}`),
    ...added.map((row) => `has ${JSON.stringify(row)}`),
    ...(lacking.length + added.length === 0 && items.length !== expect.length
      ? [`has ${items.length} rows in place of ${expect.length}`]
      : []),
  ]
  return told.length === 0 ? undefined : told.join('; ')
}

/** The rows of a list as a case expects them: the texts that name each, and not by what it is granted, which may change. */
export const expectedRows = (items: readonly Values[]): readonly Values[] =>
  items.map((row) => {
    const texts = Object.entries(row).filter(([, value]) => typeof value === 'string')
    return texts.length === 0 ? row : Object.fromEntries(texts)
  })
