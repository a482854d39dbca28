import type { ToldDesign, ToldField } from '../app/told.ts'

export const askings = ['can', 'what', 'who', 'where'] as const
export type Asking = (typeof askings)[number]

/** The fields of a question by their part in its sentence. */
export interface Sentence {
  readonly subject: readonly ToldField[]
  readonly action: readonly ToldField[]
  readonly place: readonly ToldField[]
  readonly more: readonly ToldField[]
}

/**
 * A list leaves out what it lists: so `who` tells which fields are the subject, `what` which are the action, and `where` which are the place.
 * A design says it without words of its own for it.
 */
export function sentenceOf({ questions }: ToldDesign, asking: Asking): Sentence {
  const names = (question: string) => new Set((questions[question] ?? []).map(({ name }) => name))
  const all = questions.can ?? []
  const lacks = (question: Asking) =>
    all.filter(({ name }) => questions[question] !== undefined && !names(question).has(name)).map(({ name }) => name)
  const [who, where] = [lacks('who'), lacks('where')]
  const what = lacks('what').length > 0 ? lacks('what') : all.map(({ name }) => name).filter((name) => name === 'action')
  const fields = questions[asking] ?? []
  const among = (parts: readonly string[]) => fields.filter(({ name }) => parts.includes(name))
  return {
    subject: among(who),
    action: among(what),
    place: among(where),
    more: fields.filter(({ name }) => ![...who, ...what, ...where].includes(name)),
  }
}

/** The words around the parts: May … do … at …? */
export const wordsOf: Readonly<
  Record<Asking, { readonly tab: string; readonly parts: readonly (readonly [words: string, part: keyof Sentence])[] }>
> = {
  can: {
    tab: 'May …?',
    parts: [
      ['May', 'subject'],
      ['do', 'action'],
      ['at', 'place'],
    ],
  },
  what: {
    tab: 'What?',
    parts: [
      ['What may', 'subject'],
      ['do at', 'place'],
      ['with', 'action'],
    ],
  },
  who: {
    tab: 'Who?',
    parts: [
      ['Who may do', 'action'],
      ['at', 'place'],
    ],
  },
  where: {
    tab: 'Where?',
    parts: [
      ['Where may', 'subject'],
      ['do', 'action'],
    ],
  },
}

/** A question as it is sent: texts that are filled in, numbers and flags and JSON as what they stand for. Names fields whose JSON is none. */
export function questionOf(fields: readonly ToldField[], given: Readonly<Record<string, string>>) {
  const question: Record<string, unknown> = {}
  const wrong: string[] = []
  const missing: string[] = []
  for (const { name, kind, required } of fields) {
    const text = given[name] ?? ''
    if (text === '') {
      if (required) missing.push(name)
      continue
    }
    if (!isStructured(kind)) {
      question[name] = text
      continue
    }
    try {
      question[name] = JSON.parse(text)
    } catch {
      if (kind === 'map' || kind === 'list' || kind === 'flag' || kind === 'number') wrong.push(name)
      else question[name] = text
    }
  }
  return { question, wrong, missing }
}

/** A permission is text, or an object of its parts: both are taken. */
export const isStructured = (kind: string): boolean => ['map', 'list', 'flag', 'number', 'variants', 'permission'].includes(kind)
