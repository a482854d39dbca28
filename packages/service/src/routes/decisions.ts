import { folderOf } from '@freehold/frame'
import {
  type Answered,
  type AskedName,
  causeOfFault,
  type Decider,
  isUnanswered,
  type QuestionName,
  questionNames,
} from '@freehold/frame/decision'
import { FreeholdError, type Issue, isFreeholdError } from '@freehold/table'
import { type JsonSchema, nameWords, objectSchema } from '@freehold/table/publish'
import { invalidInput, whenThere } from '@freehold/table/runtime'
import { notForCaller } from '../http/caller.ts'
import type { CallerView, CallerViews } from '../http/caller-view.ts'
import { type Cause, causeOf } from '../http/cause.ts'
import { type Control, checkFields, controlsOfBody, takeControls } from '../http/control.ts'
import { problem } from '../http/problem.ts'
import type { Answer, Route } from '../http/route.ts'
import type { ApiNames } from '../openapi/api-names.ts'
import type { Components, Operation } from '../openapi/operation.ts'
import { anyObject, decision, explanation, listOf, object, pageOf, reason, resultSchema, saying, withOptional } from '../openapi/schemas.ts'
import type { Observing } from '../operations/observed.ts'
import type { Served } from '../served.ts'

type Body = Readonly<Record<string, unknown>>

const asking: readonly Control[] = ['consistency']
const listing: readonly Control[] = ['consistency', 'limit', 'cursor']
const taking: readonly Control[] = ['consistency', 'lasts_ms', 'evidence']

const controlsOf: Readonly<Record<QuestionName, readonly Control[]>> = {
  can: asking,
  why: asking,
  what: listing,
  who: listing,
  where: [...listing, 'expand'],
}

/** The first words of a 503 without an answer, by question. */
const withoutAnswer: Readonly<Record<AskedName, string>> = {
  can: 'Denied without a decision',
  why: 'Denied without a decision',
  what: 'Nothing is listed',
  who: 'Nothing is listed',
  where: 'Nothing is listed',
  access: 'The snapshot grants nothing',
}

/** The error behind a reason. Without one, the reason's own code is the cause. */
export function causeOfReason(reason: Answered['reason']): Cause {
  const error = causeOfFault(reason)
  return error === undefined ? { name: reason?.code ?? 'Unavailable' } : causeOf(error)
}

const isOfRequest = ({ faultsOfRequests = [] }: Decider, { reason }: Answered): boolean =>
  reason !== undefined && faultsOfRequests.includes(reason.code)

/**
 * A denial, an empty list and an empty snapshot are answers. But one that is due to a fault is also an outage, and monitoring must see it.
 * So it is a 503, whose body still says `allowed: false` or is empty: a client that only reads the body denies, too (spec rule 19).
 */
function answered({ decider }: Pick<Deciding, 'decider'>, asked: AskedName, answer: Answered, body: object = answer): Answer {
  const { reason } = answer
  if (!isUnanswered(answer)) return { status: 200, body }
  // Anybody may ask what the policies do not fit: an alarm by that would be anybody's, too.
  if (isOfRequest(decider, answer)) return { status: 200, body, cause: causeOfReason(reason) }
  return problem('Unavailable', `${withoutAnswer[asked]}: ${reason?.message ?? 'something failed'}`, {
    members: { ...body },
    cause: causeOfReason(reason),
  })
}

const many = 'questions'

function questionsOf(body: Body, questions_max: number): readonly unknown[] {
  const { [many]: questions, ...others } = body
  const issues: Issue[] = Object.keys(others).map((name) => ({
    path: [name],
    message: `is given together with ${many}: put it into each question`,
  }))
  if (!Array.isArray(questions) || questions.length === 0 || questions.length > questions_max)
    issues.push({ path: [many], message: `is not a list of 1 to ${questions_max} questions` })
  if (issues.length > 0 || !Array.isArray(questions)) throw invalidInput('The request', issues)
  return questions
}

/** An error of the list of questions, as an error of the field that has the list. */
function within(error: unknown): unknown {
  if (!isFreeholdError(error)) return error
  const issues = (error.details.issues ?? []).map(({ path, message }): Issue => ({ path: [many, ...path], message }))
  return new FreeholdError(error.code, error.message, { ...error.details, issues })
}

async function canMany(reach: Deciding, body: Body, questions_max: number): Promise<Answer> {
  const { decider } = reach
  const { fields, how } = takeControls(body, asking)
  const questions = questionsOf(fields, questions_max).map((question) => ownQuestion(reach, 'can', question))
  const answers = await decider.canMany(questions, how).catch((error: unknown) => {
    throw within(error)
  })
  const without = answers.find((answer) => isUnanswered(answer) && !isOfRequest(decider, answer))
  if (without !== undefined)
    return problem('Unavailable', 'Some questions were denied without a decision.', {
      members: { answers },
      cause: causeOfReason(without.reason),
    })
  return { status: 200, body: { answers } }
}

