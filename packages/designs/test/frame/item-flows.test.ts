import { checking, count, design, entity, FreeholdError, oneOf, text, unique, uuid } from '@freehold/table'
import { expect, test } from 'vitest'
import { operator } from '../../../frame/src/flow/actor.ts'
import type { FlowContext, FlowHost } from '../../../frame/src/flow/flow-host.ts'
import { flowsFor } from '../../../frame/src/flow/flows-for.ts'
import { given } from '../../../frame/src/flow/input/input-attributes.ts'
import { waiting } from '../../../frame/src/flow/items/item-flows.ts'
import { liveItem, stateConflict } from '../../../frame/src/flow/items/live-item.ts'
import { offerFlows } from '../../../frame/src/flow/offered-flows.ts'
import { answering } from '../flow-decider.ts'
import { ownTableOf } from '../own-table.ts'

const Branch = entity('Branch', {
  attributes: { id: uuid().made(), name: text(), state: oneOf('open', 'closed').made('open') },
  key: ['BRANCH#{id}', 'METADATA'],
})
const Book = entity('Book', {
  attributes: { id: uuid().made(), branch_id: uuid(), isbn: text(), title: text(), pages: count().optional() },
  key: ['BRANCH#{branch_id}', 'BOOK#{id}'],
  refers: { branch_id: { to: Branch, onRemove: 'refuse' } },
})
const BookIsbn = unique('BookIsbn', Book, ['ISBN#{isbn}', 'ISBN#{isbn}'], [], { why: 'a book is entered once' })
const library = design({
  name: 'library',
  table: 'library',
  entities: { Branch, Book, BookIsbn },
  patterns: {},
  features: { books: [Book, BookIsbn] },
})

interface BranchScope {
  readonly branch_id: string
}
interface LibraryContext extends FlowContext<FlowContext['table'], { readonly id: string }, BranchScope> {}
// Nothing else of a host is asked for here. It records nothing, and its design has no tenants.
const host = {
  design: library,
  actingUser: async (_: unknown, id: string) => ({ id }),
  questionOf: (_user: unknown, _needs: unknown, question: unknown) => ({ question, level: 'branch' }),
  decide: () => answering(() => ({ allowed: true })).decider,
} as unknown as FlowHost<LibraryContext['table'], { readonly id: string }, BranchScope>
const { itemFlows } = flowsFor<LibraryContext>(host)

const needs = { module: 'library', action: 'keep', resource: 'book', at: 'branch' }
/** The titles of books whose numbers have begun to change. */
const begun: string[] = []
const scope = async (_: LibraryContext, { branch_id }: BranchScope) => ({ branch_id })
const branch = itemFlows(Branch, { scope: async (_, { id }) => ({ branch_id: id }) })
const book = itemFlows(Book, { scope })
const spread = itemFlows(Book, { scope: async (_, named) => ({ ...named }) })
/** Names a book by its id alone: its branch is the scope's. */
const lone = itemFlows(Book, { named: ['id'], scope: async () => ({ branch_id: branches.open }) })

const flows = {
  addBranch: branch.create({
    name: 'addBranch',
    summary: 'Adds a branch.',
    given: ['name'],
    needs: 'operator',
    scope: async () => 'system',
  }),
  closeBranch: branch.update({ name: 'closeBranch', summary: 'Closes a branch.', needs: 'operator', change: () => ({ state: 'closed' }) }),
  removeBranch: branch.remove({
    name: 'removeBranch',
    summary: 'Removes a branch.',
    input: waiting,
    needs: 'operator',
    refusal: (error) => (error.code === 'InUse' ? new FreeholdError('InUse', 'This branch has books.') : error),
  }),
  addBook: book.create({
    name: 'addBook',
    summary: 'Adds a book.',
    given: ['branch_id', 'isbn', 'title', 'pages'],
    needs,
    scope,
    errors: ['CheckFailed'],
    check: ({ input }) => {
      if (input.title === 'Forbidden') throw stateConflict(Book, 'Forbidden', 'This book is forbidden.')
    },
    alongside: async ({ context, input: { branch_id: id } }) => {
      const { state } = await liveItem(context, Branch, { id })
      if (state === 'closed') throw stateConflict(Branch, 'Closed', 'This branch is closed.')
      return { steps: { branch: checking(Branch, { id }, { where: { state } }) } }
    },
  }),
  changeBook: book.update({
    name: 'changeBook',
    summary: 'Changes a book.',
    input: { shorter: count().optional() },
    may: ['title', 'pages', 'isbn'],
    needs,
    change: ({ input }, { pages = 0 }) => (typeof input.shorter === 'number' ? { pages: pages - input.shorter } : {}),
  }),
  renameBook: lone.update({ name: 'renameBook', summary: 'Renames a book.', may: ['title'], needs }),
  recodeBook: book.update({
    name: 'recodeBook',
    summary: 'Gives a book another number.',
    input: given(Book, 'isbn'),
    needs,
    change: ({ input: { isbn } }) => ({ isbn: isbn.replace('draft ', '') }),
    around: async (_call, { title }, write) => {
      begun.push(title)
      return write()
    },
  }),
  removeBook: spread.remove({ name: 'removeBook', summary: 'Removes a book.', needs }),
} as const
const offered = offerFlows<LibraryContext, typeof flows>(host, flows, { actorNamed: async () => operator })

const branches = { open: '', closed: '' }
const table = await ownTableOf(library)
const run = offered.of(table, { actor: operator })
branches.open = (await run.addBranch({ name: 'Harbour' })).id
branches.closed = (await run.addBranch({ name: 'Hill' })).id
await run.closeBranch({ id: branches.closed })

let last = 0
const newBook = async (branch_id = branches.open) => run.addBook({ branch_id, isbn: `isbn ${++last}`, title: 'Pier' })

