import { type Can, malformedRecord, policy, type Reason, type Sources } from '@freehold/frame/decision'
import { denialAtPlace, type Findings, findingsOf } from './access.ts'
import type { Access } from './question.ts'

/** May this user do this in this menu here? */
export async function can(sources: Sources, asked: Access): Promise<Can> {
  return verdictOf(await findingsOf(sources, asked))
}

/** The answer, and why it is no. */
export function verdictOf(findings: Findings): Can {
  return findings.grants.length > 0 ? { allowed: true } : { allowed: false, reason: reasonOf(findings) }
}

function reasonOf(findings: Findings): Reason {
  const { asked, roles } = findings
  const isMalformed = [...roles.values()].some(({ role, permission }) => [role, permission].some(({ state }) => state === 'malformed'))
  if (isMalformed) return malformedRecord
  const nothing = policy('NoGrant', `No role of the user's groups may ${asked.action} in the menu ${JSON.stringify(asked.menu)}.`)
  return denialAtPlace(findings) ?? nothing
}
