import type { OfferedFlows, PlannedCall } from '@freehold/frame/flow'
import type { Issue } from '@freehold/table'
import { invalidInput } from '@freehold/table/runtime'
import { mayUse, notForCaller } from '../http/caller.ts'
import type { CallerViews } from '../http/caller-view.ts'
import { takeControls } from '../http/control.ts'
import type { Route } from '../http/route.ts'
import type { ApiNames } from '../openapi/api-names.ts'
import type { Describe } from '../openapi/operation.ts'
import { anyObject, flag, listOf, object, reason, saying, string, withOptional } from '../openapi/schemas.ts'
import type { Served } from '../served.ts'
import { actingSchema, actorOf, changesOwnSignIn } from './flows.ts'

const many = 'calls'

/** The planned calls of a request. Throws `InvalidInput`. */
function callsOf({ [many]: calls, ...others }: Readonly<Record<string, unknown>>, calls_max: number): readonly PlannedCall[] {
  const issues: Issue[] = Object.keys(others).map((name) => ({ path: [name], message: `is no field of this request, which has ${many}` }))
  if (!Array.isArray(calls) || calls.length === 0 || calls.length > calls_max)
    throw invalidInput('The request', [...issues, { path: [many], message: `is not a list of 1 to ${calls_max} calls` }])
  const read = calls.map((call: unknown, index): PlannedCall => {
    const { flow, input = {}, ...more }: Readonly<Record<string, unknown>> = Object(call)
    if (typeof flow !== 'string') issues.push({ path: [many, index, 'flow'], message: 'is not the name of a flow' })
    if (typeof input !== 'object' || input === null || Array.isArray(input))
      issues.push({ path: [many, index, 'input'], message: 'is not an object' })
    for (const name of Object.keys(more).slice(0, 1)) issues.push({ path: [many, index, name], message: 'is neither a flow nor an input' })
    return { flow: String(flow), input: Object(input) }
  })
  if (issues.length > 0) throw invalidInput('The request', issues)
  return read
}

/** What tells which of many calls a caller may make. */
const describePermitted =
  (names: ApiNames, flows: OfferedFlows, calls_max: number): Describe =>
  (components) => {
    const call = object({ flow: saying(string, 'The name of a flow.') }, { input: saying(anyObject, 'Its input, as far as it is known.') })
    const calls = { type: 'array', minItems: 1, maxItems: calls_max, items: saying(call, 'A call.'), description: 'The calls.' }
    const permitted = object(
      { allowed: saying(flag, 'Whether the permission is held.') },
      { reason: reason(components), lacks: saying(string, 'The input that tells where the permission is needed.') },
    )
    return {
      id: names.operation('permitted'),
      tag: names.tag('flows'),
      summary: 'Which of these calls the caller may make, in their order.',
      body: components.named('PermittedCalls', () =>
        saying(withOptional(object({ [many]: calls }), { as: actingSchema(components, names, flows) }), 'Calls, none of which is made.'),
      ),
      answers: [
        {
          status: 200,
          summary: 'The answers.',
          schema: components.named('Permitted', () =>
            saying(object({ answers: saying(listOf(permitted), 'One of each call.') }), 'The answers.'),
          ),
        },
      ],
      errors: ['InvalidInput', 'Busy', 'MalformedItem'],
    }
  }

const notNamed = {
  allowed: false,
  reason: { kind: 'policy', code: 'NotForCaller', message: notForCaller().message },
} as const

/** The route that tells which calls of flows the caller may make, so that a page shows no button that would be refused. */
export function permittedRoutes(
  names: ApiNames,
  { module: { flows }, table }: Served,
  viewOf: CallerViews,
  calls_max: number,
): readonly Route[] {
  if (flows === undefined || flows.declared(table.design).length === 0) return []
  const { design } = names
  const declared = new Map(flows.declared(table.design).map((each) => [each.name, each]))
  const route: Route = {
    method: 'POST',
    path: `/v1/${design}/permitted`,
    kind: 'flow',
    design,
    query: [],
    takesBody: true,
    describe: describePermitted(names, flows, calls_max),
    answer: async ({ body, caller: asking, origin: { key }, acting }) => {
      const { fields, how } = takeControls(body, ['as'])
      const actor = await actorOf(flows, asking, await viewOf(asking), how.as, key)
      const calls = callsOf(fields, calls_max)
      if (actor.kind !== 'operator') acting(actor.kind === 'user' ? actor.user_id : String(how.as))
      // A flow that its caller may not use is refused, whether or not there is one.
      const user = actor.kind === 'user' ? actor.user_id : undefined
      const isNamed = ({ flow, input }: PlannedCall) => {
        const known = declared.get(flow)
        const changesSignIn = known !== undefined && (known.changesSignIn === true || changesOwnSignIn(known, input, asking, user))
        return mayUse(asking, { kind: 'flow', design, flow, changesSignIn })
      }
      const answers = (await flows.permitted(table, calls.filter(isNamed), { actor }, { tenant: asking.tenant })).values()
      return { status: 200, body: { answers: calls.map((call) => (isNamed(call) ? answers.next().value : notNamed)) } }
    },
  }
  return [route]
}
