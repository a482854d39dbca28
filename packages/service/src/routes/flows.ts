import { commonErrors, type FlowDeclaration, type OfferedFlows, operator } from '@freehold/designs'
import { isFreeholdError } from '@freehold/table'
import { objectSchema } from '@freehold/table/publish'
import { invalidInput, type Pendable } from '@freehold/table/runtime'
import { notForCaller, type RequestCaller } from '../http/caller.ts'
import type { CallerView, CallerViews } from '../http/caller-view.ts'
import { type Control, checkFields, controlsOfBody, takeControls } from '../http/control.ts'
import { answerOnce } from '../http/idempotency-key.ts'
import { entityTag, onCondition, wantedVersions } from '../http/if-match.ts'
import type { Answer, Asked, Route } from '../http/route.ts'
import type { Describe, ToldAnswer } from '../openapi/operation.ts'
import { anyOf, object, pending, repeat, resultSchema, withOptional } from '../openapi/schemas.ts'
import type { Served } from '../served.ts'

/** A version conflict of a request with `If-Match`. */
const conflict = ['VersionConflict', 412] as const

const controls: readonly Control[] = ['as', 'session_id']

/** Accepted, but not finished: the answer names the jobs that continue (RFC 9110, section 15.3.3). */
const accepted = (pending: unknown): Answer => ({ status: 202, body: { pending } })

/** The answer to the result that the flow declares. A flow without a result is only accepted while its durable job is not finished. */
function answerOf(kind: FlowDeclaration['returns']['kind'], result: unknown): Answer {
  if (kind !== 'nothing') return { status: 200, body: result, headers: entityTag(result) }
  // A flow without a result returns the jobs that it left, if any.
  const { pending } = (result ?? {}) as Pendable
  return pending === undefined ? { status: 204 } : accepted(pending)
}

/** The permission that a flow needs, in words. */
function needsWords({ needs }: FlowDeclaration): string {
  if (needs === 'operator') return 'Operators only.'
  if (needs === 'identity-provider') return 'Operators, and identity providers.'
  if (needs === 'own') return 'A user for what is its own, and operators.'
  const { module, action, resource, at, own } = needs
  return `A user needs \`${module}:${action}:${resource}\` at the ${at}${own === true ? ', but none for what is its own' : ''}.`
}

/** A flow whose input has the version of the one item that it changes. `If-Match` says the same. */
const takesVersion = ({ input }: FlowDeclaration): boolean => Object.hasOwn(input, 'version')

/** The versions of `If-Match`. Throws `InvalidInput` for a flow that takes none, and for a version beside the header. */
function versionsOf(flow: FlowDeclaration, input: Asked['body'], ifMatch: string | undefined): readonly number[] | undefined {
  if (ifMatch === undefined) return undefined
  if (!takesVersion(flow))
    throw invalidInput('The request', [{ path: ['If-Match'], message: 'is for flows that take a version, and this one takes none' }])
  // Any version beside the header is refused, so that its value is not looked at: String() throws for some objects that JSON can tell.
  return wantedVersions(ifMatch, input.version === null || input.version === undefined ? undefined : 'given')
}

/** The result has the version of an item. */
const tellsVersion = ({ returns }: FlowDeclaration): boolean =>
  returns.kind === 'item' || (returns.kind === 'values' && Object.hasOwn(returns.values, 'version'))

