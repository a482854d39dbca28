import { type Can, malformedRecord, policy, type Reason, type Sources, unknownReason } from '@freehold/frame/decision'
import { type Findings, findingsOf } from './access.ts'
import { isOf, recordsOf } from './grants.ts'
import type { Access } from './question.ts'

/** May this user open this page at this location? */
export function can(sources: Sources, asked: Access): Promise<Can> {
  return findingsOf(sources, asked).then(verdictOf)
}

/** The answer, and why it is no. */
export function verdictOf(findings: Findings): Can {
  return findings.grants.length > 0 ? { allowed: true } : { allowed: false, reason: reasonOf(findings) }
}

/** True if a record that is malformed could have been part of a grant. */
function hasFault({ unusable, situation, page, groups, roles }: Findings): boolean {
  const found = situation === undefined ? [] : [situation.user, situation.location, situation.membership, ...situation.groups.unusable]
  const all = [...unusable, page.node, ...page.unusable, ...found, ...recordsOf(groups, roles)]
  return all.some(({ state }) => state === 'malformed')
}

/** Why nothing allows: faults before names, names before policy (spec rule 19). */
function reasonOf(findings: Findings): Reason {
  const { asked, situation, page, ids } = findings
  if (hasFault(findings)) return malformedRecord
  const unknown = unknownReason(
    [],
    [
      { what: 'User', name: asked.user.text, id: ids.user, result: situation?.user },
      { what: 'Location', name: asked.location.text, id: ids.location, result: situation?.location },
      { what: 'Page', name: asked.page, id: asked.page, result: page.node },
    ],
  )
  if (unknown !== undefined) return unknown
  if (situation?.membership.state !== 'found') return policy('NoMembership', 'The user does not belong to the location.')
  const isInGroup = situation.groups.found.some(({ groupId }) => isOf(findings.groups.get(groupId), situation.locationId))
  return isInGroup
    ? policy('NoGrant', "No role of the user's groups at the location allows the page.")
    : policy('NoGroup', 'The user is in no group of the location.')
}
