import { clientOf, ProblemError, serviceOf } from '@freehold/client'
import type { DesignModule } from '@freehold/frame'
import type { AnswerPage, Can, Taken, Why } from '@freehold/frame/decision'
import { FreeholdError, isFreeholdError, type Page } from '@freehold/table'
import type { Pendable } from '@freehold/table/runtime'
import { invalid } from '../input/invalid.ts'
import { asked } from './problem-as-error.ts'
import type { ReachedDesign, ReachedQuestions } from './reached-design.ts'
import type { ServiceAt } from './service-at.ts'

type Values = Readonly<Record<string, unknown>>

/** A caller that may not ask has no answer, and its refusal is none: the command must not say no. */
function unanswered(error: unknown): unknown {
  return isFreeholdError(error, 'Denied') ? invalid(error.message, error) : error
}

/** The members of a problem itself (RFC 9457), beside which an answer stands. */
const ofProblems: ReadonlySet<string> = new Set(['type', 'title', 'status', 'detail', 'code', 'instance'])

/** A list or a snapshot that is empty because of a fault stands in the problem that tells the fault. Throws any other error. */
function emptyAnswer(error: unknown): unknown {
  const { problem = {} }: Partial<ProblemError> = error instanceof ProblemError ? error : {}
  if (problem.reason === undefined) throw error
  return Object.fromEntries(Object.entries(problem).filter(([name]) => !ofProblems.has(name)))
}

/** A design behind a service. */
export function designOfService({ design, flows }: Pick<DesignModule, 'design' | 'flows'>, service: ServiceAt): ReachedDesign {
  const { name } = design
  const client = clientOf({ ...service, design: name })
  /** The service knows no such path: another version of the design, or not the design at all. */
  const known = (error: unknown): unknown => {
    if (!isFreeholdError(error, 'UnknownName') || !error.message.startsWith('There is nothing at this path')) return error
    const message = `The service at ${service.url} has no such part of ${name}: \`freehold designs\` lists what it serves.`
    return new FreeholdError('UnknownName', message, { design: name })
  }
  const call = async <T>(work: () => Promise<unknown>): Promise<T> => {
    try {
      // The service answers with what the same call gives on a table.
      return (await asked(work)) as T
    } catch (error) {
      throw known(error)
    }
  }
  const ask = async <T>(work: () => Promise<unknown>): Promise<T> => {
    try {
      return await call<T>(work)
    } catch (error) {
      throw unanswered(error)
    }
  }

  const questions: ReachedQuestions = {
    // A client is typed by a module's questions, of which the command knows none.
    can: (question, how) => ask<Can>(() => client.can(question as never, how)),
    why: (question, how) => ask<Why>(() => client.why(question as never, how)),
    list: (list, question, how) => ask<AnswerPage<Values>>(() => client.list(list, question as never, how).catch(emptyAnswer)),
    access: (question, how) => ask<Pick<Taken, 'reason'>>(() => client.access(question as never, how).catch(emptyAnswer)),
    fields: async () => {
      const catalogue = await asked(() => serviceOf(service).catalogue())
      const { questions: { can: fields = [] } = {}, optionalFields = [] } = catalogue.find((each) => each.name === name) ?? {}
      return { fields, optionalFields }
    },
  }
  return {
    questions: () => questions,
    items: (entity) => ({
      get: (id, { consistent, secrets }) => {
        if (secrets.length > 0) throw invalid('No service tells a secret attribute: leave --secret out, or read the table.')
        return call(() => client.get(entity, id, { consistent }))
      },
      create: (attributes, key) => call(() => client.create(entity, attributes, key === undefined ? {} : { idempotencyKey: key })),
      update: (id, change, how) => call(() => client.update(entity, id, change, how)),
      move: (id, change, how) => call(() => client.move(entity, id, change, how)),
      remove: (id, how) => call<Pendable>(() => client.remove(entity, id, how)),
    }),
    find: (pattern, parameters) => call(() => client.pattern(pattern, parameters)),
    page: async (pattern, parameters, { limit, cursor }) => {
      const how = { ...(limit === undefined ? {} : { limit }), ...(cursor === undefined ? {} : { cursor }) }
      const page = await call<Page<Values>>(() => client.pattern(pattern, parameters, how))
      const { items, cursor: next, malformed = [] }: Partial<Page<Values>> = Object(page)
      if (Array.isArray(items) && Array.isArray(malformed) && (next === undefined || next !== cursor)) return page
      throw new FreeholdError('Unavailable', `${service.url} answered with what is no page: is it the address of the service?`, {})
    },
    acting: async ({ as, session_id }) => {
      const how = { ...(as === undefined ? {} : { as }), ...(session_id === undefined ? {} : { session_id }) }
      return (flow, input, key) => {
        const isRead = flows?.declared(design).find((each) => each.name === flow)?.effect === 'read'
        return call(() =>
          client.flow(flow as never, input as never, { ...how, isRead, ...(key === undefined ? {} : { idempotencyKey: key }) }),
        )
      }
    },
    keepCursor: () => {},
    metered: async (work) => ({ result: await work() }),
  }
}