/** A flow that reads takes no notice of an idempotency key. */
function describeFlow(design: string, flow: FlowDeclaration): Describe {
  const { name, summary, input, effect, returns, errors = [] } = flow
  const isWrite = effect === 'write'
  return (components) => {
    const result = resultSchema(components, design, returns)
    const jobs = { pending: pending(components) }
    const full =
      result === undefined || returns.kind === 'item' || !isWrite ? result : anyOf(withOptional(result, jobs), repeat(components))
    const done: ToldAnswer =
      full === undefined
        ? { status: 204, summary: 'Done.' }
        : { status: 200, summary: 'The result.', schema: full, ...(tellsVersion(flow) ? { headers: ['ETag'] } : {}) }
    const begun: ToldAnswer = { status: 202, summary: 'Begun: durable jobs finish it.', schema: object(jobs) }
    const replayed = isWrite ? (['Idempotency-Replayed'] as const) : []
    return {
      id: `${design}.flows.${name}`,
      tag: `${design}: flows`,
      summary,
      description: needsWords(flow),
      headers: ['Idempotency-Key', ...(takesVersion(flow) ? (['If-Match'] as const) : [])],
      body: withOptional(objectSchema(input, { side: 'given', takesNull: true }), controlsOfBody(controls)),
      answers: [done, ...(isWrite ? [begun] : [])].map((told) => ({ ...told, headers: [...(told.headers ?? []), ...replayed] })),
      // A repeat tells an item as it is now, which may be gone.
      errors: [
        ...new Set([...commonErrors.filter((code) => code !== 'Pending'), ...errors, ...(isWrite ? (['NotFound'] as const) : [])]),
        ...(takesVersion(flow) ? [conflict] : []),
      ],
    }
  }
}

/**
 * The actor of a call. A user is itself. A caller that is not an operator names a user with `as`: one of its tenant, if it is of one, which the flow
 * itself checks. Throws `Denied` and `InvalidInput`.
 */
async function actorOf(
  flows: OfferedFlows,
  { purpose }: RequestCaller,
  reach: CallerView,
  as: string | undefined,
  key: string | undefined,
) {
  const { user: user_id, table } = reach
  if (user_id !== undefined) {
    if (as !== undefined && as !== user_id) throw notForCaller('A user acts as itself: leave `as` out.')
    return { kind: 'user', user_id } as const
  }
  if (as === undefined && purpose === 'operator') return { ...operator, name: key }
  if (as === undefined) throw notForCaller('This caller runs flows as a user: name it with `as`.')
  const actor = await flows.actorNamed(table, as)
  if (actor.kind !== 'user' && purpose !== 'operator') throw notForCaller('This caller runs flows as a user.')
  return actor
}

/**
 * The routes of a design's flows. Each takes its input and the user `as` whom the caller acts: the flow then needs that user's permissions
 * (spec rule 23). An identity provider may be named, too, where a design has sign-in: it does nothing else. Without `as` the caller is an operator. Audits name the id of the API key, also with `as`, and the
 * `session_id` that the caller gives. With an `Idempotency-Key` a request may be sent twice.
 */
export function flowRoutes(name: string, { module: { flows }, table }: Served, viewOf: CallerViews): Route[] {
  if (flows === undefined) return []
  return flows.declared(table.design).map((declared): Route => {
    const { name: flow, returns } = declared
    checkFields(`The flow ${flow}`, Object.keys(declared.input), controls)
    return {
      method: 'POST',
      path: `/v1/${name}/flows/${flow}`,
      kind: 'flow',
      design: name,
      query: [],
      takesBody: true,
      describe: describeFlow(name, declared),
      answer: async ({ body, ifMatch, idempotencyKey, origin: { key, ip_address, user_agent }, caller: asking, acting }) => {
        const { fields, how } = takeControls(body, controls)
        const versions = versionsOf(declared, fields, ifMatch)
        const { tenant } = asking
        const actor = await actorOf(flows, asking, await viewOf(asking), how.as, key)
        // The name of an identity provider has a fixed form.
        if (actor.kind !== 'operator') acting(actor.kind === 'user' ? actor.user_id : String(how.as))
        const caller = { actor, ip_address, user_agent, session_id: how.session_id, via: key ?? asking.token?.issuer }
        const answer = (version: number | undefined) =>
          answerOnce(
            () => flows.run(table, flow, version === undefined ? fields : { ...fields, version }, caller, { idempotencyKey, tenant }),
            (result) => answerOf(returns.kind, result),
            (error) => (isFreeholdError(error, 'Pending') ? accepted(error.details.pending) : undefined),
          )
        // The first request may have had its effect by another of the versions.
        return onCondition(
          ifMatch,
          versions,
          answer,
          (error) => isFreeholdError(error, 'VersionConflict') || isFreeholdError(error, 'KeyReused'),
        )
      },
    }
  })
}
