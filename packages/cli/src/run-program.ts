import { type Command, CommanderError } from 'commander'
import { nearest } from './naming/nearest.ts'
import { failureOf, reportFailure } from './output/failure.ts'
import { createProgram } from './program/program.ts'
import { type Exit, exit, type Surroundings } from './shell.ts'

/** Commander's message as a sentence. The message is like `error: unknown option '--jsn'\n(Did you mean --json?)`. */
function sentenceOf(message: string): string {
  const text = message.replace(/^error: /, '').replace(/\n\((.*)\)$/s, '. $1')
  const sentence = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.?!]$/.test(sentence) ? sentence : `${sentence}.`
}

/** True if the reader of our stdout has gone, as `head` does: it has got all that it wanted. */
function isReaderGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EPIPE'
}

function usageError({ code, message }: CommanderError, argv: readonly string[], program: Command): string {
  const command = program.commands.find((each) => each.name() === argv[0])?.name()
  const seeHelp = command === undefined ? 'See `freehold help` and `freehold help COMMAND`.' : `See \`freehold help ${command}\`.`
  if (code !== 'commander.help') return `${sentenceOf(message)} ${seeHelp}`
  const [first, named] = argv.filter((argument) => argument !== '--json')
  if (first !== 'help' || named === undefined) return 'A command is missing: `freehold --help` lists them.'
  const near = nearest(
    named,
    program.commands.map((command) => command.name()),
  )
  return `Unknown command '${named}'. ${near === undefined ? seeHelp : `Did you mean ${near}?`}`
}

/**
 * Runs one command. Every error becomes an exit code and a sentence on stderr; nothing is thrown.
 * @param argv the command and its arguments, without `node` and the script
 */
export async function runProgram(shell: Surroundings, argv: readonly string[]): Promise<Exit> {
  const { program, outcome } = createProgram(shell)
  const asJson = argv.includes('--json')
  const [first = '-'] = argv
  // For `freehold cna --help`, commander would print the help of all commands.
  const isUnknown = !first.startsWith('-') && first !== 'help' && program.commands.every((command) => command.name() !== first)
  try {
    await program.parseAsync(isUnknown ? [first] : [...argv], { from: 'user' }).finally(() => outcome.printed)
    return outcome.exit
  } catch (error) {
    if (isReaderGone(error)) return exit.yes
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return exit.yes
      reportFailure(shell, { code: 'InvalidInput', message: usageError(error, argv, program), exit: exit.unanswered }, asJson)
      return exit.unanswered
    }
    const failure = await failureOf(shell, error)
    reportFailure(shell, failure, asJson)
    return failure.exit
  }
}
