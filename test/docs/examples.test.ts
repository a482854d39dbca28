import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { rebac } from '@freehold/designs/rebac'
import { prove } from '@freehold/table/prove'
import { describe, expect, test } from 'vitest'
import { readers } from '../../docs/concepts/example.ts'
import { readersModule } from '../../docs/concepts/example-command.ts'
import { counting, shop } from '../../docs/concepts/example-counting.ts'
import { deciding } from '../../docs/concepts/example-deciding.ts'
import { embedded } from '../../docs/concepts/example-engine.ts'
import { placeOf, startProgram } from '../../docs/concepts/example-one-process.ts'
import { opening } from '../../docs/concepts/example-opening.ts'
import { reading } from '../../docs/concepts/example-reading.ts'
import { writing } from '../../docs/concepts/example-writing.ts'
import { freehold } from '../../packages/cli/test/recorded-shell.ts'
import { endpoint } from '../engine/endpoint.ts'
import { ownTableOf } from '../engine/own-table.ts'
import { temporaryFolder } from '../folders/temporary-folder.ts'
import { blocksOf, pages, readmes, root } from './pages.ts'

// The code that the pages show stands in files, which are type-checked with everything else and run here.

const folder = join(root, 'docs/concepts')
const files = readdirSync(folder)
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(join(folder, name), 'utf8'))
  // Designs of a program's own, which other tests run.
  .concat(readFileSync(join(root, 'test/library/access.ts'), 'utf8'))
  .concat(readFileSync(join(root, 'test/work/access.ts'), 'utf8'))
  .concat(readFileSync(join(root, 'test/shops/access.ts'), 'utf8'))
  .concat(readFileSync(join(root, 'test/library/host.ts'), 'utf8'))
  .concat(readFileSync(join(root, 'packages/designs/src/rebac/access.ts'), 'utf8'))
  .concat(readFileSync(join(root, 'packages/designs/src/platform/access.ts'), 'utf8'))
  .concat(readFileSync(join(root, 'packages/designs/src/authorization/authzen.ts'), 'utf8'))
  // A design over a table of another program, which the bench runs beside that program.
  .concat(readFileSync(join(root, 'bench/src/foreign/designs.ts'), 'utf8'))
  // The README shows a finished design.
  .concat(readFileSync(join(root, 'packages/designs/src/rebac/design.ts'), 'utf8'))

/** The lines without the spaces that all of them begin with. */
function flush(text: string): string {
  const lines = text.split('\n')
  const indents = lines.filter((line) => line.trim() !== '').map((line) => /^ */.exec(line)?.[0].length ?? 0)
  const least = Math.min(...indents)
  return lines.map((line) => line.slice(least)).join('\n')
}

function standsIn(code: string, file: string): boolean {
  const lines = file.split('\n')
  const length = code.split('\n').length
  return lines.some((_, index) => flush(lines.slice(index, index + length).join('\n')) === flush(code))
}

describe('TypeScript in docs', () => {
  // Guides that make or change a design have tests which follow them.
  const guides = ['docs/guides/changing.md', 'docs/guides/own-design.md', 'docs/guides/protected-route.md']
  const followed = pages().filter((page) => !guides.includes(page.path) && !readmes.includes(page))
  const shown = followed.flatMap((page) =>
    blocksOf(page)
      .filter(({ language }) => language === 'ts')
      .map(({ text, line }) => ({ where: `${page.path}:${line}`, text })),
  )

  test.each(shown)('at $where stands word for word in a file of docs/concepts, or of the library', ({ text }) => {
    expect(files.some((file) => standsIn(text.trimEnd(), file))).toBe(true)
  })

  test('is compared by its lines, wherever they are indented', () => {
    expect(standsIn('a\n  b', 'x\n  a\n    b\ny')).toBe(true)
    expect(standsIn('a\n  b', 'a\nb')).toBe(false)
  })
})

test('a module of the reading clubs gives them to the command', async () => {
  const designs = new Map([[readers.name, readersModule]])
  expect(await freehold(['prove', 'readers'], { designs })).toMatchObject({ exit: 0 })
  expect(await freehold(['create', 'readers', 'Club', '{"name":"Tuesday Readers","city":"Leeds"}'], { designs })).toMatchObject({ exit: 0 })
})