test('an item is created, changed and removed; what is not in the input stays', async () => {
  const { id, branch_id, isbn } = await newBook()
  expect(await run.changeBook({ branch_id, id, pages: 80 })).toMatchObject({ isbn, title: 'Pier', pages: 80, version: 2 })
  expect(await run.changeBook({ branch_id, id, title: 'Quay', version: 2 })).toMatchObject({ title: 'Quay', pages: 80, version: 3 })
  expect(await run.changeBook({ branch_id, id, shorter: 30 })).toMatchObject({ pages: 50 })
  expect(await run.changeBook({ branch_id, id, pages: null })).not.toHaveProperty('pages')
  expect(await run.removeBook({ branch_id, id })).toBeUndefined()
  expect(await table.Book.get({ branch_id, id })).toBeUndefined()
})

test('a change that alters nothing writes nothing', async () => {
  const { id, branch_id, version } = await newBook()
  expect(await run.changeBook({ branch_id, id, title: 'Pier' })).toMatchObject({ version })
})

test('another version than the named one is refused', async () => {
  const { id, branch_id } = await newBook()
  await expect(run.changeBook({ branch_id, id, title: 'Quay', version: 7 })).rejects.toMatchObject({ code: 'VersionConflict' })
  await expect(run.removeBook({ branch_id, id, version: 7 })).rejects.toMatchObject({ code: 'VersionConflict' })
})

test('the scope gives the part of the key that the input does not name', async () => {
  const { id } = await newBook()
  expect(await run.renameBook({ id, title: 'Dock' })).toMatchObject({ branch_id: branches.open, title: 'Dock' })
})

test('of an input in part a scope tells what it lacks, if it looks at that, also where it spreads its input', async () => {
  const [branch_id, id] = [branches.open, branches.closed]
  const asked = [
    ['changeBook', { branch_id }, { allowed: true }],
    ['changeBook', { id, version: 1 }, { allowed: false, lacks: 'branch_id' }],
    ['removeBook', { branch_id, id, version: 1 }, { allowed: true }],
    ['removeBook', { branch_id }, { allowed: false, lacks: 'id' }],
    ['addBook', { branch_id }, { allowed: true }],
  ] as const
  const calls = asked.map(([flow, input]) => ({ flow, input }))
  const told = await offered.permitted(table, calls, { actor: { kind: 'user', user_id: 'ada' } })
  expect(told).toEqual(asked.map(([, , answer]) => answer))
})

test('a flow checks its item, writes steps with it and says a refusal in its own words', async () => {
  await expect(run.addBook({ branch_id: branches.open, isbn: '1', title: 'Forbidden' })).rejects.toMatchObject({ code: 'CheckFailed' })
  await expect(newBook(branches.closed)).rejects.toMatchObject({ details: { reason: 'Closed' } })
  await newBook()
  await expect(run.removeBranch({ id: branches.open })).rejects.toMatchObject({ code: 'InUse', message: 'This branch has books.' })
})

test('a unique value that another item has is refused before the work around the write begins, if the input names it', async () => {
  const [taken, { id, branch_id }] = [await newBook(), await newBook()]
  const refused = {
    code: 'AlreadyExists',
    message: expect.stringMatching(/^The Book .* exists already/),
    details: { entity: 'BookIsbn', guard: 'BookIsbn' },
  }
  await expect(run.recodeBook({ branch_id, id, isbn: taken.isbn })).rejects.toMatchObject(refused)
  await expect(run.recodeBook({ branch_id, id, isbn: taken.isbn, version: 7 })).rejects.toMatchObject({ code: 'VersionConflict' })
  expect(begun).toEqual([])
  await expect(run.recodeBook({ branch_id, id, isbn: `draft ${taken.isbn}` })).rejects.toMatchObject(refused)
  expect(begun).toEqual(['Pier'])
  // What the input names is another's, and what the change makes of it is free.
  await run.changeBook({ branch_id, id: taken.id, isbn: 'draft 1' })
  expect(await run.recodeBook({ branch_id, id, isbn: 'draft 1' })).toMatchObject({ isbn: '1' })
  expect(await run.recodeBook({ branch_id, id, isbn: '1' })).toMatchObject({ isbn: '1' })
})

test('errors and the feature follow from the design', () => {
  const errors = (name: keyof typeof flows) => flows[name].errors
  expect(errors('addBranch')).toEqual(['AlreadyExists', 'BeingDeleted'])
  expect(errors('addBook')).toEqual(['AlreadyExists', 'BeingDeleted', 'NotFound', 'MissingEnd', 'CheckFailed'])
  expect(errors('renameBook')).toEqual(['NotFound', 'BeingDeleted', 'VersionConflict'])
  expect(errors('changeBook')).toEqual(['NotFound', 'BeingDeleted', 'VersionConflict', 'AlreadyExists'])
  expect(errors('removeBook')).toEqual(['NotFound', 'BeingDeleted', 'VersionConflict'])
  expect(errors('removeBranch')).toEqual(['NotFound', 'BeingDeleted', 'VersionConflict', 'InUse'])
  expect(flows.addBook.feature).toBe('books')
  expect(flows.addBranch.feature).toBeUndefined()
})

test('input is described in the order of key, version, attributes and more', () => {
  expect(Object.keys(flows.addBook.input)).toEqual(['branch_id', 'isbn', 'title', 'pages'])
  expect(Object.keys(flows.changeBook.input)).toEqual(['branch_id', 'id', 'version', 'title', 'pages', 'isbn', 'shorter'])
  expect(Object.keys(flows.removeBranch.input)).toEqual(['id', 'version', 'wait'])
  expect(flows.changeBook.input.id.presence).toBe('given')
})
