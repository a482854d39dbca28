import {
  type Evidence,
  evidence,
  explained,
  type LoadResult,
  malformedNames,
  type Sources,
  unusableAmong,
  unusableEvidence,
  type Why,
} from '@freehold/frame/decision'
import { idOfItem } from '@freehold/frame/flow'
import type { Entity, Item } from '@freehold/table'
import {
  Building,
  Permission as CatalogueEntry,
  Client,
  Project,
  Role,
  RolePermissionLink,
  ServiceSubscription,
  User,
  UserRoleAssignment,
} from '../design.ts'
import { permissionWords } from '../permission/permission.ts'
import { type Findings, findingsOf, type Granting, roleName } from './access.ts'
import { verdictOf } from './can.ts'
import type { RoleStep } from './hierarchy.ts'
import { entitling, isActiveSubscription, isOfClient, withoutModule } from './live-checks.ts'
import type { Access, ScopeAsked } from './question.ts'
import { isAt, scopesOf } from './scope.ts'
import type { Situation } from './situation.ts'

/** The same as `can`, by the same reads, with the items that it rests on. */
export async function why(sources: Sources, asked: Access): Promise<Why> {
  const findings = await findingsOf(sources, asked)
  const now = sources.runtime.now().toISOString()
  const before = findings.grants.length === 0 ? [] : scopeChain(findings, now)
  return explained(
    verdictOf(findings),
    findings.grants,
    (granting) => [...before, ...grantChain(findings, granting)],
    () => missingIn(findings, now),
  )
}

type Ids = Readonly<Record<string, string>>

const found = (step: string, entity: Entity, id: Ids, message: string, as?: Evidence['as']): Evidence =>
  evidence(step, entity, id, 'found', message, as)

interface Node {
  readonly step: string
  readonly entity: Entity
  readonly id: Ids
  readonly looked: LoadResult<unknown>
}

/** The user and the scope chain, from the client down. */
function nodesOf({ user, user_id, scope: { path, client, project, building } }: Situation): readonly Node[] {
  const { client_id, project_id = '', building_id = '' } = path
  const nodes: (Node | undefined)[] = [
    { step: 'user', entity: User, id: { id: user_id }, looked: user },
    { step: 'client', entity: Client, id: { id: client_id }, looked: client },
    project === undefined ? undefined : { step: 'project', entity: Project, id: { client_id, id: project_id }, looked: project },
    building === undefined ? undefined : { step: 'building', entity: Building, id: { project_id, id: building_id }, looked: building },
  ]
  return nodes.flatMap((node) => node ?? [])
}

/** The status of a project or building is set by its operator, and decides nothing. */
const standing = (step: string) => (step === 'user' || step === 'client' ? ' and active' : '')

function scopeChain({ asked, situation }: Findings, now: string): Evidence[] {
  if (situation === undefined) return []
  const nodes = nodesOf(situation).map(({ step, entity, id }) => found(step, entity, id, `The ${step} is there${standing(step)}.`))
  const { module_id } = asked
  const subscription = entitling(situation.scope, asked, now)
  if (module_id === undefined || subscription === undefined) return nodes
  const { scope_type, scope_id } = subscription
  return [...nodes, found('entitlement', ServiceSubscription, { scope_type, scope_id, module_id }, `The ${scope_type} has the module.`)]
}

function roleWords(step: RoleStep | undefined): string {
  const name = roleName(step)
  return name === undefined ? 'role' : `role ${name}`
}

function grantChain({ permission }: Findings, { assignment, roles, pattern }: Granting): Evidence[] {
  const { scope_type, role_owner: owner, start_at, expires_at } = assignment
  const steps = roles.map((step, index) => {
    const { role_id, role_owner, definition } = step
    const as = definition.node.state === 'found' ? { version: definition.node.item.version } : undefined
    const is = index === 0 ? 'exists' : 'is above the role before, which grants all that this one does'
    return found('role', Role, { role_owner, id: role_id }, `The ${roleWords(step)} ${is}.`, as)
  })
  const last = roles.at(-1)
  const isLinked = last?.definition.node.state === 'found' && last.definition.node.item.permission_form === 'linked'
  const granting = { role_id: last?.role_id ?? '', permission: permissionWords(pattern) }
  return [
    found(
      'assignment',
      UserRoleAssignment,
      idOfItem(UserRoleAssignment, assignment),
      `The user has the role at the ${scope_type}${expires_at === undefined ? '' : ` until ${expires_at}`}.`,
      { role_owner: owner ?? null, start_at: start_at ?? null, expires_at: expires_at ?? null },
    ),
    ...steps,
    found(
      'permission',
      isLinked ? RolePermissionLink : Role,
      granting,
      `The ${roleWords(last)} grants ${permissionWords(pattern)}, which covers ${permissionWords(permission)}.`,
    ),
  ]
}