test('the code of the README runs', async () => {
  const table = await ownTableOf(rebac)
  expect(await opening(endpoint, table.runtime.table)).toMatchObject({ ada: { Type: 'User', displayName: 'Ada', version: 1 }, items: [] })
})

test('the code of engine.md makes a table and keeps an item', async () => {
  const { ada, found } = await embedded(temporaryFolder())
  expect(found).toMatchObject({ name: 'Ada', memberId: ada.memberId })
})

test('the program of one-process.md keeps its data in a folder, where another connection finds it', async () => {
  const folder = temporaryFolder()
  const first = await startProgram(folder)
  const { memberId } = await first.Member.create({ name: 'Ada', email: 'ada@example.org' })
  const second = await startProgram(folder)
  expect(await second.member({ memberId })).toMatchObject({ name: 'Ada' })
  expect(await placeOf(undefined)).toEqual({ dynamo: { region: 'eu-central-1' } })
})

test('the design of designs.md is proven', () => {
  const { isProven, findings } = prove(readers)
  expect({ isProven, findings }).toEqual({ isProven: true, findings: [] })
})

test('the code of writing.md does what the page says', async () => {
  const { ada, again, joined, meeting, codes, recorded, done, held, failed } = await writing(endpoint, `docs-${randomUUID()}`)
  expect(ada).toMatchObject({ Type: 'Member', version: 1, name: 'Ada', email: 'ada@example.org' })
  expect(again).toMatchObject({ version: 3, name: 'Tuesday Club', city: 'York' })
  expect(joined).toMatchObject({ isNew: true, item: { Type: 'ClubOfMember', clubName: 'Tuesday Club' } })
  expect(meeting).toMatchObject({ book: 'Middlemarch', version: 1 })
  expect(codes).toEqual(['created', 'AlreadyExists'])
  expect(recorded).toMatchObject([{ kind: 'remove', entity: 'Club' }])
  expect({ done, held, failed }).toEqual({ done: 1, held: [], failed: [] })
})

test('the code of counting.md does what the page says', async () => {
  expect(prove(shop).isProven).toBe(true)
  const { sold, exact, items, first, results } = await counting(endpoint, `docs-${randomUUID()}`)
  expect(sold).toMatchObject({ stock: 8, version: 2, tags: ['new', 'sold'], log: ['one to Ada'], firstBuyer: 'Ada' })
  expect(exact).toMatchObject({ stock: 7, ordered: 2, version: 4 })
  expect(items.map(({ Type }) => Type)).toEqual(['Ware'])
  expect({ first, results }).toMatchObject({ first: 1, results: { invoice: { number: '1', buyer: 'Cyd' } } })
})

test('the code of reading.md does what the page says', async () => {
  const { member, address, first, second, books, result, cost } = await reading(endpoint, `docs-${randomUUID()}`)
  expect(member).toMatchObject({ name: 'Ada' })
  expect(address).toMatchObject({ Type: 'MemberEmail', memberId: member?.memberId })
  expect(first.items.map(({ book }) => book)).toEqual(['Emma', 'Middlemarch'])
  expect(second.items.map(({ book }) => book)).toEqual(['Villette'])
  expect([typeof first.cursor, second.cursor]).toEqual(['string', undefined])
  expect(books).toEqual(['Villette', 'Middlemarch', 'Emma'])
  expect(result).toMatchObject([{ name: 'Tuesday Readers' }, { items: [] }])
  expect(cost).toEqual({ roundTrips: 1, requests: 2, readUnits: 2, writeUnits: 0 })
})

test('the code of decisions.md and rebac.md does what the pages say', async () => {
  const table = await ownTableOf(rebac)
  const { report, allowed, chains, open, outcome, joined, left } = await deciding(table)
  expect(report).toMatchObject({ rows: 2, written: 2, failed: 0 })
  expect({ allowed, steps: chains[0]?.length }).toEqual({ allowed: true, steps: 9 })
  expect(open.items).toMatchObject([{ page: 'dashboard' }])
  expect(outcome).toBe('claimed')
  expect(joined).toEqual({ allowed: true })
  expect(left).toMatchObject({ allowed: false, reason: { code: 'NoMembership' } })
})
