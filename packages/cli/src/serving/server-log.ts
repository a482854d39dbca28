import { openLog, type ServerLog } from '@freehold/service'
import { unexpectedSentence } from '../output/failure.ts'
import { exit, type Shell } from '../shell.ts'
import type { Closing } from './closing.ts'

/**
 * Node's own words to stderr, as lines of the log: its warnings, and the end of a process by an error that nobody caught. The error's message may quote
 * data, so that the line has its name alone.
 */
function takeWordsOfNode(log: ServerLog): () => void {
  const say = log.from('process')
  const before = process.listeners('warning')
  const onWarning = ({ name, message }: Error) => say(`${name}: ${message}`, 'warn')
  const onUncaught = (error: Error) => {
    say(unexpectedSentence(error), 'fatal')
    process.exit(exit.unanswered)
  }
  process.removeAllListeners('warning').on('warning', onWarning)
  process.prependListener('uncaughtException', onUncaught)
  return () => {
    process.off('uncaughtException', onUncaught).off('warning', onWarning)
    for (const listener of before) process.on('warning', listener)
  }
}

/** Opens the log of `serve` on stderr, which is written to its end when the server closes. */
export function openServerLog(shell: Shell, opened: Closing): ServerLog {
  const log = openLog({ level: shell.settings.logLevel, write: shell.err, now: shell.now })
  opened.add(log.flush)
  if (shell.isProcess === true) opened.add(takeWordsOfNode(log))
  return log
}
