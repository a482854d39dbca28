import { designModules } from '@freehold/designs'
import type { DesignModule } from '@freehold/frame'
import { reportFailure, unexpectedSentence } from './output/failure.ts'
import { processShell } from './process-shell.ts'
import { runProgram } from './run-program.ts'
import { endWithNpm } from './serving/end-with-npm.ts'
import { exit } from './shell.ts'

/**
 * Runs the command in `argv`, the whole of `process.argv`, and sets the exit code of the process.
 * @param designs the known designs by name. A program of your own can pass its own designs, in addition to these or instead
 */
export async function main(argv: readonly string[], designs: ReadonlyMap<string, DesignModule> = designModules): Promise<void> {
  const shell = processShell(designs)
  endWithNpm(shell.env)
  // An error that no command awaits: Node would print its stack and exit with 1, which means no.
  process.once('uncaughtException', (error) => {
    const failure = { code: 'Unexpected', message: unexpectedSentence(error), exit: exit.unanswered }
    reportFailure(shell, failure, argv.includes('--json'))
    process.exit(exit.unanswered)
  })
  process.exitCode = await runProgram(shell, argv.slice(2))
}
