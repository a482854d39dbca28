import { Command } from 'commander'
import { type Exit, exit, type Shell } from '../shell.ts'
import type { Declaring } from './declare.ts'
import { declareDesigns } from './designs.ts'
import { declareExchange } from './exchange.ts'
import { declareItems } from './items.ts'
import { declareQuestions } from './questions.ts'
import { declareServers } from './servers.ts'

/** The version of package.json; a test compares the two. */
export const version = '0.1.0'

const after = `
Where the data is:
  DYNAMODB_ENDPOINT names any DynamoDB; an AWS region with credentials means DynamoDB there; otherwise an embedded engine
  keeps the data in .freehold/ and is started when it is needed.

Exit codes:
  0  yes, or done
  1  no: denied, not found, there already, changed by someone else, not proven, rows that failed
  2  malformed input, or no answer

A JSON argument that is - is read from stdin. \`freehold help COMMAND\` has examples.
`

/** The whole face of the command. `outcome` holds the exit code of the command that was run. */
export function createProgram(shell: Shell): { program: Command; outcome: { exit: Exit } } {
  const outcome: { exit: Exit } = { exit: exit.yes }
  const program = new Command('freehold')
    .description('A design document that runs: single-table designs for DynamoDB, and who may do what, and why.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', after)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void shell.out(text),
      // Errors are reported in one way, whoever finds them.
      writeErr: () => {},
      outputError: () => {},
      getOutHelpWidth: () => shell.columns ?? 100,
      getErrHelpWidth: () => shell.columns ?? 100,
    })
  const declaring: Declaring = { program, shell, outcome }
  declareDesigns(declaring)
  declareItems(declaring)
  declareQuestions(declaring)
  declareExchange(declaring)
  declareServers(declaring)
  return { program, outcome }
}
