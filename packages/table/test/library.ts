import { design, entity, instant, text } from '../src/language.ts'

const Loan = entity('Loan', {
  attributes: { book: text(), reader: text(), due: instant() },
  key: ['BOOK#{book}', 'LOAN'],
  indexes: { 'by.reader': ['READER#{reader}', 'DUE#{due}'] },
  expires: 'due',
})

/** A design whose table has one of everything that a table can have: an index, TTL, a description, tags. */
export const library = design({
  name: 'library',
  table: 'city-library.2',
  description: 'Loans of a library',
  tags: { Environment: 'production', 'cost:center': '0042' },
  entities: { Loan },
  patterns: {},
})
