import type { Can, Reason } from '../../decision/decision.ts'
import type { Looked } from '../../decision/record.ts'
import type { Sources } from '../../decision/sources.ts'
import { type Findings, findingsOf, lookedAt, type Standing } from './access.ts'
import { permissionWords } from './permission.ts'
import type { Access } from './question.ts'
import type { PlaceFacts, Situation } from './situation.ts'
import { isOfClient } from './standing.ts'

/** May this user do this at this place? */
export async function can(sources: Sources, asked: Access): Promise<Can> {
  return verdictOf(await findingsOf(sources, asked))
}

/** The answer, and why it is no. */
export function verdictOf(findings: Findings): Can {
  return findings.grants.length > 0 ? { allowed: true } : { allowed: false, reason: reasonOf(findings) }
}

export const fault: Reason = {
  kind: 'fault',
  code: 'MalformedItem',
  message: 'A stored record is malformed, so what it might grant is not granted. Ask why, and repair it.',
}

type Kind = 'User' | 'Client' | 'Project' | 'Building'

/** A node's reason where it does not count: unknown, or going. */
export function nodeReason(what: Kind, name: string | undefined, node: Looked<unknown> | undefined): Reason | undefined {
  if (name === undefined || node?.state === 'found') return undefined
  const named = `${what.toLowerCase()} ${JSON.stringify(name)}`
  if (node?.state === 'deleting') return { kind: 'unknown', code: 'BeingDeleted', message: `The ${named} is being deleted.` }
  return { kind: 'unknown', code: `Unknown${what}`, message: `There is no ${named} there.` }
}

function unknownReason({ asked, ids, situation }: Standing): Reason | undefined {
  const { client, project, building } = asked.place
  if (ids.user_id === undefined) return nodeReason('User', asked.user.text, undefined)
  if (ids.path === undefined)
    return building === undefined ? nodeReason('Project', project, undefined) : nodeReason('Building', building, undefined)
  if (situation === undefined) return undefined
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
  return user.state === 'found' && user.item.status !== 'active' ? policy('UserDisabled', `The user is ${user.item.status}.`) : undefined
}

export function clientRefusal({ client }: PlaceFacts): Reason | undefined {
  if (client.state !== 'found' || client.item.status === 'active') return undefined
  return policy('ClientSuspended', `The client is ${client.item.status}.`)
}

/** What denies whatever the roles. */
function refusal({ situation, isEntitled }: Standing): Reason | undefined {
  if (situation === undefined) return undefined
  const { user, place } = situation
  const reason = userRefusal(user) ?? clientRefusal(place)
  if (reason !== undefined) return reason
  if (user.state === 'found' && !isOfClient(user.item, place.path.client_id)) return policy('ForeignUser', 'The user is of another client.')
  return isEntitled ? undefined : policy('NotEntitled', 'Neither the building nor its project has an active subscription of the module.')
}

/** Why nothing counts at a place, whatever is asked: faults before names, names before policy (spec rule 19). Undefined where a role does. */
export function standingReason(standing: Standing): Reason | undefined {
  if (lookedAt(standing).some(({ state }) => state === 'malformed')) return fault
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
