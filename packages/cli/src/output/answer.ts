import { type Can, isUnanswered, type Reason } from '@freehold/frame/decision'
import { type Exit, exit } from '../shell.ts'
import { safeText } from './safe-text.ts'

/** The exit code of an answer: yes, no, or unanswered. A fault is never a no (spec rule 19). */
export function exitOf(answer: Can): Exit {
  if (answer.allowed) return exit.yes
  return isUnanswered(answer) ? exit.unanswered : exit.no
}

/** A reason as a sentence, with its code. */
export const reasonWords = ({ message, code }: Reason): string => `${safeText(message)} (${safeText(code)})`

/** An answer as a sentence. */
export function answerWords({ allowed, reason }: Can): string {
  if (allowed) return 'yes\n'
  return reason === undefined ? 'no\n' : `no: ${reasonWords(reason)}\n`
}
