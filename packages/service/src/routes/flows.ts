import { commonErrors, type FlowDeclaration, type OfferedFlows, operator, shownIn } from '@freehold/frame/flow'
import { isFreeholdError } from '@freehold/table'
import { type JsonSchema, objectSchema } from '@freehold/table/publish'
import { invalidInput, type Pendable } from '@freehold/table/runtime'
import { notForCaller, ofUsers, type RequestCaller } from '../http/caller.ts'
import type { CallerView, CallerViews } from '../http/caller-view.ts'
import { type Control, checkFields, controlsOfBody, takeControls } from '../http/control.ts'
import { answerOnce } from '../http/idempotency-key.ts'
import { entityTag, onCondition, wantedVersions } from '../http/if-match.ts'
import type { Answer, Asked, Route } from '../http/route.ts'
import { type TellItem, tellItem, tellPage, tellWithin } from '../http/told-item.ts'
import type { ApiNames } from '../openapi/api-names.ts'
import type { AnswerHeader, Components, Describe, ToldAnswer } from '../openapi/operation.ts'
import { accepted, resultSchema, withOptional } from '../openapi/schemas.ts'
import type { Served } from '../served.ts'

/** A version conflict of a request with `If-Match`. */
const conflict = ['VersionConflict', 412] as const

const controls: readonly Control[] = ['as', 'session_id']

/** Accepted, but not finished: the answer names the jobs that continue (RFC 9110, section 15.3.3). */
const acceptedAnswer = (pending: unknown): Answer => ({ status: 202, body: { pending } })

/** How the results of a flow tell items. Undefined if none of them tells it in a way of its own. */
function tellOf(returns: FlowDeclaration['returns']): TellItem | undefined {
  if (returns.kind === 'item') return tellItem([returns.entity])
  if (returns.kind === 'page') {
    const tell = 'entity' in returns ? tellItem([returns.entity]) : undefined
    return tell && ((page) => tellPage(tell, page))
  }
  const shown = returns.kind === 'values' ? Object.values(returns.values).flatMap((each) => shownIn(each) ?? []) : []
  const tell = tellItem(shown)
  return tell && ((values) => tellWithin(tell, values))
}

/** The answer to the result that the flow declares. A flow without a result is only accepted while its durable job is not finished. */
function answerOf({ kind }: FlowDeclaration['returns'], result: unknown, tell: TellItem | undefined): Answer {
  if (kind !== 'nothing') return { status: 200, body: tell?.(result) ?? result, headers: entityTag(result) }
  // A flow without a result returns the jobs that it left, if any.
  const { pending } = (result ?? {}) as Pendable
  return pending === undefined ? { status: 204 } : acceptedAnswer(pending)
}

