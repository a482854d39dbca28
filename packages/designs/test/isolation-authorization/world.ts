import { localEngine } from '../../../frame/src/cedar/local-engine.ts'
import type { AuthorizationTable } from '../../src/authorization/authorization-table.ts'
import { decideAuthorization } from '../../src/authorization/decide.ts'
import { authorization } from '../../src/authorization/design.ts'
import { flowActions } from '../../src/authorization/flows/flow-actions.ts'
import { authorizationFlowsWith, offeredAuthorizationFlows } from '../../src/authorization/flows/flows.ts'
import { WatchedSender } from '../isolation/watched-sender.ts'
import { engineSender, ownTableOf } from '../own-table.ts'

// Two tenants, and users with a grant in one, in both and in none. Every id, name and address of a tenant or a user holds its mark, which is nowhere else.

export const sides = ['AA', 'BB'] as const
export type Side = (typeof sides)[number]
export const strangeMark = 'MARKZZ'
export const idOf = (code: string): string => `01J${'0'.repeat(17)}MARK${code}`
/** The words of a text that hold a mark. */
export const wordsIn = (text: string): readonly string[] => text.match(/[\w.@-]*mark[0-9A-Z]{2}[\w.@-]*/gi) ?? []
export const markIn = (word: string): string => /mark[0-9A-Z]{2}/i.exec(word)?.[0].toUpperCase() ?? ''

/** The roles of each user in each tenant; `global`: its own roles. */
const people: Readonly<Record<string, Partial<Record<Side | 'global', readonly string[]>>>> = {
  '01': { AA: ['owner'] },
  '02': { AA: ['clerk'] },
  '03': { AA: ['viewer'] },
  '04': { AA: [] },
  '05': { BB: ['owner'] },
  '06': { BB: ['clerk'] },
  '07': { BB: ['viewer'] },
  '08': { BB: [], global: ['auditor'] },
  '09': { AA: ['owner'], BB: ['viewer'] },
  '10': { AA: ['clerk'], BB: ['owner'], global: ['auditor'] },
  '11': { global: ['auditor'] },
  '12': {},
}
export const userCodes: readonly string[] = Object.keys(people)
export const roleNames = ['owner', 'clerk', 'viewer', 'secret', 'auditor', 'spare'] as const
export const scopeOfRole = (name: string): 'tenant' | 'global' => (name === 'auditor' ? 'global' : 'tenant')

const schema = `type Request = { tenant: Tenant };
entity Tenant;
entity Role;
entity GlobalRole;
entity User in [Role, GlobalRole];
action renameTenant, createGrant, changeGrantRoles, removeGrant, grantsOfTenant appliesTo { principal: User, resource: Tenant, context: Request };
action grant appliesTo { principal: User, resource: Role, context: Request };`

const policies = `@id("stay") forbid (principal, action, resource is Tenant) unless { resource == context.tenant };
@id("owners") permit (principal in Role::"owner", action in [Action::"renameTenant", Action::"removeGrant"], resource);
@id("members") permit (principal, action in [Action::"createGrant", Action::"changeGrantRoles"], resource)
when { principal in [Role::"owner", Role::"clerk"] };
@id("readers") permit (principal, action == Action::"grantsOfTenant", resource)
when { principal in [Role::"owner", Role::"clerk", Role::"viewer"] || principal in GlobalRole::"auditor" };
@id("owners-grant") permit (principal in Role::"owner", action == Action::"grant", resource)
when { resource in [Role::"owner", Role::"clerk", Role::"viewer"] };
@id("clerks-grant") permit (principal in Role::"clerk", action == Action::"grant", resource == Role::"viewer");`

const decide = decideAuthorization(await localEngine({ schema, policies: new Map([['test.cedar', policies]]) }))

export const flows = authorizationFlowsWith(flowActions)
export type FlowName = keyof typeof flows
// The names of a record of flows are those of the flows.
export const flowNames = Object.keys(flows) as FlowName[]

/** A table with both tenants, whose made ids hold the mark of the tenant that a step is for. */
export interface World {
  readonly table: AuthorizationTable
  readonly sender: WatchedSender
  readonly offered: ReturnType<typeof offeredAuthorizationFlows>
  readonly decide: typeof decide
  /** The mark of made ids, or none. */
  turnTo(mark: string): void
}

export async function newWorld(): Promise<World> {
  let [mark, count] = ['', 0]
  const offered = offeredAuthorizationFlows({ decider: decide })
  const sender = new WatchedSender(engineSender())
  const table = await ownTableOf(authorization, {
    sender,
    jobHandlers: offered.jobHandlers,
    secret: new Uint8Array(32),
    now: () => new Date('2026-02-01T12:00:00.000Z'),
    ids: { uuid: () => `made-${count++}-${mark}`, ulid: () => `02J${String(count++).padStart(23 - mark.length, '0')}${mark}` },
  })
  const turnTo = (of: string) => {
    mark = of
  }
  const operator = offered.of(table, { actor: { kind: 'operator', name: 'planter' } })
  const roles = new Map<string, string>()
  for (const name of roleNames.slice(0, -1)) roles.set(name, (await operator.createRole({ name, scope: scopeOfRole(name) })).roleId)
  const idsOf = (names: readonly string[]) => names.flatMap((name) => roles.get(name) ?? [])
  for (const side of sides) await operator.createTenant({ tenantId: idOf(side), name: `tenant mark${side}` })
  for (const [code, of] of Object.entries(people)) {
    const userId = idOf(code)
    await operator.createUser({ userId, email: `user-mark${code}@example.org`, givenName: `Given-mark${code}` })
    for (const roleId of idsOf(of.global ?? [])) await operator.giveGlobalRole({ userId, roleId })
    for (const side of sides) {
      const held = of[side]
      turnTo(`MARK${side}`)
      if (held !== undefined) await operator.createGrant({ tenantId: idOf(side), userId, roles: [...idsOf(held)] })
    }
    turnTo('')
  }
  return { table, sender, offered, decide, turnTo }
}
