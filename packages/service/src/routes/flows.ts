import { type FlowDescription, operator } from '@freehold/designs'
import { isFreeholdError } from '@freehold/table'
import { invalidInput, type Pendable } from '@freehold/table/runtime'
import { type Control, checkFields, takeControls } from '../http/control.ts'
import { entityTag } from '../http/if-match.ts'
import type { Answer, Route } from '../http/route.ts'
import type { Served } from '../served.ts'

const controls: readonly Control[] = ['as']

/** Accepted, and not finished: what goes on is told by its jobs (RFC 9110, section 15.3.3). */
const accepted = (pending: unknown): Answer => ({ status: 202, body: { pending } })

/** The result that the flow declares. A flow that gives nothing is accepted only, where its durable job is not finished. */
async function answerWith(kind: FlowDescription['returns'], run: () => Promise<unknown>): Promise<Answer> {
  try {
    const result = await run()
    if (kind !== 'nothing') return { status: 200, body: result, headers: entityTag(result) }
    // A flow that gives nothing gives the jobs that it left, if any.
    const { pending } = (result ?? {}) as Pendable
    return pending === undefined ? { status: 204 } : accepted(pending)
  } catch (error) {
    if (isFreeholdError(error, 'Pending')) return accepted(error.details.pending)
    throw error
  }
}

/**
 * Every flow of a design: its input and, beside it, the user `as` whom the caller acts, whose permissions it is then held to (spec rule 23). Without
 * one the caller is an operator, whom the audit knows by the id of the API key.
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
      answer: async ({ body, ifMatch, origin: { key, ip_address, user_agent } }) => {
        // A flow may change many items: which one a tag would be of, nobody could say.
        if (ifMatch !== undefined)
          throw invalidInput('The request', [{ path: ['If-Match'], message: "is not for flows: their input takes the 'version'" }])
        const { fields, how } = takeControls(body, controls)
        const actor = how.as === undefined ? { ...operator, name: key } : await flows.actorNamed(table, how.as)
        return answerWith(returns, () => flows.run(table, flow, fields, { actor, ip_address, user_agent }))
      },
    }
  })
}
