import { expect, test } from 'vitest'
import { type Compilation, compile } from './compiler.ts'

// A language that is typed by its templates is worth nothing if editors stall on it. What a design costs is counted as the
// compiler's instantiations: exact and the same on every machine; a million of them take about a second. Budgets are about 30 % above
// what was measured when they were set; raise one only with the reason beside it.

const compilations = new Map<string, Promise<Compilation>>()
/** A program that is compared with several others is compiled once. */
function compileFiles(files: readonly string[]): Promise<Compilation> {
  const name = files.join(' ')
  const compilation = compilations.get(name) ?? compile({ files })
  compilations.set(name, compilation)
  return compilation
}

const language = 'packages/table/src/index.ts'
const file = (design: string) => `packages/designs/src/${design}/design.ts`

const designs = [
  { design: 'account-management', instantiations_max: 65_000 },
  // Its attributes may be absent in items of another program.
  { design: 'platform', instantiations_max: 68_000 },
  // It keeps resources since its budget was 24,000.
  { design: 'authorization', instantiations_max: 33_000 },
  { design: 'rebac', instantiations_max: 39_500 },
]

test.each(designs)('the types of $design stay within their budget', async ({ design, instantiations_max }) => {
  const [alone, parallel] = await Promise.all([compileFiles([language]), compileFiles([language, file(design)])])
  expect(parallel.diagnostics).toEqual([])
  const cost = parallel.instantiations - alone.instantiations
  expect(cost).toBeGreaterThan(1_000) // less would mean that nothing was compiled
  expect(cost).toBeLessThanOrEqual(instantiations_max)
})

/** The types that an editor needs before it can complete the line that is being written, beyond the design itself. */
const programs = [
  {
    design: 'account-management',
    name: 'accountManagement',
    lines: ['table.Role.get({ id })', 'table.usersOfClient({ client_id: id })'],
    instantiations_max: 1_600,
  },
  {
    design: 'platform',
    name: 'platform',
    lines: ['table.User.get({ id })', 'table.usersOfAccount({ accountId: id })'],
    instantiations_max: 1_100,
  },
  {
    design: 'authorization',
    name: 'authorization',
    lines: ['table.User.get({ userId: id })', 'table.grantsOfUser({ userId: id })'],
    instantiations_max: 900,
  },
  {
    design: 'rebac',
    name: 'rebac',
    lines: ['table.User.get({ userId: id })', 'table.groupsOfUser({ userId: id })'],
    instantiations_max: 1_150,
  },
]

test.each(programs)('a program on $design is typed within its budget', async ({ design, name, lines, instantiations_max }) => {
  const text = [
    `import { connect } from '#root/${language}'`,
    `import { ${name} } from '#root/${file(design)}'`,
    `const table = connect(${name}, {})`,
    `const id = ''`,
    ...lines.map((line) => `void ${line}.then((found) => found)`),
  ].join('\n')
  const [alone, parallel] = await Promise.all([
    compileFiles([language, file(design)]),
    compile({ files: [language, file(design)], texts: { 'program.ts': text } }),
  ])
  expect(parallel.diagnostics).toEqual([])
  const cost = parallel.instantiations - alone.instantiations
  expect(cost).toBeGreaterThan(100)
  expect(cost).toBeLessThanOrEqual(instantiations_max)
})