/** A decider that a caller viewOf, and the user that the caller is, if it is one. */
interface Deciding extends CallerView {
  readonly decider: Decider
}

function deciding({ decider, ...view }: CallerView): Deciding {
  if (decider === undefined) throw notForCaller()
  return { ...view, decider }
}

/** A question of a user who does not administer its tenant is about itself: one that names somebody else, or nobody as `who` does, is refused. */
function ownQuestion<Q>({ user, administers = false, decider }: Deciding, asked: AskedName, question: Q): Q {
  // The decider refuses a question that is no object.
  if (user === undefined || administers || typeof question !== 'object' || question === null) return question
  const named = 'user' in question ? question.user : undefined
  if (decider.fields[asked]?.includes('user') !== true || (named !== undefined && named !== null && named !== user))
    throw notForCaller('A user asks about itself: leave the user out, or name it by its id.')
  return { ...question, user }
}

type Answering = (body: Body, reach: Deciding) => Promise<Answer>

function answerOf(question: QuestionName, questions_max: number): Answering {
  switch (question) {
    case 'can':
      return async (body, reach) => {
        if (Object.hasOwn(body, many)) return canMany(reach, body, questions_max)
        const { fields, how } = takeControls(body, asking)
        return answered(reach, 'can', await reach.decider.can(ownQuestion(reach, 'can', fields), how))
      }
    case 'why':
      return async (body, reach) => {
        const { fields, how } = takeControls(body, asking)
        return answered(reach, 'why', await reach.decider.why(ownQuestion(reach, 'why', fields), how))
      }
    default:
      return async (body, reach) => {
        const { fields, how } = takeControls(body, controlsOf[question])
        return answered(reach, question, await reach.decider[question](ownQuestion(reach, question, fields), how))
      }
  }
}

const pathOf = (name: string, asked: AskedName) => `/v1/${name}/${asked}`

type Told = (components: Components) => Operation

function questionRoute(name: string, asked: AskedName, describe: Told, viewOf: CallerViews, answer: Answering): Route {
  return {
    ...{ method: 'POST', path: pathOf(name, asked), kind: 'decision', design: name, query: [], takesBody: true, describe },
    answer: ({ body, caller, acting }) =>
      whenThere(viewOf(caller), (reached) => {
        const reach = deciding(reached)
        if (reach.user !== undefined) acting(reach.user)
        return answer(body, reach)
      }),
  }
}

/** The fields of a question, as far as they are declared. */
function fieldsOf({ fields, optionalFields = [], declared }: Decider, asked: AskedName): JsonSchema {
  const known = declared?.[asked]
  if (known !== undefined) return objectSchema(known.fields, { side: 'given', takesNull: true, isPlain: true })
  const names = fields[asked] ?? []
  return object(
    Object.fromEntries(names.filter((each) => !optionalFields.includes(each)).map((each) => [each, {}])),
    Object.fromEntries(names.filter((each) => optionalFields.includes(each)).map((each) => [each, {}])),
  )
}

const bodyOf = (components: Components, names: ApiNames, decider: Decider, asked: AskedName, controls: readonly Control[]): JsonSchema =>
  names.schema(components, 'request', `${asked}Request`, () =>
    saying(
      withOptional(fieldsOf(decider, asked), controlsOfBody(components, controls)),
      `The fields of the question \`${asked}\`, and how it is asked.`,
    ),
  )

const lists: ReadonlySet<AskedName> = new Set(['what', 'who', 'where'])

/** The answer of a question as it is declared, or as all of its name are. */
function answerSchema(components: Components, names: ApiNames, { declared }: Decider, asked: AskedName): JsonSchema {
  const known = declared?.[asked]
  if (asked === 'can') return decision(components, names, known?.answer)
  if (asked === 'why') return explanation(components, names, known?.answer)
  const more = { reason: reason(components) }
  if (known !== undefined) return resultSchema(components, names, asked, { returns: known.answer, more }) ?? anyObject
  return lists.has(asked) ? pageOf(components, names, [asked, `${asked}Item`], () => anyObject, more) : anyObject
}

const summaryOf = ({ declared }: Decider, asked: AskedName): string => declared?.[asked]?.summary ?? nameWords(asked)

/** The question, and what its fields must be together. */
const wordsOf = (decider: Decider, asked: AskedName): string =>
  [summaryOf(decider, asked), decider.declared?.[asked]?.rule].filter((each) => each !== undefined).join(' ')

