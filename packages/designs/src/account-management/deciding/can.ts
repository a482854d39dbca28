import {
  type AskedAbout,
  type Can,
  malformedRecord,
  policy,
  type Reason,
  type Sources,
  type Unusable,
  unknownReason,
} from '@freehold/frame/decision'
import { permissionWords } from '../permission/permission.ts'
import { type Findings, findingsOf, loadedFor, type UserAtScope } from './access.ts'
import { isOfClient, withoutModule } from './live-checks.ts'
import type { Access } from './question.ts'
import type { Ids } from './resolve.ts'
import type { ScopeFacts, Situation } from './situation.ts'

/** May this user do this at this scope? */
export async function can(sources: Sources, asked: Access): Promise<Can> {
  return verdictOf(await findingsOf(sources, asked))
}

/** The answer, and why it is no. */
export function verdictOf(findings: Findings): Can {
  return findings.grants.length > 0 ? { allowed: true } : { allowed: false, reason: reasonOf(findings) }
}

/** The result of reading by names. Parts that were not read are undefined. */
interface Read {
  readonly ids: Ids
  readonly unusable: readonly Unusable[]
  readonly user?: Situation['user'] | undefined
  readonly scope?: ScopeFacts | undefined
}

function askedScope({ path: { client_id, project_id, building_id }, client, project, building }: ScopeFacts): readonly AskedAbout[] {
  return [
    { what: 'Client', name: client_id, id: client_id, result: client },
    { what: 'Project', name: project_id, id: project_id, result: project },
    { what: 'Building', name: building_id, id: building_id, result: building },
  ]
}

/** The names in a question. */
type Named = Partial<Pick<Access, 'user' | 'project' | 'building'>>

/** Why nothing counts, because a name stands for nothing, or what it stands for is not there. */
export function unknownThere({ user, project, building }: Named, { ids, unusable, user: result, scope }: Read): Reason | undefined {
  const bare = { what: building === undefined ? 'Project' : 'Building', name: building ?? project }
  const scopes = scope === undefined ? [{ ...bare, id: ids.path?.client_id, result: undefined }] : askedScope(scope)
  return unknownReason(unusable, [{ what: 'User', name: user?.text, id: ids.user, result }, ...scopes], ' there')
}

export function userRefusal(user: Situation['user'] | undefined): Reason | undefined {
  if (user?.state !== 'found' || user.item.status === 'active') return undefined
  const { status, invitation_expires_at } = user.item
  // A user who was disabled after accepting the invitation has no invitation that ends.
  const is = status === undefined ? 'The user has no status.' : `The user is ${status}.`
  const message = invitation_expires_at === undefined ? is : 'The user has not accepted the invitation.'
  return policy('UserDisabled', message)
}

export function clientRefusal({ client }: ScopeFacts): Reason | undefined {
  if (client.state !== 'found' || client.item.status === 'active') return undefined
  return policy('ClientSuspended', `The client is ${client.item.status}.`)
}

/** Why nobody has a permission at a scope: it is not there, or its client denies. */
export function scopeReason(scope: ScopeFacts): Reason | undefined {
  return unknownReason([], askedScope(scope), ' there') ?? clientRefusal(scope)
}

export function entitlementRefusal({ path }: ScopeFacts): Reason {
  return policy('NotEntitled', withoutModule(path))
}

/** The reason for a denial that no role can change. */
function refusal({ situation, isEntitled }: UserAtScope): Reason | undefined {
  if (situation === undefined) return undefined
  const { user, scope } = situation
  const reason = userRefusal(user) ?? clientRefusal(scope)
  if (reason !== undefined) return reason
  if (user.state === 'found' && !isOfClient(user.item, scope.path.client_id)) return policy('ForeignUser', 'The user is of another client.')
  return isEntitled ? undefined : entitlementRefusal(scope)
}

/** Why a list has no items, if what was asked about is not there or denies. A list that is just empty has no reason. */
export function closedReason(at: UserAtScope): Reason | undefined {
  return unknownThere(at.asked, { ...at, ...at.situation }) ?? refusal(at)
}

/** Why no role counts at a scope: faults before names, names before policy (spec rule 19). Undefined if a role counts. */
export function denialAtScope(at: UserAtScope): Reason | undefined {
  if (loadedFor(at).some(({ state }) => state === 'malformed')) return malformedRecord
  const reason = closedReason(at)
  if (reason !== undefined) return reason
  const { judged } = at
  if (judged.length === 0) return policy('NoAssignment', 'The user has no assignment in the scope chain.')
  const [first] = judged.flatMap(({ flaw }) => flaw ?? [])
  const isEffective = judged.some(({ flaw }) => flaw === undefined)
  return isEffective || first === undefined ? undefined : policy(first.code, first.message)
}

/** Why nothing allows. */
function reasonOf(findings: Findings): Reason {
  const words = permissionWords(findings.permission)
  return denialAtScope(findings) ?? policy('NoGrant', `No role that the user has in the scope chain grants ${words}.`)
}
