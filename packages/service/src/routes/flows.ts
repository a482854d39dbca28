import { type FlowDescription, operator } from '@freehold/designs'
import { isFreeholdError } from '@freehold/table'
import { invalidInput, type Pendable } from '@freehold/table/runtime'
import { type Control, checkFields, takeControls } from '../http/control.ts'
import { answerOnce } from '../http/idempotency-key.ts'
import { entityTag } from '../http/if-match.ts'
import type { Answer, Route } from '../http/route.ts'
import type { Served } from '../served.ts'

const controls: readonly Control[] = ['as', 'session_id']

/** Accepted, but not finished: the answer names the jobs that continue (RFC 9110, section 15.3.3). */
const accepted = (pending: unknown): Answer => ({ status: 202, body: { pending } })

/** The answer to the result that the flow declares. A flow without a result is only accepted while its durable job is not finished. */
function answerOf(kind: FlowDescription['returns'], result: unknown): Answer {
  if (kind !== 'nothing') return { status: 200, body: result, headers: entityTag(result) }
  // A flow without a result returns the jobs that it left, if any.
  const { pending } = (result ?? {}) as Pendable
  return pending === undefined ? { status: 204 } : accepted(pending)
}

/**
 * The routes of a design's flows. Each takes its input and the user `as` whom the caller acts: the flow then needs that user's permissions
 * (spec rule 23). An identity provider may be named, too, where a design has sign-in: it does nothing else. Without `as` the caller is an operator. Audits name the id of the API key, also with `as`, and the
 * `session_id` that the caller gives. With an `Idempotency-Key` a request may be sent twice.
 */
export function flowRoutes(name: string, { module: { flows }, table }: Served): Route[] {
  if (flows === undefined) return []
  return flows.describe(table.design).map(({ name: flow, input, returns }): Route => {
    const names = input.map((each) => each.name)
    checkFields(`The flow ${flow}`, names, controls)
    return {
      method: 'POST',
      path: `/v1/${name}/flows/${flow}`,
      query: [],
      takesBody: true,
      answer: async ({ body, ifMatch, idempotencyKey, origin: { key, ip_address, user_agent }, acting }) => {
        // A flow may change many items, so an entity tag would be ambiguous.
        if (ifMatch !== undefined)
          throw invalidInput('The request', [{ path: ['If-Match'], message: "is not for flows: their input takes the 'version'" }])
        const { fields, how } = takeControls(body, controls)
        const actor = how.as === undefined ? { ...operator, name: key } : await flows.actorNamed(table, how.as)
        // The name of an identity provider has a fixed form.
        if (how.as !== undefined) acting(actor.kind === 'user' ? actor.user_id : how.as)
        const caller = { actor, ip_address, user_agent, session_id: how.session_id, via: key }
        const run = () => flows.run(table, flow, fields, caller, { idempotencyKey })
        return answerOnce(
          run,
          (result) => answerOf(returns, result),
          (error) => (isFreeholdError(error, 'Pending') ? accepted(error.details.pending) : undefined),
        )
      },
    }
  })
}
