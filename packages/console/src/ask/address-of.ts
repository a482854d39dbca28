import { type Example, type ToldDesign, textOf } from '../app/told.ts'
import { isStructured } from './sentence.ts'

/** The address of a question. `why` is asked as `can`, which shows its reasons. */
export function addressOf(design: ToldDesign, { asked, body }: Pick<Example, 'asked' | 'body'>): Readonly<Record<string, string>> {
  const fields = design.questions.can ?? []
  const kinds = new Map(fields.map(({ name, kind }) => [name, kind]))
  const filled = Object.entries(body).map(([name, value]) => [
    name,
    isStructured(kinds.get(name) ?? '') && typeof value === 'object' ? JSON.stringify(value, null, 2) : textOf(value),
  ])
  return { asked: asked === 'why' ? 'can' : asked, ...Object.fromEntries(filled) }
}
