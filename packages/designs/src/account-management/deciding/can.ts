import type { Can, Reason } from '../../decision/decision.ts'
import type { Looked } from '../../decision/record.ts'
import type { Sources } from '../../decision/sources.ts'
import { type Findings, findingsOf, lookedAt } from './access.ts'
import { permissionWords } from './permission.ts'
import type { Access } from './question.ts'
import { isOfClient } from './standing.ts'

/** May this user do this at this place? */
export async function can(sources: Sources, asked: Access): Promise<Can> {
  return verdictOf(await findingsOf(sources, asked))
}

/** The answer, and why it is no. */
export function verdictOf(findings: Findings): Can {
  return findings.grants.length > 0 ? { allowed: true } : { allowed: false, reason: reasonOf(findings) }
}

const fault: Reason = {
  kind: 'fault',
  code: 'MalformedItem',
  message: 'A stored record is malformed, so what it might grant is not granted. Ask why, and repair it.',
}

type Kind = 'User' | 'Client' | 'Project' | 'Building'

/** A node's reason where it does not count: unknown, or going. */
function nodeReason(what: Kind, name: string | undefined, node: Looked<unknown> | undefined): Reason | undefined {
  if (name === undefined || node?.state === 'found') return undefined
  const named = `${what.toLowerCase()} ${JSON.stringify(name)}`
  if (node?.state === 'deleting') return { kind: 'unknown', code: 'BeingDeleted', message: `The ${named} is being deleted.` }
  return { kind: 'unknown', code: `Unknown${what}`, message: `There is no ${named} there.` }
}

function unknownReason({ asked, ids, situation }: Findings): Reason | undefined {
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

const policy = (code: string, message: string): Reason => ({ kind: 'policy', code, message })

/** What denies whatever the roles. */
function refusal({ situation, isEntitled }: Findings): Reason | undefined {
  if (situation === undefined) return undefined
  const { user, place } = situation
  if (user.state === 'found' && user.item.status !== 'active') return policy('UserDisabled', `The user is ${user.item.status}.`)
  if (place.client.state === 'found' && place.client.item.status !== 'active')
    return policy('ClientSuspended', `The client is ${place.client.item.status}.`)
  if (user.state === 'found' && !isOfClient(user.item, place.path.client_id)) return policy('ForeignUser', 'The user is of another client.')
  return isEntitled ? undefined : policy('NotEntitled', 'Neither the building nor its project has an active subscription of the module.')
}

/** Why nothing allows: faults before names, names before policy (spec rule 19). */
function reasonOf(findings: Findings): Reason {
  if (lookedAt(findings).some(({ state }) => state === 'malformed')) return fault
  const reason = unknownReason(findings) ?? refusal(findings)
  if (reason !== undefined) return reason
  const { judged, permission } = findings
  if (judged.length === 0) return policy('NoAssignment', 'The user has no assignment in the scope chain.')
  const [first] = judged.flatMap(({ flaw }) => flaw ?? [])
  const isEffective = judged.some(({ flaw }) => flaw === undefined)
  if (!isEffective && first !== undefined) return policy(first.code, first.message)
  return policy('NoGrant', `No role that the user has in the scope chain grants ${permissionWords(permission)}.`)
}
