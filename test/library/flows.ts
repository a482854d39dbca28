import { liveItem, offerFlows, stateConflict } from '@freehold/frame/flow'
import { updating } from '@freehold/table'
import type { Action } from './access.ts'
import { Book, Branch, Loan, Post } from './design.ts'
import { type AtBranch, itemFlows, type LibraryContext, libraryHost } from './host.ts'

/** A permission of the library holds at a branch. */
const at = (action: Action) => ({ module: 'library', action, resource: 'book', at: 'branch' }) as const
const scope = async (context: LibraryContext, { branch_id }: AtBranch): Promise<AtBranch> => {
  await liveItem(context, Branch, { id: branch_id })
  return { branch_id }
}

const books = itemFlows(Book, { scope })
const posts = itemFlows(Post, { scope })
const loans = itemFlows(Loan, { scope })

/** A copy leaves the shelf, or comes back: written with the loan, so that no copy is lent twice. */
async function moveCopy(context: LibraryContext, { branch_id, book_id: id }: AtBranch & { readonly book_id: string }, by: 1 | -1) {
  const { on_shelf, version } = await liveItem(context, Book, { branch_id, id })
  if (on_shelf + by < 0) throw stateConflict(Book, 'NoneOnShelf', 'All copies of this book are lent.')
  return { steps: { book: updating(Book, { branch_id, id }, { on_shelf: on_shelf + by }, { version }) } }
}

export const libraryFlows = {
  addBook: books.create({
    name: 'addBook',
    summary: 'Adds a book to a branch, with the number of its copies.',
    given: ['branch_id', 'id', 'title', 'author', 'on_shelf'],
    needs: at('catalogue'),
    scope,
  }),
  changeBook: books.update({
    name: 'changeBook',
    summary: 'Changes the title or the author of a book.',
    may: ['title', 'author'],
    needs: at('catalogue'),
  }),
  removeBook: books.remove({ name: 'removeBook', summary: 'Removes a book from a branch.', needs: at('catalogue') }),
  givePost: posts.create({
    name: 'givePost',
    summary: 'Gives a member a post at a branch, perhaps until a day.',
    given: ['member_id', 'branch_id', 'role', 'until'],
    needs: at('staff'),
    scope,
  }),
  takePost: posts.remove({ name: 'takePost', summary: 'Takes a post at a branch from a member.', needs: at('staff') }),
  lendBook: loans.create({
    name: 'lendBook',
    summary: 'Lends a copy of a book to a member until a day.',
    given: ['member_id', 'branch_id', 'book_id', 'due'],
    needs: at('lend'),
    errors: ['CheckFailed', 'NotFound'],
    scope,
    alongside: ({ context, input }) => moveCopy(context, input, -1),
  }),
  renewLoan: loans.update({ name: 'renewLoan', summary: 'Lets a loan end on another day.', may: ['due'], needs: at('lend') }),
  returnBook: loans.remove({
    name: 'returnBook',
    summary: 'Takes a lent copy back.',
    needs: at('return'),
    errors: ['CheckFailed'],
    alongside: ({ context, input }) => moveCopy(context, input, 1),
  }),
}

export const offeredLibraryFlows = offerFlows<LibraryContext, typeof libraryFlows>(libraryHost, libraryFlows, {
  actorNamed: async (_table, name) => ({ kind: 'user', user_id: name }),
})
