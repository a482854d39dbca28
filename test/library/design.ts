import { beginsWith, count, day, design, edge, email, entity, get, map, oneOf, query, stamp, text, ulid, uuid } from '@freehold/table'

const stamps = { created_at: stamp.onCreate(), updated_at: stamp.onWrite() }

export const Branch = entity('Branch', { attributes: { id: uuid().made(), name: text(), ...stamps }, key: ['BRANCH#{id}', 'METADATA'] })

/** A member borrows, and works at the branches at which it has a post. */
export const Member = entity('Member', {
  attributes: { id: uuid().made(), email: email(), name: text(), status: oneOf('active', 'blocked').made('active'), ...stamps },
  key: ['MEMBER#{id}', 'METADATA'],
})

/** The role of a member at a branch, perhaps until a day. */
export const { Post, BranchPost } = edge({
  ends: { member_id: Member, branch_id: Branch },
  attributes: { role: oneOf('librarian', 'clerk'), until: day().optional(), ...stamps },
  items: { Post: ['MEMBER#{member_id}', 'POST#{branch_id}'], BranchPost: ['BRANCH#{branch_id}', 'POST#{member_id}'] },
})

/** A title of a branch, with the number of its copies on the shelf. */
export const Book = entity('Book', {
  attributes: { id: uuid().made(), branch_id: uuid(), title: text(), author: text().optional(), on_shelf: count(), ...stamps },
  key: ['BRANCH#{branch_id}', 'BOOK#{id}'],
  refers: { branch_id: Branch },
  fixed: ['branch_id'],
})

export const Loan = entity('Loan', {
  attributes: { id: uuid().made(), member_id: uuid(), branch_id: uuid(), book_id: uuid(), due: day(), ...stamps },
  key: ['MEMBER#{member_id}', 'LOAN#{branch_id}#{book_id}'],
  refers: { member_id: { to: Member, onRemove: 'refuse' } },
})

/** The audit: the act and the actor. */
export const Change = entity('Change', {
  attributes: { id: ulid().made(), item: text(), flow: text(), by: text(), changes: map(), ...stamps },
  key: ['CHANGES#{item}', 'CHANGE#{id}'],
  appendOnly: true,
})

export const library = design({
  name: 'library',
  table: 'library',
  description: 'Branches, their books and members, who borrow until a day and may have posts.',
  noIndexes: true,
  entities: { Branch, Member, Post, BranchPost, Book, Loan, Change },
  patterns: {
    branch: get(Branch),
    member: get(Member),
    booksOfBranch: query('BRANCH#{branch_id}', beginsWith('BOOK#')).returns(Book),
    loansOfMember: query('MEMBER#{member_id}', beginsWith('LOAN#')).returns(Loan),
    changesOf: query('CHANGES#{item}', beginsWith('CHANGE#')).returns(Change),
  },
})
