import { expect, test } from 'vitest'
import { compile } from './compiler.ts'

// A language that is typed by its templates is worth nothing if editors stall on it. What a design costs is counted as the
// compiler's instantiations beyond those of the language alone: exact and the same on every machine. Budgets are about 30 % above what
// was measured when they were set; raise one only with the reason beside it.

const language = 'packages/table/src/language.ts'

const designs = [
  { file: 'packages/designs/src/rebac/design.ts', imports: 'packages/table/src/index.ts', instantiations_max: 37_000 },
  { file: 'packages/table/test/hardest/account-management.ts', imports: language, instantiations_max: 38_000 },
  { file: 'packages/table/test/hardest/platform.ts', imports: language, instantiations_max: 26_000 },
  { file: 'packages/table/test/hardest/authorization.ts', imports: language, instantiations_max: 15_500 },
]

test.each(designs)('the types of $file stay within their budget', async ({ file, imports, instantiations_max }) => {
  const [alone, together] = await Promise.all([compile({ files: [imports] }), compile({ files: [imports, file] })])
  expect(together.diagnostics.filter((diagnostic) => diagnostic.file.endsWith(file))).toEqual([])
  const cost = together.instantiations - alone.instantiations
  expect(cost).toBeGreaterThan(1_000) // less would mean that nothing was compiled
  expect(cost).toBeLessThanOrEqual(instantiations_max)
})