function missingIn(findings: Findings, now: string): readonly Evidence[] {
  const { asked, ids, unusable, situation } = findings
  const { text } = asked.user
  return [
    ...(ids.user === undefined ? [evidence('user', User, { email: text }, 'missing', `No user is called ${JSON.stringify(text)}.`)] : []),
    ...(ids.path === undefined ? [noScope(asked)] : []),
    ...malformedNames(unusable),
    ...(situation === undefined ? [] : missingAt(findings, situation, now)),
  ]
}

function missingAt(findings: Findings, situation: Situation, now: string): readonly Evidence[] {
  return [
    ...nodesOf(situation).flatMap(({ step, entity, id, looked }) => unusableEvidence(step, entity, id, looked)),
    ...refusals(findings, situation, now),
    ...unusableAmong('assignment', situation.assignments.unusable),
    ...missingAssignments(findings, situation),
    ...missingGrants(findings),
  ]
}

/** A scope that was asked for by its bare id. */
function noScope({ project, building }: ScopeAsked): Evidence {
  if (building !== undefined)
    return evidence('building', Building, { id: building }, 'missing', `No building has the id ${JSON.stringify(building)}.`)
  return evidence('project', Project, { id: project ?? '' }, 'missing', `No project has the id ${JSON.stringify(project)}.`)
}

function refusals({ asked, isEntitled }: Findings, { user, user_id, scope }: Situation, now: string): Evidence[] {
  const { client, path, subscriptions } = scope
  const told: Evidence[] = []
  if (user.state === 'found' && user.item.status !== 'active')
    told.push(evidence('user', User, { id: user_id }, 'inactive', `The user is ${user.item.status}.`))
  if (user.state === 'found' && !isOfClient(user.item, path.client_id))
    told.push(evidence('user', User, { id: user_id }, 'denies', 'The user is of another client.'))
  if (client.state === 'found' && client.item.status !== 'active')
    told.push(evidence('client', Client, { id: path.client_id }, 'inactive', `The client is ${client.item.status}.`))
  if (isEntitled) return told
  const { module_id = '', include_trial = false } = asked
  if (subscriptions.every(({ state }) => state === 'missing'))
    told.push(evidence('entitlement', ServiceSubscription, { module_id }, 'missing', withoutModule(path)))
  for (const each of subscriptions) {
    if (each.state === 'missing') continue
    if (each.state !== 'found') told.push(...unusableAmong('entitlement', [each]))
    else told.push(subscriptionEvidence(each.item, path.client_id, now, include_trial))
  }
  return told
}

type Subscription = Item<typeof ServiceSubscription>

function subscriptionEvidence(subscription: Subscription, client_id: string, now: string, include_trial: boolean): Evidence {
  const { scope_type, scope_id, module_id, status, end_date } = subscription
  const told = (state: Evidence['state'], message: string) =>
    evidence('entitlement', ServiceSubscription, { scope_type, scope_id, module_id }, state, message)
  if (!isAt(subscription, { client_id })) return told('denies', 'The subscription is of another client.')
  if (status === 'trial' && !include_trial) return told('denies', 'The subscription is a trial, which counts only with include_trial.')
  const isPast = end_date !== undefined && end_date <= now && !isActiveSubscription(subscription, now, include_trial)
  return told('expired', `The subscription is ${status}${isPast ? ` and ended at ${end_date}` : ''}.`)
}

function missingAssignments({ judged, hierarchy }: Findings, { user_id, scope, assignments }: Situation): Evidence[] {
  if (hierarchy === undefined) return []
  if (judged.length === 0 && assignments.unusable.length === 0)
    return scopesOf(scope.path).map((scope) =>
      evidence('assignment', UserRoleAssignment, { user_id, ...scope }, 'missing', `The user has no role at this ${scope.scope_type}.`),
    )
  return judged.flatMap(({ assignment, flaw }) =>
    flaw === undefined
      ? []
      : [evidence('assignment', UserRoleAssignment, idOfItem(UserRoleAssignment, assignment), flaw.state, flaw.message)],
  )
}

/** The missing permission of each role that counts, and of those above it. */
function missingGrants({ judged, hierarchy, permission }: Findings): Evidence[] {
  if (hierarchy === undefined) return []
  return judged.flatMap(({ assignment, flaw }): readonly Evidence[] => {
    if (flaw !== undefined) return []
    return hierarchy.chain(assignment).flatMap((step): readonly Evidence[] => {
      const { role_owner, role_id, definition, links } = step
      const { node, unusable } = definition
      const id = { role_owner, id: role_id }
      if (node.state !== 'found') return unusableEvidence('role', Role, id, node)
      const entries = (links?.found ?? []).flatMap(({ permission_id: entry }) =>
        unusableEvidence('permission', CatalogueEntry, { id: entry }, hierarchy.catalogue?.get(entry)),
      )
      return [
        ...unusable.flatMap((each) => unusableEvidence('permission', Role, id, each)),
        ...unusableAmong('permission', links?.unusable ?? []),
        ...entries,
        evidence('permission', Role, id, 'missing', `The ${roleWords(step)} lacks ${permissionWords(permission)}.`),
      ]
    })
  })
}