/** The permission that a flow needs, in words. */
function needsWords({ needs }: FlowDeclaration): string {
  if (needs === 'operator') return 'Operators only.'
  if (needs === 'identity-provider') return 'Operators, and identity providers.'
  if (needs === 'person') return 'Operators, and an application that shows the token of the person.'
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

/** The headers of its result. Items and pages have those of all items and pages, so that they are one answer in the document. */
function headersOf(flow: FlowDeclaration): readonly AnswerHeader[] {
  if (flow.returns.kind === 'page') return ['Link']
  return [...(tellsVersion(flow) ? (['ETag'] as const) : []), 'Idempotency-Replayed']
}

const resultWords = ({ kind }: FlowDeclaration['returns']) => ({
  summary: kind === 'item' ? 'The item.' : kind === 'page' ? 'A page.' : 'The result.',
})

/** The entity that a flow is about. */
const entityOf = ({ writes: { create, update, remove } = {}, returns }: FlowDeclaration): string | undefined =>
  (create ?? update ?? remove ?? ('entity' in returns ? returns.entity : undefined))?.name

/** Who acts, by the texts that the design takes. */
export const actingSchema = (components: Components, names: ApiNames, { actorForm }: OfferedFlows): JsonSchema =>
  names.schema(components, 'control', 'ActingUser', () => ({
    type: 'string',
    minLength: 1,
    ...(actorForm && { pattern: actorForm.pattern }),
    description: `The user who acts, by ${actorForm?.words ?? 'a name that the design knows'}. Without it an operator acts.`,
  }))

/** A flow that reads takes no notice of an idempotency key. */
function describeFlow(names: ApiNames, flows: OfferedFlows, flow: FlowDeclaration): Describe {
  const { name, summary, input, effect, returns, errors = [], needs } = flow
  const isWrite = effect === 'write'
  return (components) => {
    const result = resultSchema(components, names, `${name}${returns.kind === 'page' ? 'Page' : 'Result'}`, { returns, isWrite })
    const done: ToldAnswer =
      result === undefined
        ? { status: 204, summary: 'Done.', headers: ['Idempotency-Replayed'] }
        : { status: 200, ...resultWords(returns), schema: result, headers: headersOf(flow) }
    const begun: ToldAnswer = {
      status: 202,
      summary: 'Begun: durable jobs finish it.',
      schema: accepted(components),
      headers: ['Idempotency-Replayed'],
    }
    return {
      id: names.operation(name),
      tag: names.tag('flows'),
      summary,
      description: needsWords(flow),
      headers: [...(isWrite ? (['Idempotency-Key'] as const) : []), ...(needs === 'person' ? (['Subject-Token'] as const) : [])],
      body: names.schema(
        components,
        'request',
        `${name}Request`,
        () =>
          withOptional(objectSchema(input, { side: 'given', takesNull: true }), {
            // A user is denied what is for operators only.
            ...(needs === 'operator' || needs === 'person' ? {} : { as: actingSchema(components, names, flows) }),
            ...controlsOfBody(components, ['session_id']),
          }),
        entityOf(flow),
      ),
      answers: [done, ...(isWrite ? [begun] : [])],
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
export async function actorOf(
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

/** True of a call by which a user changes what it signs in by itself, where a token or a session is all that it has shown. */
export function changesOwnSignIn(
  { input, changesSignIn }: FlowDeclaration,
  given: Readonly<Record<string, unknown>>,
  { purpose }: RequestCaller,
  user: string | undefined,
): boolean {
  if (typeof changesSignIn !== 'string' || user === undefined || !ofUsers.has(purpose)) return false
  return input[changesSignIn]?.schema.safeParse(given[changesSignIn]).data === user
}

/** The person whose token an application shows, who may not be a user yet that acts. */
function personShown({ purpose, token }: RequestCaller) {
  if (purpose !== 'application' || token === undefined) return undefined
  const { user: person, issuer } = token
  return { actor: { kind: 'identity-provider', name: 'id' in person ? issuer : person.provider }, person } as const
}

/** What passed a user's call on. The name of an application stands behind the id of its key, which nobody can choose. */
const viaOf = ({ name, token, person }: RequestCaller, key: string | undefined): string | undefined =>
  key === undefined || name === undefined ? (key ?? token?.issuer ?? person?.issuer) : `${key} ${name}`

/**
 * The routes of a design's flows. Each takes its input and the user `as` whom the caller acts: the flow then needs that user's permissions
 * (spec rule 23). An identity provider may be named, too, where a design has sign-in: it does nothing else. Without `as` the caller is an operator. Audits name the id of the API key, also with `as`, and the
 * `session_id` that the caller gives. With an `Idempotency-Key` a request may be sent twice.
 */
export function flowRoutes(names: ApiNames, { module: { flows }, table }: Served, viewOf: CallerViews): Route[] {
  if (flows === undefined) return []
  const { design: name } = names
  return flows.declared(table.design).map((declared): Route => {
    const { name: flow, returns } = declared
    const tell = tellOf(returns)
    checkFields(`The flow ${flow}`, Object.keys(declared.input), controls)
    return {
      method: 'POST',
      path: `/v1/${name}/flows/${flow}`,
      kind: 'flow',
      design: name,
      flow,
      changesSignIn: declared.changesSignIn === true,
      query: [],
      takesBody: true,
      describe: describeFlow(names, flows, declared),
      answer: async ({ body, ifMatch, idempotencyKey, origin: { key, ip_address, user_agent }, caller: asking, acting }) => {
        const { fields, how } = takeControls(body, controls)
        const versions = versionsOf(declared, fields, ifMatch)
        const { tenant } = asking
        const shown = declared.needs === 'person' ? personShown(asking) : undefined
        const actor = shown?.actor ?? (await actorOf(flows, asking, await viewOf(asking), how.as, key))
        if (shown !== undefined && how.as !== undefined) throw notForCaller('The token says who acts: leave `as` out.')
        const user = actor.kind === 'user' ? actor.user_id : undefined
        if (changesOwnSignIn(declared, fields, asking, user))
          throw notForCaller('A user changes its own sign-in by a program or page that has it sign in again.')
        // The name of an identity provider has a fixed form.
        if (actor.kind === 'user') acting(actor.user_id)
        else if (how.as !== undefined) acting(how.as)
        const session_id = asking.person?.loginId ?? how.session_id
        const caller = { actor, ip_address, user_agent, session_id, via: viaOf(asking, key), person: shown?.person }
        const answer = (version: number | undefined) =>
          answerOnce(
            () => flows.run(table, flow, version === undefined ? fields : { ...fields, version }, caller, { idempotencyKey, tenant }),
            (result) => answerOf(returns, result, tell),
            (error) => (isFreeholdError(error, 'Pending') ? acceptedAnswer(error.details.pending) : undefined),
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
