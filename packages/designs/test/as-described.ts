import type { Question } from '../../frame/src/decision/question.ts'
import { readAttributes } from '../../frame/src/reading/read-attributes.ts'

/** Reads an item of a list by the attributes that its question describes it by. Throws for anything that they do not describe. */
export function asDescribed({ answer }: Question, item: unknown): unknown {
  if (answer.kind !== 'page' || !('values' in answer)) throw new Error('The question has no list of values.')
  const foreign = (names: string) => `is not described: ${names} are`
  return readAttributes(answer.values, item, { name: 'item', details: { question: 'item' }, called: 'item', foreign })
}
