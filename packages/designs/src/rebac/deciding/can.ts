import type { Can, Reason } from '../../decision/decision.ts'
import { malformedRecord } from '../../decision/fault.ts'
import type { LoadResult } from '../../decision/record.ts'
import type { Sources } from '../../decision/sources.ts'
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

/** A node's reason where it does not count: unknown, going, or not to be read. */
function nodeReason(what: 'User' | 'Location' | 'Page', name: string, node: LoadResult<unknown> | undefined): Reason | undefined {
  if (node?.state === 'found') return undefined
  if (node?.state === 'malformed') return malformedRecord
  if (node?.state === 'deleting')
    return { kind: 'unknown', code: 'BeingDeleted', message: `The ${what.toLowerCase()} ${JSON.stringify(name)} is being deleted.` }
  return { kind: 'unknown', code: `Unknown${what}`, message: `There is no ${what.toLowerCase()} ${JSON.stringify(name)}.` }
}

/** Something that a list was asked about by a name. */
interface AskedNode {
  readonly what: 'User' | 'Location' | 'Page'
  readonly name: string
  /** Undefined where the name stands for nothing. */
  readonly id: string | undefined
  /** Undefined where it was not read. */
  readonly node: LoadResult<unknown> | undefined
}

/** Why a list has no items, where that is because something that was asked about is not there; a list that is just empty has no reason. */
export function nothingReason(unusable: readonly LoadResult<unknown>[], nodes: readonly AskedNode[]): Reason | undefined {
  if (unusable.some(({ state }) => state === 'malformed')) return malformedRecord
  for (const { what, name, id, node } of nodes) {
    const reason = id !== undefined && node === undefined ? undefined : nodeReason(what, name, node)
    if (reason !== undefined) return reason
  }
  return undefined
}

/** True where a record that is not whole could have been part of a grant. */
function hasFault({ unusable, situation, page, groups, roles }: Findings): boolean {
  const found = situation === undefined ? [] : [situation.user, situation.location, situation.membership, ...situation.groups.unusable]
  const looked: LoadResult<unknown>[] = [...unusable, page.node, ...page.unusable, ...found]
  for (const group of groups.values()) for (const each of [group.node, ...group.unusable]) looked.push(each)
  for (const { role, permission } of roles.values()) looked.push(role, permission)
  return looked.some(({ state }) => state === 'malformed')
}

/** Why nothing allows: faults before names, names before policy (spec rule 19). */
function reasonOf(findings: Findings): Reason {
  const { asked, situation, page, ids } = findings
  if (hasFault(findings)) return malformedRecord
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
