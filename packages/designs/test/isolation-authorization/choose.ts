import { authorization } from '../../src/authorization/design.ts'
import type { Chance } from '../model/chance.ts'
import { actions, grantKey, type State } from './state.ts'
import { type FlowName, flowNames, flows, idOf, roleNames, type Side, scopeOfRole, sides, userCodes } from './world.ts'

/** What somebody does: a flow, under an idempotency key or not; or a question or a list within a tenant. */
export interface Step {
  readonly number: number
  /** The tenant that the step is about, if it is not about something of another's. */
  readonly side: Side
  /** The id of the calling user; undefined for an operator. */
  readonly actor: string | undefined
  readonly kind: 'flow' | 'keyed' | 'question' | 'list'
  readonly subject: string
  readonly key: string
  readonly input: Readonly<Record<string, unknown>>
}

export const questions = ['can', 'why', 'what', 'who', 'where'] as const
/** Cursors that a list gave, to whom ever. */
export type Cursors = Map<string, string[]>

/** The flows of operators, by weight: no more goes than comes. */
const byOperators: Partial<Record<FlowName, number>> = {
  ...{ createTenant: 8, renameTenant: 2, suspendTenant: 2, activateTenant: 8, deleteTenant: 1 },
  ...{ createUser: 16, updateUser: 2, changeEmail: 4, deleteUser: 2, giveGlobalRole: 4, takeGlobalRole: 2 },
  ...{
    createRole: 16,
    renameRole: 5,
    deleteRole: 2,
    createGrant: 20,
    changeGrantRoles: 16,
    removeGrant: 2,
    grantsOfTenant: 2,
    grantsOfUser: 2,
  },
}
// The keys of a record of weights are names of flows.
const weights = byOperators as Readonly<Record<FlowName, number>>
export const operatorFlows = Object.keys(byOperators) as FlowName[]

/** Chooses what comes next: mostly about one tenant, and in part about what is another's. */
export class Choosing {
  private readonly state: State
  private readonly chance: Chance
  private readonly cursors: Cursors
  private number = 0
  private strange_percent = 0

  constructor(state: State, chance: Chance, cursors: Cursors) {
    this.state = state
    this.chance = chance
    this.cursors = cursors
  }

  /**
   * @param wanted flows that no user has tried
   * @param undone flows that no operator has done
   */
  step(number: number, wanted: readonly FlowName[], undone: readonly FlowName[]): Step {
    const { chance } = this
    this.number = number
    this.strange_percent = chance.one([0, 0, 25, 70]) ?? 0
    const side = chance.one(sides) ?? 'AA'
    const kind = chance.weighted({ flow: 50, keyed: 10, operator: 18, question: 14, list: 8 })
    const common = { number, side, actor: this.actor(side), key: `key-${chance.below(4)}` }
    if (kind === 'question') return { ...common, kind, subject: chance.one(questions) ?? 'can', input: this.question(side) }
    if (kind === 'list') return { ...common, kind, ...this.list(side) }
    if (kind === 'operator') {
      const subject = (chance.percent(30) ? chance.one(undone) : undefined) ?? chance.weighted(weights)
      return { ...common, actor: undefined, kind: chance.percent(15) ? 'keyed' : 'flow', subject, input: this.flow(subject, side) }
    }
    const byUsers = actions as readonly FlowName[]
    const subject = chance.one(chance.percent(10) ? flowNames : chance.percent(30) && wanted.length > 0 ? wanted : byUsers) ?? 'createGrant'
    return { ...common, kind, subject, input: this.flow(subject, side) }
  }

  /** Mostly a member of the tenant. */
  private actor(side: Side): string {
    const members = userCodes.map(idOf).filter((user) => this.state.grants[grantKey(idOf(side), user)] !== undefined)
    return (this.chance.percent(80) ? this.chance.one(members) : undefined) ?? idOf(this.chance.one(userCodes) ?? '01')
  }

  private tenant(side: Side): string {
    return idOf(this.chance.percent(this.strange_percent) ? (side === 'AA' ? 'BB' : 'AA') : side)
  }

  private role(name: string | undefined = this.chance.one(roleNames)): string {
    const ids = Object.entries(this.state.roles).flatMap(([id, role]) => (role.name === name ? [id] : []))
    return this.chance.one(ids) ?? '02J00000000000000000000000'
  }

