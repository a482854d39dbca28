import { problem } from '../http/problem.ts'
import type { Refusal } from './admission.ts'

const sentences: Readonly<Record<Refusal, string>> = {
  share: 'This key has more requests under way than its share. Try again.',
  overload: 'Too many requests are running. Try again.',
}
const statuses: Readonly<Record<Refusal, number>> = { share: 429, overload: 503 }

/** The problem of a refused request. */
export const refusalOf = (why: Refusal) => problem('Busy', sentences[why], { status: statuses[why] })
