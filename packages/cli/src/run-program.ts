import { type Command, CommanderError } from 'commander'
import { hintOf } from './naming/nearest.ts'
import { failureOf, reportFailure } from './output/failure.ts'
import { createProgram } from './program/program.ts'
import { type Exit, exit, jsonLine, type Surroundings } from './shell.ts'

/** Commander's message as a sentence. The message is like `error: unknown option '--jsn'\n(Did you mean --json?)`. */
function sentenceOf(message: string): string {
  const text = message.replace(/^error: /, '').replace(/\n\((.*)\)$/s, '. $1')
  const sentence = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.?!]$/.test(sentence) ? sentence : `${sentence}.`
}

/** The code of Node for a write to stdout that failed. Undefined for any other error. */
function outputCodeOf(error: unknown, output: unknown): unknown {
  return error !== undefined && error === output ? Object(error).code : undefined
}

/** The sentence for stdout that cannot be written, such as a file on a full disk. */
function outputSentence(code: unknown): string {
  const cause = code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG' ? 'its disk is full' : String(code)
  return `The output cannot be written: ${cause}. The command may have done its work.`
}

function usageError({ code, message }: CommanderError, argv: readonly string[], program: Command): string {
  const names = program.commands.map((each) => each.name())
  const [given = '-'] = argv
  // Options of the program stand before the command: `--url ADDRESS can …`.
  const command = names.find((name) => (given.startsWith('-') ? argv.includes(name) : name === given))
  const seeHelp = command === undefined ? 'See `freehold help` and `freehold help COMMAND`.' : `See \`freehold help ${command}\`.`
  if (code !== 'commander.help') return `${sentenceOf(message)} ${seeHelp}`
  const [first, named] = argv.filter((argument) => argument !== '--json')
  if (first !== 'help' || named === undefined) return 'A command is missing: `freehold --help` lists them.'
  return `Unknown command '${named}'. ${hintOf(named, names, 'freehold --help')}`
}

/** With `--json` a program reads stderr, too: sentences for people become notes, a line each. Errors and lines of logs are JSON already. */
function asNotes(err: Surroundings['err']): Surroundings['err'] {
  return (text) => {
    for (const line of text.split('\n')) if (line !== '') err(line.startsWith('{') ? `${line}\n` : jsonLine({ note: line }))
  }
}

/**
 * Runs one command. Every error becomes an exit code and a sentence on stderr; nothing is thrown.
 * @param argv the command and its arguments, without `node` and the script
 */
export async function runProgram(surroundings: Surroundings, argv: readonly string[]): Promise<Exit> {
  let output: unknown
  const out = (text: string) =>
    surroundings.out(text).catch((error: unknown) => {
      output = error
      throw error
    })
  const asJson = argv.includes('--json')
  const shell = { ...surroundings, out, ...(asJson ? { err: asNotes(surroundings.err), isInteractive: false } : {}) }
  let { program, outcome } = createProgram(shell)
  const [first = '-'] = argv
  // For `freehold cna --help`, commander would print the help of all commands.
  const isUnknown = !first.startsWith('-') && first !== 'help' && program.commands.every((command) => command.name() !== first)
  try {
    let words: readonly string[] = isUnknown ? [first] : argv
    if (argv.some((word) => word.startsWith('--design'))) {
      const own = await (await import('./own-design/own-designs.ts')).ownDesigns(shell, words)
      ;({ program, outcome } = createProgram(own.surroundings))
      words = own.words(program)
    }
    await program.parseAsync([...words], { from: 'user' }).finally(() => outcome.printed)
    return outcome.exit
  } catch (error) {
    const outputCode = outputCodeOf(error, output)
    // The reader of our stdout has gone, as `head` does: it has got all that it wanted.
    if (outputCode === 'EPIPE') return exit.yes
    if (outputCode !== undefined) {
      reportFailure(shell, { code: 'Unavailable', message: outputSentence(outputCode), exit: exit.unanswered }, asJson)
      return exit.unanswered
    }
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
