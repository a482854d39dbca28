import { type Command, InvalidArgumentError } from 'commander'
import { ofOneDesign } from '../program/declare.ts'
import type { Surroundings } from '../shell.ts'
import { isDesignFile, loadDesign } from './load-design.ts'

const option = '--design'

/** The words of a command line, with the files that `--design` names, one or several after it, replaced. */
function withFiles(argv: readonly string[], replaced: (file: string) => string): string[] {
  let isValue = false
  return argv
    .flatMap((word) => (word.startsWith(`${option}=`) ? [option, word.slice(option.length + 1)] : [word]))
    .map((word) => {
      const isFile = isValue && isDesignFile(word)
      isValue = word === option || isFile
      return isFile ? replaced(word) : word
    })
}

/** A command line whose `--design` may name files. */
export interface OwnDesigns {
  /** The same with the designs of those files. */
  readonly surroundings: Surroundings
  /** The words for a program that knows these designs by name. */
  words(program: Command): readonly string[]
}

/**
 * Loads the designs that `--design` names as files. They are loaded before the program is declared, since a module may have a folder, for which each
 * command has an option.
 * @throws InvalidInput as `loadDesign` does
 */
export async function ownDesigns(surroundings: Surroundings, argv: readonly string[]): Promise<OwnDesigns> {
  const files = new Set<string>()
  withFiles(argv, (file) => {
    files.add(file)
    return file
  })
  const loaded = await Promise.all([...files].map((file) => loadDesign(surroundings.cwd, file)))
  const byName = new Map(loaded.map((each) => [each.module.design.name, each]))
  if (byName.size < loaded.length) throw new InvalidArgumentError('error: two of the files have designs with one name: give each its own')
  const words = withFiles(argv, (name) => loaded.find(({ file }) => file === name)?.module.design.name ?? name)
  const designs = new Map([...surroundings.designs, ...loaded.map(({ module }) => [module.design.name, module] as const)])
  return {
    surroundings: loaded.length === 0 ? surroundings : { ...surroundings, designs, designFiles: byName },
    words: ({ commands }) => {
      const named = new Map(commands.map((command) => [command.name(), command]))
      const start = words.findIndex((word) => named.has(word))
      const command = named.get(words[start] ?? '')
      return command !== undefined && ofOneDesign.has(command) ? operandFirst(words, start) : words
    },
  }
}

/** The value of the option as the first operand of a command on one design. One that is there already may stay. */
function operandFirst(words: readonly string[], start: number): readonly string[] {
  const at = words.indexOf(option)
  const name = words[at + 1]
  if (at === -1 || name === undefined) return words
  if (words.includes(option, at + 1)) throw new InvalidArgumentError("error: option '--design <file>' is given twice")
  const others = [...words.slice(0, at), ...words.slice(at + 2)]
  return others[start + 1] === name ? others : [...others.slice(0, start + 1), name, ...others.slice(start + 1)]
}
