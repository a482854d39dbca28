import { FreeholdError, isFreeholdError, type Runtime } from '@freehold/table'
import { checkAdopted, parallel, parallelMap, readingTogether, withDeadline } from '@freehold/table/runtime'
import type { AnswerPage, Asking, Can, Consistency, Decider, DeciderOptions, Expanding, Taken, Taking, Why } from './decision.ts'
import { definitionMemory } from './definitions.ts'
import { denyingOnFault } from './fault.ts'
import { type Listed, listed } from './list.ts'
import { type Asked, consistencyOf, type HowTaken, listingOf, type Question, type Questions, readQuestion, takingOf } from './question.ts'
import { nameMemory, type Sources } from './sources.ts'

// How a decider is composed. A design declares its questions (question.ts) and answers each by a function of what the question reads from (`Sources`)
// and what was asked, normalised. Those functions are made of parts:
// - lookup.ts turns names into ids, and reads what hangs on them side by side with the look-up.
// - load.ts reads records within the tenant scope; record.ts parses them. A record that is missing, being deleted or malformed grants nothing.
// - definition-reader.ts reads what `bounded` may take from memory: roles, say. Users and grants are always read (spec rule 18).
// - fault.ts gives the reason of a denial: faults before names, names before policy (spec rule 19); evidence.ts tells the items of it.
// - list.ts cuts a list into pages. If its items are found by lookup items, merged-ranges.ts lists candidates, and confirmed-page.ts those of them
//   that the design's own items confirm.
// `deciderOf` does the rest: it reads questions, keeps memory between them, seals cursors, and turns faults into denials.

/** The answers of a design, by the names of its questions. */
export interface Answers<Q extends Questions> {
  can(sources: Sources, asked: Asked<Q['can']>): Promise<Can>
  why(sources: Sources, asked: Asked<Q['why']>): Promise<Why>
  what(sources: Sources, asked: Asked<Q['what']>, list: Listed): Promise<AnswerPage<unknown>>
  who(sources: Sources, asked: Asked<Q['who']>, list: Listed): Promise<AnswerPage<unknown>>
  where(sources: Sources, asked: Asked<Q['where']>, list: Listed): Promise<AnswerPage<unknown>>
  access?(sources: Sources, asked: Asked<NonNullable<Q['access']>>, how: HowTaken): Promise<Taken>
  /** True if `where` lists other scopes because of `expand`, or of what is asked; never unless given, as for scopes that hold no others. */
  isExpanded?(asked: Asked<Q['where']>, expand: boolean): boolean
}

/** A decider as its answers type it. */
export type DeciderOf<A> = Pick<Decider, 'fields' | 'optionalFields' | 'declared' | 'can' | 'canMany' | 'why'> & {
  readonly [N in keyof A & ('what' | 'who' | 'where')]: A[N] extends (...args: never) => infer R
    ? (question: unknown, how?: Expanding) => R
    : never
} & { readonly [N in keyof A & 'access']: A[N] extends (...args: never) => infer R ? (question: unknown, how?: Taking) => R : never }

const maxStalenessDefault_ms = 5_000

/** Reads a batch. If a question is malformed, the error says which. */
function readMany<A>(questions: readonly unknown[], read: (question: unknown) => A): readonly A[] {
  return questions.map((question, index) => {
    try {
      return read(question)
    } catch (error) {
      if (!isFreeholdError(error, 'InvalidInput')) throw error
      const issues = (error.details.issues ?? []).map(({ path, message }) => ({ path: [index, ...path], message }))
      throw new FreeholdError('InvalidInput', `Question ${index + 1}: ${error.message}`, { question: 'can', issues }, { cause: error })
    }
  })
}

/** A cursor is bound to the fields of its question, normalised. A flag that is not set is as good as absent. */
function boundTo(asked: object, isExpanded: boolean): Record<string, string> {
  const given = Object.entries({ ...asked, expand: isExpanded }).filter(([, value]) => value !== undefined && value !== false)
  return Object.fromEntries(given.map(([name, value]) => [name, typeof value === 'object' ? JSON.stringify(value) : String(value)]))
}

