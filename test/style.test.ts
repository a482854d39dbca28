import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { nodes, packages, type Source, sources } from './sources.ts'

// Biome holds what it can see: no `any`, no `!`, no default export, `node:` before built-in modules. See biome.json.

const all = sources()
const paths = (found: readonly Source[]): string[] => found.map(({ path }) => path)

const lines_max = 300

test('a source file has at most 300 lines', () => {
  const isLong = ({ isTest, text }: Source): boolean => !isTest && text.trimEnd().split('\n').length > lines_max
  expect(paths(all.filter(isLong))).toEqual([])
})

test('no file or folder is named after what it is not', () => {
  const vague = /^(utils?|helpers?|common|managers?|misc)$/
  const isVague = ({ path }: Source): boolean => path.split(/[/.-]/).some((word) => vague.test(word))
  expect(paths(all.filter(isVague))).toEqual([])
})

test('file names are kebab-case', () => {
  expect(paths(all.filter(({ path }) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z]+(-d)?)*\.ts$/.test(basename(path))))).toEqual([])
})

test('nothing is left as a TODO', () => {
  expect(paths(all.filter(({ text }) => /\b(TODO|FIXME|XXX)\b/.test(text)))).toEqual([])
})

test.each(packages)('$folder reads the environment in one file, environment.ts', ({ folder }) => {
  const readers = all.filter((source) => source.package === folder && !source.isTest && readsEnvironment(source.text))
  expect(paths(readers.filter(({ path }) => basename(path) !== 'environment.ts'))).toEqual([])
  expect(readers.length).toBeLessThanOrEqual(1)
})

test('the environment is recognised in the ways of reading it', () => {
  expect(readsEnvironment('const a = process.env.A')).toBe(true)
  expect(readsEnvironment("import { env } from 'node:process'")).toBe(true)
  expect(readsEnvironment('const { env } = process')).toBe(true)
  expect(readsEnvironment("// process.env\nconst text = 'process.env'")).toBe(false)
})

function readsEnvironment(text: string): boolean {
  if (!/\benv\b/.test(text)) return false
  return nodes(text).some((node) => {
    const source = text.slice(Number(node.start), Number(node.end))
    if (node.type === 'MemberExpression') return /^process\s*\??\.\s*env$|^process\s*\[\s*['"]env['"]\s*\]$/.test(source)
    if (node.type === 'ImportDeclaration') return /\benv\b[\s\S]*['"](node:)?process['"]/.test(source)
    return node.type === 'VariableDeclarator' && /^\{[^}]*\benv\b[^}]*\}\s*=\s*process$/.test(source)
  })
}
