import { FreeholdError, isFreeholdError, type Runtime } from '@freehold/table'
import { parallelMap, withDeadline } from '@freehold/table/runtime'
import type { AnswerPage, Can, Consistency, Decider, DeciderOptions, QuestionName, Why } from './decision.ts'
import { definitionMemory } from './definitions.ts'
import { denyingOnFault } from './fault.ts'
import { type Listed, listed } from './list.ts'
import { nameMemory } from './name-memory.ts'
import { consistencyOf, listingOf } from './question.ts'
import type { Sources } from './sources.ts'

/** How a design decides about access: `A` is what is asked, validated. */
export interface Decides<A> {
  /** Throws `InvalidInput` for a malformed question. */
  accessAsked(name: 'can' | 'why', question: unknown): A
  can(sources: Sources, asked: A): Promise<Can>
  why(sources: Sources, asked: A): Promise<Why>
}

/** What all deciders do alike, whatever their design asks. */
export interface Answering {
  /** How old definitions may be for `bounded`, in milliseconds. */
  readonly maxStalenessMs: number
  /** What a question that begins now reads from. */
  sources(consistency: Consistency): Sources
  readonly answers: Pick<Decider, 'can' | 'canMany' | 'why'>
  /** @param bound what a cursor is bound to: the question's fields, normalised */
  list<Q, T>(
    name: QuestionName,
    asked: Q,
    how: unknown,
    bound: Readonly<Record<string, string>>,
    answer: (sources: Sources, asked: Q, list: Listed) => Promise<AnswerPage<T>>,
  ): Promise<AnswerPage<T>>
}

const maxStalenessDefault_ms = 5_000

/** Questions of a batch, of which one is malformed: the error says which. */
function askedMany<A>({ accessAsked }: Decides<A>, questions: readonly unknown[]): readonly A[] {
  return questions.map((question, index) => {
    try {
      return accessAsked('can', question)
    } catch (error) {
      if (!isFreeholdError(error, 'InvalidInput')) throw error
      const issues = (error.details.issues ?? []).map(({ path, message }) => ({ path: [index, ...path], message }))
      throw new FreeholdError('InvalidInput', `Question ${index + 1}: ${error.message}`, { question: 'can', issues }, { cause: error })
    }
  })
}

/** Remembers definitions and names between questions: one for each connection to a table. Nothing is read before a question is asked. */
export function answering<A>(runtime: Runtime, options: DeciderOptions, by: Decides<A>): Answering {
  const { maxStalenessMs = maxStalenessDefault_ms, definitionBytesMax: bytes_max } = options
  const memory = definitionMemory({ now: runtime.now, maxStalenessMs, bytes_max })
  const names = nameMemory()
  // All that one question reads ends by one deadline.
  const sources = (consistency: Consistency): Sources => ({
    runtime: withDeadline(runtime),
    definitions: memory.begin(consistency),
    names,
  })
  const canOne = (asked: A, consistency: Consistency) =>
    denyingOnFault(
      () => by.can(sources(consistency), asked),
      (denied) => denied,
    )
  return {
    maxStalenessMs,
    sources,
    answers: {
      can: async (question, how) => canOne(by.accessAsked('can', question), consistencyOf('can', how)),
      canMany: async (questions, how) => {
        const consistency = consistencyOf('can', how)
        return parallelMap(askedMany(by, questions), (asked) => canOne(asked, consistency))
      },
      why: async (question, how) => {
        const asked = by.accessAsked('why', question)
        const consistency = consistencyOf('why', how)
        return denyingOnFault(
          () => by.why(sources(consistency), asked),
          (denied) => ({ ...denied, chains: [], missing: [] }),
        )
      },
    },
    list: async (name, asked, how, bound, answer) => {
      const listing = listingOf(name, how)
      return answer(sources(listing.consistency), asked, listed(runtime, name, bound, listing))
    },
  }
}
