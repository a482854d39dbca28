import { designModules } from '@freehold/designs'
import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { createProgram } from '../../packages/cli/src/program/program.ts'
import type { Surroundings } from '../../packages/cli/src/shell.ts'
import { pageAt, sectionOf } from './pages.ts'

const page = pageAt('docs/reference/command.md')
const shell: Surroundings = {
  designs: designModules,
  env: {},
  cwd: '/',
  stdin: (async function* () {})(),
  out: async () => {},
  err: () => {},
  isInteractive: false,
  now: () => new Date(0),
}
const { program } = createProgram(shell)
/** Each command with the options that its help shows. docs/reference/configuration.md has the others. */
const commands = program.commands.map((command) => ({
  name: command.name(),
  command,
  options: command.options.filter(({ hidden }) => !hidden),
}))
const headings = page.text.match(/^### `freehold \w+.*`$/gm) ?? []

function usageOf(command: Command): string {
  const operands = command.registeredArguments.map((argument) => (argument.required ? `<${argument.name()}>` : `[${argument.name()}]`))
  return ['freehold', command.name(), ...operands].join(' ')
}

/** The options that a section names: the first cells of its table, and those that it shares with others. */
function optionsIn(section: string): string[] {
  const cells = section.match(/^\| `-.*?` \|/gm) ?? []
  const shared = section.match(/^Also: .*$/gm) ?? []
  return [...cells, ...shared].flatMap((text) => [...text.matchAll(/`([^`]+)`/g)].map(([, flags]) => flags ?? ''))
}

test('the page has every command with its operands, in the order of the help', () => {
  expect(headings).toEqual(commands.map(({ command }) => `### \`${usageOf(command)}\``))
})

test.each(commands)('the options of $name are those that it has', ({ command, options }) => {
  const section = sectionOf(page, `### \`${usageOf(command)}\``)
  expect(optionsIn(section).sort()).toEqual(options.map(({ flags }) => flags).sort())
})

test.each(commands)('the defaults of $name stand beside its own options', ({ command, options }) => {
  const lines = sectionOf(page, `### \`${usageOf(command)}\``).split('\n')
  for (const { flags, defaultValue } of options) {
    const row = lines.find((line) => line.startsWith(`| \`${flags}\` |`))
    if (row !== undefined && defaultValue !== undefined) expect(row).toContain(`\`${defaultValue}\``)
  }
})

test('the options that commands share are explained once, in one place', () => {
  const explained = optionsIn(sectionOf(page, '## Options that commands share'))
  const shared = new Set(commands.flatMap(({ command }) => sectionOf(page, `### \`${usageOf(command)}\``).match(/^Also: .*$/gm) ?? []))
  const used = new Set([...shared].flatMap((line) => [...line.matchAll(/`([^`]+)`/g)].map(([, flags]) => flags)))
  expect(new Set(explained)).toEqual(used)
})
