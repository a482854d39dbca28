import {
  beginsWith,
  count,
  design,
  entity,
  get,
  instant,
  list,
  map,
  mirror,
  oneOf,
  query,
  record,
  stamp,
  text,
  ulid,
  verbatim,
} from '@freehold/table'
import { purposes } from './purpose.ts'

/** An API key. Only its holder knows its text; the item has a hash that recognises it. */
export const ApiKey = entity('ApiKey', {
  attributes: {
    /** The public half of the key, which names it in lists and revocations. */
    keyId: ulid().made(),
    name: text({ max: 200 }),
    secretHash: verbatim().secret(),
    createdAt: stamp.onCreate(),
    /** Who made it: an operator by the id of its key, or the command. */
    createdBy: text({ max: 200 }).optional(),
    /** Absent for a key of an operator that was made without limits. */
    purpose: oneOf(...purposes).optional(),
    designs: list(text({ max: 100 })).optional(),
    tenant: verbatim({ max: 1024 }).optional(),
    flows: list(text({ max: 100 })).optional(),
    expiresAt: instant().optional(),
    /** The key that replaces it. Both are accepted until this one expires. */
    replacedBy: ulid().optional(),
    /** When it was last used, to the hour. */
    lastUsedAt: instant().optional(),
  },
  key: ['API_KEY#{keyId}', 'META'],
  fixed: ['secretHash', 'createdBy', 'purpose', 'designs', 'tenant', 'flows'],
})

/** Lists the keys. Each key itself has its own partition, so that no partition gets the requests of all keys. */
export const ApiKeyEntry = mirror('ApiKeyEntry', ApiKey, ['DIRECTORY#API_KEY', 'API_KEY#{keyId}'], ['name', 'createdAt'])

/** Records that the first start has created its key, so that no later start does, even after every key was revoked. */
export const FirstKey = entity('FirstKey', {
  attributes: { keyId: ulid(), createdAt: stamp.onCreate() },
  key: ['FIRST_KEY', 'FIRST_KEY'],
  appendOnly: true,
})

/** A browser that was let in by a key. It ends with the key, which it names, and is refused as soon as that is. */
export const ConsoleSession = entity('ConsoleSession', {
  attributes: {
    keyId: ulid(),
    sessionId: ulid().made(),
    secretHash: verbatim().secret(),
    createdAt: stamp.onCreate(),
    /** The browser, as it names itself. */
    agent: text({ max: 200 }).optional(),
    /** To a few minutes: it ends when it is not used. */
    usedAt: instant(),
    expiresAt: instant(),
  },
  key: ['API_KEY#{keyId}', 'SESSION#{sessionId}'],
  refers: { keyId: ApiKey },
  fixed: ['secretHash', 'expiresAt'],
})

/**
 * A browser of a person who signed in. `person` has the design and the user's id. It says by what the person came, which has to hold as long as it does. It has
 * no name: it outlives a user who is erased, until it expires.
 */
export const PersonSession = entity('PersonSession', {
  attributes: {
    person: text({ max: 2000 }),
    sessionId: ulid().made(),
    secretHash: verbatim().secret(),
    createdAt: stamp.onCreate(),
    agent: text({ max: 200 }).optional(),
    usedAt: instant(),
    expiresAt: instant(),
    issuer: verbatim({ max: 1024 }).optional(),
    identity: record({ provider: verbatim({ max: 1024 }), subject: verbatim({ max: 1024 }) }).optional(),
    /** The session of its design, where that has sessions. */
    login: record({ user: verbatim(), tenant: verbatim().optional(), id: verbatim(), start: verbatim() }).optional(),
  },
  key: ['PERSON#{person}', 'SESSION#{sessionId}'],
  fixed: ['secretHash', 'expiresAt', 'issuer', 'identity', 'login'],
  expires: 'expiresAt',
})

/** A link that opens the console once as its key. Its removal is its use, so that nobody uses it twice. */
export const ConsoleLink = entity('ConsoleLink', {
  attributes: {
    keyId: ulid(),
    linkId: ulid().made(),
    secretHash: verbatim().secret(),
    createdAt: stamp.onCreate(),
    expiresAt: instant(),
  },
  key: ['API_KEY#{keyId}', 'LINK#{linkId}'],
  refers: { keyId: ApiKey },
  fixed: ['secretHash', 'expiresAt'],
})

/** Guesses of passwords and codes: about an account, from a source, or by a known device, of which it has hashes. */
export const GuessCount = entity('GuessCount', {
  attributes: { of: text({ max: 200 }), guesses: count(), nextAt: instant(), expiresAt: instant() },
  key: ['GUESSES#{of}', 'META'],
  expires: 'expiresAt',
})

/** A sign-in at an issuer that came back. It is good once. */
export const UsedSignIn = entity('UsedSignIn', {
  attributes: { stateHash: text({ max: 64 }), expiresAt: instant() },
  key: ['SIGN_IN#{stateHash}', 'META'],
  expires: 'expiresAt',
  appendOnly: true,
})

/** A question of a design with its expected answer. */
export const SavedQuestion = entity('SavedQuestion', {
  attributes: {
    design: text({ max: 100 }),
    questionId: ulid().made(),
    name: text({ max: 200 }),
    ask: oneOf('can', 'what', 'who', 'where'),
    question: map(),
    /** The expected `answer`: yes, no, the code of a reason, or rows. */
    expected: map(),
    /** Who saved it last, by the id of a key. */
    savedBy: text({ max: 200 }),
    savedAt: stamp.onWrite(),
  },
  key: ['SAVED#{design}', 'QUESTION#{questionId}'],
})

/** The service's own small table. */
export const serviceDesign = design({
  name: 'service',
  table: 'freehold_service',
  noIndexes: true,
  entities: { ApiKey, ApiKeyEntry, FirstKey, ConsoleSession, ConsoleLink, PersonSession, GuessCount, UsedSignIn, SavedQuestion },
  patterns: {
    apiKey: get(ApiKey),
    firstKey: get(FirstKey),
    apiKeys: query('DIRECTORY#API_KEY').returns(ApiKeyEntry),
    sessionsOfKey: query('API_KEY#{keyId}', beginsWith('SESSION#')).returns(ConsoleSession),
    sessionsOfPerson: query('PERSON#{person}', beginsWith('SESSION#')).returns(PersonSession),
    guessCount: get(GuessCount),
    usedSignIn: get(UsedSignIn),
    savedQuestions: query('SAVED#{design}', beginsWith('QUESTION#')).returns(SavedQuestion),
    linksOfKey: query('API_KEY#{keyId}', beginsWith('LINK#')).returns(ConsoleLink),
  },
})
