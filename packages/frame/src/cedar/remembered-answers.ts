import { recentlyUsed } from '../decision/recently-used.ts'
import { cedarProblem } from './cedar-value.ts'
import type { PolicyAnswer, PolicyRequest } from './policy-engine.ts'

/** So many answers are remembered, if their requests are no longer than most. */
const remembered = { answers_max: 1_000, length_max: 4_096 } as const

/**
 * Remembers answers by the whole text of their requests. Cedar's answer depends on the policies and the request alone, and services ask the same again and
 * again: to ask Cedar takes longer than all the rest of a decision. Whatever is read for a decision is in the request, so a change of it asks anew. An
 * answer with an error is not remembered.
 * @param answer answers by policies that do not change
 */
export function rememberingAnswers(answer: (request: PolicyRequest) => PolicyAnswer): (request: PolicyRequest) => PolicyAnswer {
  const known = recentlyUsed<PolicyAnswer>(remembered.answers_max)
  return (request) => {
    // The text of what is no value of Cedar's may be that of another value.
    if (cedarProblem(request) !== undefined) return answer(request)
    const text = JSON.stringify(request)
    const before = known.get(text)
    if (before !== undefined) return before
    const answered = answer(request)
    if (answered.errors.length === 0 && text.length <= remembered.length_max) known.set(text, answered)
    return answered
  }
}
