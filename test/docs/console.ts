import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { designModules } from '@freehold/designs'
import { runProgram } from '../../packages/cli/src/run-program.ts'
import type { Surroundings } from '../../packages/cli/src/shell.ts'
import { shopsModule } from './shops.ts'

/** A command as a page shows it, with what it prints. */
export interface Shown {
  readonly command: string
  readonly output: string
}

/** The commands of a block of the language `console`: each after `$ `, its output below it. */
export function commandsOf(block: string): Shown[] {
  return block
    .split(/^\$ /m)
    .slice(1)
    .map((text) => {
      const [command = '', ...output] = text.split('\n')
      return { command, output: output.join('\n') }
    })
}

/** The words of a command line: `'…'` is one word, and so is whatever has no space in it. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
}

interface Line {
  readonly argv: readonly string[]
  readonly stdin: string
  /** The file that stdout goes to. */
  readonly into: string | undefined
  readonly echoesExit: boolean
}

function lineOf(command: string, folder: string): Line {
  const echo = '; echo $?'
  const echoesExit = command.endsWith(echo)
  const words = wordsOf(echoesExit ? command.slice(0, -echo.length) : command)
  const take = (sign: string) => {
    const at = words.indexOf(sign)
    return at < 0 ? undefined : words.splice(at, 2)[1]
  }
  const into = take('>')
  const from = take('<')
  return { argv: words.slice(1), stdin: from === undefined ? '' : readFileSync(join(folder, from), 'utf8'), into, echoesExit }
}

/** Runs a command of a page in this process, in a terminal of 110 columns. Gives what it prints. */
export async function run(command: string, { folder, data }: { folder: string; data: string }): Promise<string> {
  const { argv, stdin, into, echoesExit } = lineOf(command, folder)
  let printed = ''
  let filed = ''
  const shell: Surroundings = {
    designs: argv.includes('shops') ? new Map([...designModules, ['shops', shopsModule]]) : designModules,
    env: { FREEHOLD_DATA: data },
    cwd: folder,
    stdin: (async function* () {
      yield Buffer.from(stdin)
    })(),
    out: async (text) => {
      if (into === undefined) printed += text
      else filed += text
    },
    err: (text) => {
      printed += text
    },
    columns: 110,
    isInteractive: false,
    now: () => new Date(),
  }
  const exit = await runProgram(shell, argv)
  if (into !== undefined) writeFileSync(join(folder, into), filed)
  return printed + (echoesExit ? `${exit}\n` : '')
}
