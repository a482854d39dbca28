import { Command, Option } from 'commander'
import { exit, type Surroundings } from '../shell.ts'
import { type Declaring, type Outcome, once } from './declare.ts'
import { declareDesigns } from './designs.ts'
import { declareExchange } from './exchange.ts'
import { declareItems } from './items.ts'
import { declareQuestions } from './questions.ts'
import { declareServers } from './servers.ts'

/** The version in package.json. A test compares the two. */
export const version = '0.1.0'

const after = `
Data: DYNAMODB_ENDPOINT names any DynamoDB; an AWS region with credentials means
DynamoDB there; otherwise an embedded engine keeps the data in .freehold/ and is
started when it is needed. --url ADDRESS or FREEHOLD_URL asks a service instead,
with the API key FREEHOLD_API_KEY.

FREEHOLD_WITHOUT=DESIGN:FEATURE,FEATURE leaves parts of a design out.
FREEHOLD_JOB_WRITE_UNITS=N bounds what durable jobs write a second.

A JSON argument that is - is read from stdin.

Exit codes:
  0  yes, or done
  1  no: denied, not found, already exists, changed by another, not proven,
     rows or jobs that failed
  2  malformed input, or no answer

Examples: \`freehold help COMMAND\`
`

/** Declares the whole command. */
export function createProgram(shell: Surroundings): { program: Command; outcome: Outcome } {
  const outcome: Outcome = { exit: exit.yes, printed: Promise.resolve() }
  const program = new Command('freehold')
    .description('A design document that runs: single-table designs for DynamoDB, and who may do what, and why.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand('help [command]', 'print help for a command')
    .configureHelp({ subcommandTerm: (command) => command.name(), minWidthToWrap: 20 })
    .addHelpText('after', after)
    .addOption(new Option('--json').hideHelp())
    .option('--url <address>', 'ask the service at this address instead of a table', once)
    // For some commands `--version` is the version of an item.
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => {
        outcome.printed = outcome.printed.then(() => shell.out(text))
        // A failure reaches the code that awaits it later. Until then it must not count as unhandled.
        outcome.printed.catch(() => {})
      },
      // Commander's errors are reported like all others.
      writeErr: () => {},
      outputError: () => {},
      getOutHelpWidth: () => shell.columns ?? 80,
    })
  const declaring: Declaring = { program, shell, outcome }
  program.commandsGroup('Questions:')
  declareQuestions(declaring)
  program.commandsGroup('Designs:')
  declareDesigns(declaring)
  program.commandsGroup('Items:')
  declareItems(declaring)
  declareExchange(declaring)
  program.commandsGroup('Servers:')
  declareServers(declaring)
  return { program, outcome }
}
