import {
  atLeast,
  atMost,
  beginsWith,
  beginsWithPart,
  between,
  day,
  design,
  entity,
  equals,
  instant,
  number,
  oneOf,
  opaqueId,
  query,
  queryOn,
  text,
} from '../../src/language.ts'

// A design of lists: one partition for each way in which a range of sort keys can be asked for.

export const Book = entity('Book', {
  attributes: {
    shelf: text(),
    genre: text(),
    id: opaqueId(),
    state: oneOf('in', 'out').optional(),
    owner: text().optional(),
    pages: number().optional(),
    note: text().optional().secret(),
  },
  key: ['SHELF#{shelf}', 'BOOK#{genre}#{id}'],
  indexes: { GSI1: ['STATE#{state}', 'BOOK#{genre}#{id}'] },
})

/** Nothing stands before its value. */
export const Word = entity('Word', { attributes: { list: text(), word: text() }, key: ['WORDS#{list}', '{word}'] })

/** The value ends the key. */
export const Name = entity('Name', { attributes: { list: text(), name: text() }, key: ['NAMES#{list}', 'NAME#{name}'] })

/** Days with something behind them. */
export const Loan = entity('Loan', { attributes: { desk: text(), due: day(), id: opaqueId() }, key: ['LOANS#{desk}', '{due}#{id}'] })

/** Instants, and a life that ends. */
export const Visit = entity('Visit', {
  attributes: { desk: text(), at: instant(), id: opaqueId(), until: instant().optional() },
  key: ['VISITS#{desk}', 'VISIT#{at}#{id}'],
  expires: 'until',
})

export const catalogue = design({
  name: 'catalogue',
  table: 'catalogue',
  entities: { Book, Word, Name, Loan, Visit },
  patterns: {
    shelf: query('SHELF#{shelf}').returns(Book),
    genre: query('SHELF#{shelf}', beginsWith('BOOK#{genre}')).returns(Book),
    genrePart: query('SHELF#{shelf}', beginsWithPart('BOOK#{start}')).returns(Book),
    book: query('SHELF#{shelf}', equals('BOOK#{genre}#{id}')).returns(Book),
    genresTo: query('SHELF#{shelf}', atMost('BOOK#{last}')).returns(Book),
    genresFrom: query('SHELF#{shelf}', atLeast('BOOK#{first}')).returns(Book),
    genresBetween: query('SHELF#{shelf}', between('BOOK#{first}', 'BOOK#{last}')).returns(Book),
    ofState: query('SHELF#{shelf}').where('state').returns(Book),
    perhapsOf: query('SHELF#{shelf}').optionally('state', 'owner').returns(Book),
    newestFirst: query('SHELF#{shelf}').descending().returns(Book),
    stateOf: queryOn('GSI1', 'STATE#{state}', beginsWith('BOOK#{genre}')).returns(Book),
    wordsTo: query('WORDS#{list}', atMost('{last}')).returns(Word),
    wordsFrom: query('WORDS#{list}', atLeast('{first}')).returns(Word),
    wordsBetween: query('WORDS#{list}', between('{first}', '{last}')).returns(Word),
    wordsPart: query('WORDS#{list}', beginsWithPart('{start}')).returns(Word),
    word: query('WORDS#{list}', equals('{word}')).returns(Word),
    namesTo: query('NAMES#{list}', atMost('NAME#{last}')).returns(Name),
    namesFrom: query('NAMES#{list}', atLeast('NAME#{first}')).returns(Name),
    namesBetween: query('NAMES#{list}', between('NAME#{first}', 'NAME#{last}')).returns(Name),
    dueBy: query('LOANS#{desk}', atMost('{last}')).returns(Loan),
    dueFrom: query('LOANS#{desk}', atLeast('{first}')).returns(Loan),
    dueBetween: query('LOANS#{desk}', between('{first}', '{last}')).returns(Loan),
    visitsTo: query('VISITS#{desk}', atMost('VISIT#{last}')).returns(Visit),
    visitsFrom: query('VISITS#{desk}', atLeast('VISIT#{first}')).returns(Visit),
    visitsBetween: query('VISITS#{desk}', between('VISIT#{first}', 'VISIT#{last}')).returns(Visit),
  },
})