function fieldsOf(questions: Questions): Pick<Decider, 'fields' | 'optionalFields' | 'declared'> {
  const all = Object.entries(questions)
  const attributes = all.flatMap(([, { fields }]) => Object.entries(fields))
  const optional = attributes.flatMap(([name, { presence }]) => (presence === 'optional' ? [name] : []))
  return {
    // One entry for each question.
    fields: Object.fromEntries(all.map(([name, { fields }]) => [name, Object.keys(fields)])) as unknown as Decider['fields'],
    ...(optional.length === 0 ? {} : { optionalFields: [...new Set(optional)] }),
    declared: questions,
  }
}

/**
 * Makes the deciders of a design (spec rules 18 to 21). A decider remembers definitions and names between questions, so a program makes one for each
 * connection to a table. Nothing is read before a question is asked.
 * @param answers called for each question, or batch of them, where what a design decides by may be replaced meanwhile: all of one is answered alike
 */
export function deciderOf<Q extends Questions, A extends Answers<Q>>(
  questions: Q,
  answers: A | (() => A),
): (runtime: Runtime, options?: DeciderOptions) => DeciderOf<A> {
  const described = fieldsOf(questions)
  const answersNow = typeof answers === 'function' ? answers : () => answers
  return (runtime, { maxStalenessMs = maxStalenessDefault_ms, definitionBytesMax: bytes_max, onDefinition } = {}) => {
    const memory = definitionMemory({ now: runtime.now, maxStalenessMs, bytes_max, onDefinition })
    const names = nameMemory()
    // All reads of one question have one deadline.
    const sources = (consistency: Consistency): Sources => {
      const bounded = withDeadline(runtime)
      return {
        runtime: bounded,
        readItems: readingTogether(bounded, { consistent: true }),
        definitions: memory.begin(consistency),
        names,
      }
    }
    const readCan = (question: unknown) => readQuestion('can', questions.can, question) as Asked<Q['can']>
    const unchanged = (denied: Can) => denied
    const canOne = (by: A, asked: Asked<Q['can']>, consistency: Consistency) =>
      denyingOnFault(() => by.can(sources(consistency), asked), unchanged)
    const list = (name: 'what' | 'who' | 'where') => async (question: unknown, how?: Expanding) => {
      const asked = readQuestion(name, questions[name], question) as never
      const listing = listingOf(name, how)
      const by = answersNow()
      const isExpanded = name === 'where' && by.isExpanded?.(asked, listing.expand) === true
      const page = listed(runtime, name, boundTo(asked, isExpanded), listing, isExpanded)
      const answer = by[name](sources(listing.consistency), asked, page)
      // Whoever is found from an item that the design adds is found on an adopted table alone.
      return name === 'what'
        ? answer
        : (
            await parallel(
              () => checkAdopted(runtime, `It is not known ${name} may`),
              async () => answer,
            )
          )[1]
    }
    const ask = {
      can: async (question: unknown, how?: Asking) => await canOne(answersNow(), readCan(question), consistencyOf('can', how)),
      canMany: async (all: readonly unknown[], how?: Asking) => {
        const consistency = consistencyOf('can', how)
        const by = answersNow()
        return parallelMap(readMany(all, readCan), (asked) => canOne(by, asked, consistency))
      },
      why: async (question: unknown, how?: Asking) => {
        const asked = readQuestion('why', questions.why, question) as Asked<Q['why']>
        const consistency = consistencyOf('why', how)
        const withoutChains = (denied: Can): Why => ({ ...denied, chains: [], missing: [] })
        return denyingOnFault(() => answersNow().why(sources(consistency), asked), withoutChains)
      },
      what: list('what'),
      who: list('who'),
      where: list('where'),
    }
    const declared: Question | undefined = questions.access
    const take: Answers<Q>['access'] = answersNow().access
    const access =
      take &&
      declared &&
      (async (question: unknown, how?: Taking) => {
        const asked = readQuestion('access', declared, question) as Asked<NonNullable<Q['access']>>
        const taking = takingOf(how, maxStalenessMs)
        return take(sources(taking.consistency), asked, taking)
      })
    // Each answer is of the type that its function gives.
    return Object.assign(ask, described, access && { access }) as unknown as DeciderOf<A>
  }
}
