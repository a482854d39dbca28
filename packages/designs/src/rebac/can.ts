import type { Can, Reason } from '../decision/decision.ts'
import type { Looked } from '../decision/record.ts'
import type { Sources } from '../decision/sources.ts'
import { type Findings, findingsOf } from './access.ts'
import { isOf } from './grants.ts'
import type { Access } from './question.ts'

/** May this user open this page at this location? */
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

/** A node's reason where it does not count: unknown, or going. */
function nodeReason(what: 'User' | 'Location' | 'Page', name: string, node: Looked<unknown> | undefined): Reason | undefined {
  if (node?.state === 'found') return undefined
  if (node?.state === 'deleting')
    return { kind: 'unknown', code: 'BeingDeleted', message: `The ${what.toLowerCase()} ${JSON.stringify(name)} is being deleted.` }
  return { kind: 'unknown', code: `Unknown${what}`, message: `There is no ${what.toLowerCase()} ${JSON.stringify(name)}.` }
}

/** True where a record that is not whole could have been part of a grant. */
function hasFault({ lost, situation, page, groups, standings }: Findings): boolean {
  const looked: Looked<unknown>[] = [...lost, page.node, ...page.lost]
  if (situation !== undefined) looked.push(situation.user, situation.location, situation.membership, ...situation.groups.lost)
  for (const group of groups.values()) looked.push(group.node, ...group.lost)
  for (const { role, permission } of standings.values()) looked.push(role, permission)
  return looked.some(({ state }) => state === 'malformed')
}

/** Why nothing allows: faults before names, names before policy (spec rule 19). */
function reasonOf(findings: Findings): Reason {
  const { asked, situation, page, ids } = findings
  if (hasFault(findings)) return fault
  const unknown =
    (ids.user === undefined ? nodeReason('User', asked.user.text, undefined) : undefined) ??
    (ids.location === undefined ? nodeReason('Location', asked.location.text, undefined) : undefined) ??
    nodeReason('User', asked.user.text, situation?.user) ??
    nodeReason('Location', asked.location.text, situation?.location) ??
    nodeReason('Page', asked.page, page.node)
  if (unknown !== undefined) return unknown
  if (situation?.membership.state !== 'found')
    return { kind: 'policy', code: 'NoMembership', message: 'The user does not belong to the location.' }
  const isInGroup = situation.groups.found.some(({ groupId }) => isOf(findings.groups.get(groupId), situation.locationId))
  return isInGroup
    ? { kind: 'policy', code: 'NoGrant', message: "No role of the user's groups at the location allows the page." }
    : { kind: 'policy', code: 'NoGroup', message: 'The user is in no group of the location.' }
}