/** Every problem of the status 503 still denies, or is empty. */
function describeQuestion(names: ApiNames, decider: Decider, asked: AskedName, controls: readonly Control[]): Told {
  return (components) => ({
    id: names.operation(asked),
    tag: names.tag('questions'),
    summary: summaryOf(decider, asked),
    description: wordsOf(decider, asked),
    body: bodyOf(components, names, decider, asked, controls),
    answers: [{ status: 200, summary: 'The answer. A denial is one.', schema: answerSchema(components, names, decider, asked) }],
    errors: ['InvalidInput', 'Busy', 'MalformedItem', ...(lists.has(asked) ? (['InvalidCursor'] as const) : [])],
  })
}

/** Many questions of `can` at once. `can` itself takes them, too, as it did before: one operation with two bodies would be a class of its own in most languages. */
function describeMany(names: ApiNames, decider: Decider, questions_max: number): Told {
  return (components) => {
    const question = names.schema(components, 'question', 'canQuestion', () => saying(fieldsOf(decider, 'can'), 'One of many questions.'))
    const questions = { type: 'array', minItems: 1, maxItems: questions_max, items: question, description: 'The questions.' }
    const body = () => saying(withOptional(object({ [many]: questions }), controlsOfBody(components, asking)), 'Many questions.')
    const answers = saying(listOf(decision(components, names, decider.declared?.can.answer)), 'The answers, in the order of the questions.')
    return {
      id: names.operation('canMany'),
      tag: names.tag('questions'),
      summary: `Many questions at once, answered in their order: ${wordsOf(decider, 'can')}`,
      body: names.schema(components, 'request', 'canManyRequest', body),
      answers: [
        {
          status: 200,
          summary: 'The answers. A denial is one.',
          schema: names.schema(components, 'answer', 'canMany', () => saying(object({ answers }), 'The answers to many questions.')),
        },
      ],
      errors: ['InvalidInput', 'Busy', 'MalformedItem'],
    }
  }
}

/** The routes of snapshots of access. Browsers get them; no route accepts one. */
function accessRoutes(names: ApiNames, decider: Decider, viewOf: CallerViews): Route[] {
  if (decider.access === undefined) return []
  const { design: name } = names
  checkFields(`The snapshot access of ${name}`, decider.fields.access ?? [], taking)
  return [
    questionRoute(name, 'access', describeQuestion(names, decider, 'access', taking), viewOf, async (body, reach) => {
      const { fields, how } = takeControls(body, taking)
      const taken = await reach.decider.access?.(ownQuestion(reach, 'access', fields), how)
      if (taken === undefined) throw notForCaller()
      return answered({ decider }, 'access', taken, taken.toJSON())
    }),
  ]
}

/**
 * The routes of a design's five questions (spec rule 21) and of its snapshots of access. Each takes a JSON object of fields and controls.
 */
export function decisionRoutes(names: ApiNames, decider: Decider, viewOf: CallerViews, questions_max: number): Route[] {
  const { design: name } = names
  const routes = questionNames.map((question) => {
    checkFields(`The question ${question} of ${name}`, decider.fields[question], [...controlsOf[question], many])
    const describe = describeQuestion(names, decider, question, controlsOf[question])
    return questionRoute(name, question, describe, viewOf, answerOf(question, questions_max))
  })
  const askMany = questionRoute(name, 'can', describeMany(names, decider, questions_max), viewOf, (body, reach) =>
    canMany(reach, body, questions_max),
  )
  return [...routes, { ...askMany, path: `${pathOf(name, 'can')}/many` }, ...accessRoutes(names, decider, viewOf)]
}

/** The paths of questions that a design does not answer, each with a sentence that says so. */
export function unansweredPaths(
  name: string,
  { module }: Pick<Served, 'module'>,
  decider: Decider | undefined,
): (readonly [path: string, sentence: string])[] {
  const folder = folderOf(module)
  const noQuestions =
    folder === undefined
      ? `${name} answers no questions: it has entities and access patterns, which GET /v1 lists.`
      : `${name} answers no questions here: it decides by ${folder.holds}. \`freehold serve --${folder.name} DIR\` serves it with them.`
  if (decider === undefined) return [...questionNames, 'access' as const].map((asked) => [pathOf(name, asked), noQuestions])
  const noSnapshots = `${name} gives no snapshots of access: ask can, or what, each time.`
  return decider.access === undefined ? [[pathOf(name, 'access'), noSnapshots]] : []
}

/** The decider of a served design, observed. Undefined if it has none. */
export function observedDeciderOf({ module, table, decider }: Served, observe: Observing): Decider | undefined {
  return observe.decider(module.design.name, decider ?? module.decider?.(table.runtime, observe.deciding))
}
