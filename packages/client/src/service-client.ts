import { doneOf, isListOfObjects, listIn, malformed, objectOf, writtenOf } from './answers.ts'
import { callerOf, type ServiceOptions, type Values } from './caller.ts'
import type { CallOptions } from './client.ts'
import { type SavedQuestion, savedQuestionsOf } from './saved-question.ts'

/** A design in the catalogue of a service, with those of its parts that programs ask for by name. */
export interface ListedDesign {
  readonly name: string
  readonly summary: string
  /** The fields of each question. */
  readonly questions: Readonly<Record<string, readonly string[]>>
  readonly optionalFields?: readonly string[]
  readonly entities: readonly { readonly name: string; readonly [member: string]: unknown }[]
  readonly patterns: readonly { readonly name: string; readonly [member: string]: unknown }[]
  readonly flows: readonly { readonly name: string; readonly [member: string]: unknown }[]
}

const isListOfNamed = (value: unknown) => isListOfObjects(value) && value.every(({ name }) => typeof name === 'string')

function isListedDesign(value: Values): value is Values & ListedDesign {
  const { name, questions, entities, patterns, flows } = value
  const isNamed = typeof name === 'string' && typeof questions === 'object' && questions !== null
  return isNamed && [entities, patterns, flows].every(isListOfNamed) && Object.values(questions).every(Array.isArray)
}

/** A saved question in the table of a service. */
export interface StoredQuestion extends SavedQuestion {
  readonly questionId: string
  readonly version: number
  /** The key that saved it last, and when that was. */
  readonly savedBy: string
  readonly savedAt: string
}

type Stored = Pick<StoredQuestion, 'questionId' | 'version'>

function areStored(design: string, list: readonly Values[]): list is readonly (Values & StoredQuestion)[] {
  const isStored = ({ questionId, version, savedBy, savedAt }: Values) =>
    typeof version === 'number' && [questionId, savedBy, savedAt].every((each) => typeof each === 'string')
  return list.every(isStored) && !('problem' in savedQuestionsOf({ design, cases: list }))
}

/** What a service has beside its designs. Everything but the catalogue is for operators. */
export interface ServiceClient {
  /** The designs that the caller may use. */
  catalogue(how?: CallOptions): Promise<readonly ListedDesign[]>
  /** The API keys, the oldest first. */
  apiKeys(how?: CallOptions): Promise<readonly Values[]>
  /** Makes an API key. Its `text` is told once. A lost answer leaves a key that nobody has: it is not asked for again. */
  newApiKey(key: Values, how?: CallOptions): Promise<Values>
  rotateApiKey(keyId: string, overlap_s: number, how?: CallOptions): Promise<Values>
  revokeApiKey(keyId: string, how?: CallOptions): Promise<void>
  /** The sessions of the console by a key, the oldest first. */
  sessions(keyId: string, how?: CallOptions): Promise<readonly Values[]>
  endSession(keyId: string, sessionId: string, how?: CallOptions): Promise<void>
  /** Makes a link whose `text`, behind `#open=`, opens the console once as this key. */
  newConsoleLink(how?: CallOptions): Promise<Values>
  /** The saved questions of a design, the oldest first. Keys for decisions read them, too. */
  savedQuestions(design: string, how?: CallOptions): Promise<readonly StoredQuestion[]>
  saveQuestion(design: string, saved: SavedQuestion, how?: CallOptions): Promise<Values>
  /** Puts one in the place of another, which must have this version. */
  replaceSavedQuestion(design: string, former: Stored, saved: SavedQuestion, how?: CallOptions): Promise<Values>
  removeSavedQuestion(design: string, former: Stored, how?: CallOptions): Promise<void>
  /** A design in canonical form, with the fields of its questions and its declared access; and with its `proof`, if that is asked for. */
  design(name: string, how?: CallOptions & { readonly proofs?: boolean }): Promise<Values>
  /** The version of the service, its tables, and the durable jobs that are not finished. */
  operation(how?: CallOptions): Promise<Values>
  /** Whether all tables can be read and written. Throws `ProblemError` with status 503, `reading` and `writing` if not. It needs no key. */
  health(how?: CallOptions): Promise<Values>
  /** The mails of a trial, the newest first: up to 100, 20 unless given. */
  outbox(how?: CallOptions & { readonly limit?: number }): Promise<readonly Values[]>
}

