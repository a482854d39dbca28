import { designModules } from '@freehold/designs'
import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { createProgram } from '../../packages/cli/src/program/program.ts'
import { blocksOf, pages } from './pages.ts'

// Blocks of the language `sh` are for a person's own machine, and are not run. Their commands exist all the same, with the options that they show.

const { program } = createProgram({
  designs: designModules,
  env: {},
  cwd: '/',
  stdin: (async function* () {})(),
  out: async () => {},
  err: () => {},
  isInteractive: false,
  now: () => new Date(0),
})

/** The words of a line, without those in quotes. */
const wordsOf = (line: string) => line.replace(/'[^']*'|"[^"]*"/g, 'QUOTED').split(/\s+/)

interface Named {
  readonly where: string
  readonly line: string
}

const inBlocks = pages().flatMap((page) =>
  blocksOf(page)
    .filter(({ language }) => language === 'sh' || language === '')
    .flatMap(({ text, line }) => text.split('\n').map((each, index): Named => ({ where: `${page.path}:${line + index}`, line: each }))),
)
const inWords = pages().flatMap(({ path, text }) =>
  text
    .replace(/^```[\s\S]*?^```/gm, (block) => block.replace(/[^\n]/g, ''))
    .split('\n')
    .flatMap((line, index) =>
      [...line.matchAll(/`((?:npx )?freehold [^`]+)`/g)].map(
        ([, command = '']): Named => ({ where: `${path}:${index + 1}`, line: command }),
      ),
    ),
)
/** A command that a page shows or names, with `COMMAND` or `…` in place of what a reader fills in. */
const shown = [...inBlocks, ...inWords].flatMap(({ where, line }) => {
  const [, called = ''] = /^(?:[A-Z_]+=\S+ )*(?:npx )?freehold (.*)$/.exec(line.trim()) ?? []
  return called === '' ? [] : [{ where, called }]
})

function optionsOf(command: Command): ReadonlySet<string> {
  return new Set([...command.options, ...program.options].flatMap(({ long, short }) => [long ?? '', short ?? '']).concat('--help', '-h'))
}

test.each(shown)('$where: freehold $called', ({ called }) => {
  const words = wordsOf(called.split(/[>|;#]/)[0] ?? '')
  const at = words.findIndex((word, index) => !word.startsWith('-') && words[index - 1] !== '--url')
  const name = words[at] ?? ''
  if (name === '' || /^(COMMAND|…|help)/.test(name)) return
  const named = program.commands.find((each) => each.name() === name)
  expect(named?.name()).toBe(name)
  if (named === undefined) return
  const command = named.commands.find((each) => each.name() === words[at + 1]) ?? named
  const options = words.filter((word) => /^--?[a-z]/.test(word)).map((word) => word.split('=')[0] ?? '')
  expect(options.filter((option) => !optionsOf(command).has(option))).toEqual([])
})

test('pages show commands in blocks and in words', () => {
  expect(shown.length).toBeGreaterThan(50)
})