  private flow(flow: FlowName, side: Side): Step['input'] {
    const user = idOf(flow !== 'createUser' && this.chance.percent(4) ? '99' : (this.chance.one(userCodes) ?? '01'))
    const tenant = this.tenant(side)
    const input: Record<string, unknown> = {}
    for (const name of Object.keys(flows[flow].input)) {
      const value = this.value(name, side, flow, user, tenant)
      if (value !== undefined) input[name] = value
    }
    if (flow === 'createRole') input.scope = scopeOfRole(String(input.name))
    // Nothing is added and taken at once.
    if (Array.isArray(input.add) && Array.isArray(input.take))
      input.take = input.take.filter((id) => !(input.add as unknown[]).includes(id))
    return input
  }

  private roles(): readonly string[] | undefined {
    const { chance } = this
    if (chance.percent(20)) return undefined
    return [...new Set(Array.from({ length: chance.below(3) }, () => this.role()))]
  }

  private value(name: string, side: Side, flow: FlowName, user: string, tenant: string): unknown {
    const { chance, state } = this
    switch (name) {
      case 'tenantId':
        return tenant
      case 'userId':
        return user
      case 'tenantGrantId':
        return `02J00000000000000${'0'.repeat(3)}MARK${side}`
      case 'roleId':
        return this.role(flow.endsWith('GlobalRole') && chance.percent(60) ? 'auditor' : undefined)
      case 'add':
      case 'take':
      case 'roles':
        return this.roles()
      case 'scope':
        return undefined
      case 'email':
        return chance.percent(80) ? `user-${this.number}-${user.slice(-6).toLowerCase()}@example.org` : Object.values(state.users)[0]?.email
      case 'givenName':
        return `Given-${this.number}-${user.slice(-6).toLowerCase()}`
      case 'limit':
        return chance.percent(50) ? 1 + chance.below(3) : undefined
      case 'cursor':
        return chance.percent(40) ? chance.one(this.cursors.get(flow) ?? []) : undefined
      case 'name':
        if (flow === 'renameRole' && chance.percent(30)) return `role ${this.number}`
        if (/Role/.test(flow)) return chance.one(roleNames)
        return (chance.percent(15) ? state.tenants[this.tenant(side)]?.name : undefined) ?? `tenant ${this.number} mark${tenant.slice(-2)}`
      case 'policyId':
      case 'prefix':
        return 'p-1'
      default:
        return undefined
    }
  }

  /** A question that fits the schema: one that does not is no question. */
  private question(side: Side): Step['input'] {
    const { chance } = this
    const tenant = this.tenant(side)
    const user = this.actor(side)
    if (chance.percent(25)) {
      const id = this.role()
      // What is asked of a global role does not fit the schema.
      if (this.state.roles[id]?.scope !== 'global') return { user, tenant, action: 'grant', resource: { type: 'Role', id } }
    }
    const of = chance.percent(85) ? tenant : idOf(chance.one(sides) ?? 'AA')
    return { user, tenant, action: chance.one(actions), resource: { type: 'Tenant', id: of } }
  }

  private list(side: Side): Pick<Step, 'subject' | 'input'> {
    const { chance } = this
    const { patterns } = authorization.form
    const begun = [...this.cursors.keys()].filter((name) => patterns.has(name))
    const subject = (chance.percent(40) ? chance.one(begun) : undefined) ?? chance.one([...patterns.keys()]) ?? ''
    const user = idOf(chance.one(userCodes) ?? '01')
    const values: Readonly<Record<string, unknown>> = {
      ...{ tenantId: this.tenant(side), userId: user, actor: user, roleId: this.role(), prefix: 'p', policyId: 'p-1' },
      ...{ name: this.state.tenants[this.tenant(side)]?.name ?? 'none', email: this.state.users[user]?.email ?? 'none@example.org' },
      ...{
        scope: chance.one(['tenant', 'global']),
        tenantGrantId: '02J00000000000000000000000',
        phone: '+4930123456',
        preferredUsername: 'ada',
      },
    }
    const parameters = Object.fromEntries((patterns.get(subject)?.parameters ?? []).map(({ name }) => [name, values[name]]))
    const cursor = chance.percent(50) ? chance.one(this.cursors.get(subject) ?? []) : undefined
    return { subject, input: { parameters, how: { limit: 1 + chance.below(3), ...(cursor === undefined ? {} : { cursor }) } } }
  }
}
