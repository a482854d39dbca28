import { type Answered, causeOfFault } from '@freehold/frame/decision'
import type { Shell } from '../shell.ts'
import { refusalOf } from './failure.ts'
import { safeText } from './safe-text.ts'

/** Tells a person on stderr why storage refused what a decision wanted to read. */
export function tellRefusal(shell: Pick<Shell, 'err'>, { reason }: Answered): void {
  const error = causeOfFault(reason)
  if (error !== undefined) for (const sentence of refusalOf(error)) shell.err(`${safeText(sentence)}\n`)
}
