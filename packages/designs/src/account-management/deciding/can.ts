import type { Can, Reason } from '../../decision/decision.ts'
import { malformedRecord } from '../../decision/fault.ts'
import type { LoadResult } from '../../decision/record.ts'
import type { Sources } from '../../decision/sources.ts'
import { permissionWords } from '../permission/permission.ts'
import { type Findings, findingsOf, lookedAt, type Standing } from './access.ts'
import type { Access } from './question.ts'
import type { Ids, Named } from './resolve.ts'
import type { PlaceFacts, Situation } from './situation.ts'
import { isOfClient, withoutModule } from './standing.ts'

/** May this user do this at this place? */
export async function can(sources: Sources, asked: Access): Promise<Can> {
  return verdictOf(await findingsOf(sources, asked))
}

/** The answer, and why it is no. */
export function verdictOf(findings: Findings): Can {
  return findings.grants.length > 0 ? { allowed: true } : { allowed: false, reason: reasonOf(findings) }
}

type Kind = 'User' | 'Client' | 'Project' | 'Building'

/** A node's reason where it does not count: unknown, going, or not to be read. */
export function nodeReason(what: Kind, name: string | undefined, node: LoadResult<unknown> | undefined): Reason | undefined {
  if (name === undefined || node?.state === 'found') return undefined
  if (node?.state === 'malformed') return malformedRecord
  const named = `${what.toLowerCase()} ${JSON.stringify(name)}`
  if (node?.state === 'deleting') return { kind: 'unknown', code: 'BeingDeleted', message: `The ${named} is being deleted.` }
  return { kind: 'unknown', code: `Unknown${what}`, message: `There is no ${named} there.` }
}

function unknownReason({ asked, ids, situation }: Standing): Reason | undefined {
  const { client, building } = asked.place
  if (situation === undefined || ids.path === undefined) return nameReason(asked, ids, [])
  const { place, user } = situation
  return (
    nodeReason('User', asked.user.text, user) ??
    nodeReason('Client', client ?? ids.path.client_id, place.client) ??
    nodeReason('Project', ids.path.project_id, place.project) ??
    nodeReason('Building', building, place.building)
  )
}

export const policy = (code: string, message: string): Reason => ({ kind: 'policy', code, message })

export function userRefusal(user: Situation['user']): Reason | undefined {
  if (user.state !== 'found' || user.item.status === 'active') return undefined
  const { status, invitation_expires_at } = user.item
  // Whoever was disabled after the invitation was accepted has none that ends.
  const message = invitation_expires_at === undefined ? `The user is ${status}.` : 'The user has not accepted the invitation.'
  return policy('UserDisabled', message)
}

export function clientRefusal({ client }: PlaceFacts): Reason | undefined {
  if (client.state !== 'found' || client.item.status === 'active') return undefined
  return policy('ClientSuspended', `The client is ${client.item.status}.`)
}

/** Why nobody has anything there: a place that is not there, or a client that denies. */
export function placeReason(place: PlaceFacts): Reason | undefined {
  const { path, client, project, building } = place
  return (
    nodeReason('Client', path.client_id, client) ??
    nodeReason('Project', path.project_id, project) ??
    nodeReason('Building', path.building_id, building) ??
    clientRefusal(place)
  )
}

export function entitlementRefusal({ path }: PlaceFacts): Reason {
  return policy('NotEntitled', withoutModule(path))
}

/** What denies whatever the roles. */
function refusal({ situation, isEntitled }: Standing): Reason | undefined {
  if (situation === undefined) return undefined
  const { user, place } = situation
  const reason = userRefusal(user) ?? clientRefusal(place)
  if (reason !== undefined) return reason
  if (user.state === 'found' && !isOfClient(user.item, place.path.client_id)) return policy('ForeignUser', 'The user is of another client.')
  return isEntitled ? undefined : entitlementRefusal(place)
}

/** A user or a place by a name that stands for nothing. */
export function nameReason({ user, place }: Named, ids: Ids, unusable: readonly LoadResult<unknown>[]): Reason | undefined {
  if (unusable.some(({ state }) => state === 'malformed')) return malformedRecord
  if (user !== undefined && ids.user === undefined) return nodeReason('User', user.text, undefined)
  if (place === undefined || ids.path !== undefined) return undefined
  return place.building === undefined ? nodeReason('Project', place.project, undefined) : nodeReason('Building', place.building, undefined)
}

/** Why a list has no items, where that is because what was asked about is not there or denies; a list that is just empty has no reason. */
export function closedReason(standing: Standing): Reason | undefined {
  return nameReason(standing.asked, standing.ids, standing.unusable) ?? unknownReason(standing) ?? refusal(standing)
}

/** Why nothing counts at a place, whatever is asked: faults before names, names before policy (spec rule 19). Undefined where a role does. */
export function standingReason(standing: Standing): Reason | undefined {
  if (lookedAt(standing).some(({ state }) => state === 'malformed')) return malformedRecord
  const reason = unknownReason(standing) ?? refusal(standing)
  if (reason !== undefined) return reason
  const { judged } = standing
  if (judged.length === 0) return policy('NoAssignment', 'The user has no assignment in the scope chain.')
  const [first] = judged.flatMap(({ flaw }) => flaw ?? [])
  const isEffective = judged.some(({ flaw }) => flaw === undefined)
  return isEffective || first === undefined ? undefined : policy(first.code, first.message)
}

/** Why nothing allows. */
function reasonOf(findings: Findings): Reason {
  const words = permissionWords(findings.permission)
  return standingReason(findings) ?? policy('NoGrant', `No role that the user has in the scope chain grants ${words}.`)
}