/** A client of what a service has beside its designs. Each function throws `ProblemError`. */
export function serviceOf(options: ServiceOptions): ServiceClient {
  const { call } = callerOf(options)
  const listed = async (name: string, path: string, { signal }: CallOptions = {}): Promise<readonly Values[]> =>
    listIn(await call({ method: 'GET', path, isRepeatable: true, isWrite: false, signal }), name)
  /** The path of saved questions of a design, or of one of them as it was seen. */
  const savedPath = (design: string, former?: Stored) => {
    const one = former && { questionId: former.questionId, version: String(former.version) }
    return `/saved-questions?${new URLSearchParams({ design, ...one })}`
  }
  const write = (method: string, path: string, body: Values | undefined, { signal }: CallOptions = {}) =>
    call({ method, path, body, isRepeatable: false, isWrite: true, signal })
  return {
    catalogue: async (how) => {
      const designs = await listed('designs', '', how)
      if (!designs.every(isListedDesign)) throw malformed(200)
      return designs
    },
    apiKeys: (how) => listed('keys', '/api-keys', how),
    newApiKey: async (key, how) => writtenOf(await write('POST', '/api-keys', key, how)),
    rotateApiKey: async (keyId, overlap_s, how) => writtenOf(await write('POST', '/api-keys/rotate', { keyId, overlap_s }, how)),
    revokeApiKey: async (keyId, how) => {
      doneOf(await write('DELETE', `/api-keys?${new URLSearchParams({ keyId })}`, undefined, how))
    },
    sessions: (keyId, how) => listed('sessions', `/api-keys/sessions?${new URLSearchParams({ keyId })}`, how),
    endSession: async (keyId, sessionId, how) => {
      doneOf(await write('DELETE', `/api-keys/sessions?${new URLSearchParams({ keyId, sessionId })}`, undefined, how))
    },
    newConsoleLink: async (how) => writtenOf(await write('POST', '/api-keys/links', undefined, how)),
    savedQuestions: async (design, how) => {
      const list = await listed('questions', savedPath(design), how)
      if (!areStored(design, list)) throw malformed(200)
      return list
    },
    saveQuestion: async (design, { name, ask, question, expect }, how) =>
      writtenOf(await write('POST', savedPath(design), { name, ask, question, expect }, how)),
    replaceSavedQuestion: async (design, former, { name, ask, question, expect }, how) =>
      writtenOf(await write('PATCH', savedPath(design, former), { name, ask, question, expect }, how)),
    removeSavedQuestion: async (design, former, how) => {
      doneOf(await write('DELETE', savedPath(design, former), undefined, how))
    },
    design: async (name, { signal, proofs = false } = {}) =>
      objectOf(
        await call({
          method: 'GET',
          path: `/${encodeURIComponent(name)}/design${proofs ? '?proofs=true' : ''}`,
          isRepeatable: true,
          isWrite: false,
          signal,
        }),
      ),
    operation: async ({ signal } = {}) =>
      objectOf(await call({ method: 'GET', path: '/operation', isRepeatable: true, isWrite: false, signal })),
    // The answer of one moment: a check that fails is told at once.
    health: async ({ signal } = {}) =>
      objectOf(await call({ method: 'GET', path: '/health', isBeside: true, isRepeatable: false, isWrite: false, signal })),
    outbox: ({ limit, ...how } = {}) => listed('items', `/outbox${limit === undefined ? '' : `?limit=${limit}`}`, how),
  }
}
