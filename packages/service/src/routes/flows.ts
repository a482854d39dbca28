import { operator } from '@freehold/designs'
import { invalidInput } from '@freehold/table'
import { type Control, checkFields, takeControls } from '../http/control.ts'
import { entityTag } from '../http/if-match.ts'
import type { Route } from '../http/route.ts'
import type { Served } from '../served.ts'

const controls: readonly Control[] = ['as']

/**
 * Every flow of a design: its input and, beside it, the user `as` whom the caller acts, whose permissions it is then held to (spec rule 23). Without
 * one the caller is an operator, whom the audit knows by the id of the API key.
 */
export function flowRoutes(name: string, { offer: { flows }, table }: Served): Route[] {
  if (flows === undefined) return []
  return flows.describe(table.design).map(({ name: flow, input }): Route => {
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
        const result = await flows.run(table, flow, fields, { actor, ip_address, user_agent })
        if (result === undefined) return { status: fields.wait === false ? 202 : 204 }
        return { status: 200, body: result, headers: entityTag(result) }
      },
    }
  })
}
