import type { AnswerPage, AskedName, Can, Decider, Taken, Why } from '@freehold/frame/decision'
import { type Cost, isFreeholdError, meter } from '@freehold/table'

/** An answer of any question, as far as operators see it. */
export type ObservedAnswer = Can | Why | AnswerPage<unknown> | Taken

/** How a question ended: a list is `listed`, a snapshot, too. `refused` is a malformed question, `fault` one that could not be answered. */
export type Outcome = 'allowed' | 'denied' | 'listed' | 'refused' | 'fault'

/** A question that was asked, and how it ended. */
export interface ObservedQuestion {
  readonly design: string
  readonly asked: AskedName
  /** As it was asked. Nothing of it may reach a label of a metric. */
  readonly question: unknown
  readonly outcome: Outcome
  /** Absent if the question was refused, or failed. */
  readonly answer?: ObservedAnswer
  readonly ms: number
  /** The cost of the request that asked it, which may have asked several. Absent if nobody wants to know. */
  readonly cost?: Cost | undefined
}

/** What observers want to know of the questions of one design. */
export interface QuestionObserver {
  /** Called once a question has ended. An error that it throws changes nothing. */
  observe(question: ObservedQuestion): void
  /** Asked before each question. True to count its round trips, which takes 100 us of CPU on Node 20. */
  isMetered(): boolean
}

/** The outcome of an answer. */
function outcomeOf(answer: ObservedAnswer): Outcome {
  if (answer.reason?.kind === 'fault') return 'fault'
  if ('allowed' in answer) return answer.allowed ? 'allowed' : 'denied'
  return answer.reason === undefined ? 'listed' : 'denied'
}

/** The same decider, whose questions are observed. Answers and errors are those of the decider, and no observer delays them. */
export function observedDecider(design: string, decider: Decider, { observe, isMetered }: QuestionObserver): Decider {
  const tell = (told: Omit<ObservedQuestion, 'design'>) => {
    try {
      observe({ design, ...told })
    } catch {
      // The question is answered, and an observer is no part of it.
    }
  }
  const watching = async <A>(
    asked: AskedName,
    questions: readonly unknown[],
    run: () => Promise<A>,
    answersOf: (answer: A) => readonly ObservedAnswer[],
  ): Promise<A> => {
    const start_ms = performance.now()
    try {
      const { result, cost } = isMetered() ? await meter(run) : { result: await run(), cost: undefined }
      const ms = performance.now() - start_ms
      for (const [index, answer] of answersOf(result).entries())
        tell({ asked, question: questions[index], outcome: outcomeOf(answer), answer, ms, cost })
      return result
    } catch (error) {
      const outcome = isFreeholdError(error) && error.category === 'invalid' ? 'refused' : 'fault'
      for (const question of questions) tell({ asked, question, outcome, ms: performance.now() - start_ms })
      throw error
    }
  }
  const one = <H, A extends ObservedAnswer>(asked: AskedName, ask: (question: unknown, how?: H) => Promise<A>) => {
    return (question: unknown, how?: H): Promise<A> =>
      watching(
        asked,
        [question],
        () => ask(question, how),
        (answer) => [answer],
      )
  }
  const { access } = decider
  const observed: Partial<Decider> = {
    can: one('can', (question, how) => decider.can(question, how)),
    canMany: (questions, how) =>
      watching(
        'can',
        questions,
        () => decider.canMany(questions, how),
        (answers) => answers,
      ),
    why: one('why', (question, how) => decider.why(question, how)),
    what: one('what', (question, how) => decider.what(question, how)),
    who: one('who', (question, how) => decider.who(question, how)),
    where: one('where', (question, how) => decider.where(question, how)),
    ...(access && { access: one('access', (question, how) => access.call(decider, question, how)) }),
  }
  // A decider may have more than its questions, which the design's own mapping to AuthZEN uses.
  return Object.assign(Object.create(decider), observed)
}
