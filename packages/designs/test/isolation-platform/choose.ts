import type { Attributes } from '@freehold/table'
import { keyPlaceholders } from '@freehold/table/runtime'
import { platform } from '../../src/platform/design.ts'
import { platformFlows as flows } from '../../src/platform/flows/flows.ts'
import type { Items } from '../isolation/watched-items.ts'
import type { Chance } from '../model/chance.ts'
import type { Item } from '../model/parts.ts'
import { accountOf, markOf, menus, people, type Side, sides, userOf, vault } from './world.ts'

export type FlowName = keyof typeof flows
// The names of a record of flows are those of the flows.
export const flowNames = Object.keys(flows) as FlowName[]
export const questions = ['can', 'why', 'what', 'who', 'where'] as const

/** By these a user may do more than before. */
const giving: readonly FlowName[] = [
  ...(['addToGroup', 'giveRole', 'setMenuPermission', 'replaceMenuPermissions', 'copyRole'] as const),
  ...(['updateUser', 'setEndDate', 'reactivateUser'] as const),
]
/** All but those after which less is left to try on. */
const lasting = flowNames.filter((name) => !/^(delete|remove|take|deactivate|erase)/.test(name))

/** One thing that a user does: a flow, a question or a list of its own account. */
export interface Step {
  readonly number: number
  readonly side: Side
  readonly actor: string
  readonly kind: 'flow' | 'keyed' | 'question' | 'list'
  readonly subject: string
  readonly input: Readonly<Record<string, unknown>>
}

/** Flows that come first, and how. */
export interface Wanted {
  readonly flows: readonly FlowName[]
  readonly isStrange: boolean
}

/** Cursors that a list gave, to whom ever. */
export type Cursors = Map<string, string[]>

const named: Readonly<Record<string, string>> = {
  userId: 'User',
  groupId: 'Group',
  roleId: 'Role',
  workstreamId: 'Workstream',
  licenseId: 'License',
  auditId: 'NotificationAudit',
  subjectId: 'User',
  user: 'User',
  workstream: 'Workstream',
}
/** The entity of the item that a flow names by `id`. */
const ofFlow: Readonly<Record<string, string>> = { deleteAccount: 'Account', copyRole: 'Role', exportAccount: 'Account' }

function entityOf(flow: FlowName): string | undefined {
  const { writes } = flows[flow] as { readonly writes?: Readonly<Record<string, { readonly name: string }>> }
  return ofFlow[flow] ?? (writes?.update ?? writes?.remove ?? writes?.create)?.name
}

/** Chooses the input of steps: mostly of the actor's own account, and in part of the other's. */
export class Choosing {
  private readonly items: Items
  private readonly chance: Chance
  private readonly cursors: Cursors
  private number = 0
  private strange_percent = 0

  constructor(items: Items, chance: Chance, cursors: Cursors) {
    this.items = items
    this.chance = chance
    this.cursors = cursors
  }

  /** @param wanted flows that come first; and whether with something of the other account's */
  step(number: number, { flows: wanted, isStrange }: Wanted): Step {
    const { chance } = this
    this.number = number
    this.strange_percent = chance.one([0, 0, 35, 100]) ?? 0
    const side = chance.one(sides) ?? 'aa'
    const name = chance.weighted({ lead: 60, clerk: 25, keeper: 5, idle: 5, ended: 5 })
    const kind = chance.weighted({ flow: 70, keyed: 8, question: 10, list: 12 })
    const common = { number, side, actor: userOf(side, name), kind }
    if (kind === 'question') return { ...common, subject: chance.one(questions) ?? 'can', input: this.question(side) }
    if (kind === 'list') {
      const begun = [...this.cursors.keys()].filter((name) => platform.form.patterns.has(name))
      const subject = (chance.percent(50) ? chance.one(begun) : undefined) ?? chance.one([...platform.form.patterns.keys()]) ?? ''
      const parameters = platform.form.patterns.get(subject)?.parameters ?? []
      const values = Object.fromEntries(parameters.map((parameter) => [parameter.name, this.value(parameter.name, side)]))
      return { ...common, subject, input: { parameters: values, how: { limit: 1 + chance.below(3), ...this.cursor(subject) } } }
    }
    const first = chance.percent(50) ? chance.one(wanted) : undefined
    if (first !== undefined) {
      this.strange_percent = isStrange ? 100 : 0
      return { ...common, actor: userOf(side, 'lead'), subject: first, input: this.flow(first, side) }
    }
    const flow = chance.one(chance.percent(60) ? giving : lasting) ?? 'addToGroup'
    // Somebody who may grant, and holds little.
    const actor = giving.includes(flow) && chance.percent(60) ? userOf(side, 'clerk') : common.actor
    return { ...common, actor, subject: flow, input: this.flow(flow, side) }
  }

  private cursor(subject: string): { readonly cursor?: string } {
    const cursor = this.chance.percent(60) ? this.chance.one(this.cursors.get(subject) ?? []) : undefined
    return cursor === undefined ? {} : { cursor }
  }

  /** One of an account: the actor's own, or the other's. */
  private itemOf(Type: string, side: Side): Item | undefined {
    const other = side === 'aa' ? 'bb' : 'aa'
    const of = accountOf(this.chance.percent(this.strange_percent) ? other : side)
    const all = [...this.items.values()].filter((item) => item.Type === Type)
    return this.chance.one(all.filter(({ accountId, id }) => accountId === of || (Type === 'Account' && id === of)))
  }

  private question(side: Side): Step['input'] {
    const place = {
      account: this.value('accountId', side),
      ...(this.chance.percent(30) ? { workstream: this.value('workstream', side) } : {}),
    }
    const user = this.chance.percent(30) ? this.itemOf('User', side)?.email : this.value('user', side)
    return { user, ...place, menu: this.chance.one(menus), action: this.chance.one(['view', 'create', 'edit', 'delete']) }
  }

  private flow(flow: FlowName, side: Side): Step['input'] {
    const { chance } = this
    const attributes: Attributes = flows[flow].input
    const entity = entityOf(flow)
    const isNew = /^(create|add|assign|issue|give|link|set(Technical|Menu)|ensure|send)/.test(flow)
    const item = entity === undefined || isNew ? undefined : this.itemOf(entity, side)
    const keys = entity === undefined ? [] : keyPlaceholders(platform.entities[entity as 'User'])
    const input: Record<string, unknown> = {}
    for (const [name, attribute] of Object.entries(attributes)) {
      const isKey = keys.includes(name) || name === 'id'
      if (name === 'id' && isNew && chance.percent(95)) continue
      if (!isKey && attribute.presence !== 'given' && chance.percent(40)) continue
      const value = isKey && item?.[name] !== undefined ? item[name] : this.value(name, side, entity, flow)
      if (value !== undefined) input[name] = value
    }
    return input
  }

  private value(name: string, side: Side, entity = 'Account', flow = ''): unknown {
    const { chance } = this
    const own = `${this.number}-${markOf(side)}`
    const of = name === 'id' ? entity : named[name]
    if (of !== undefined) return this.itemOf(of, side)?.id ?? `none-${markOf(side)}`
    const flags = () => ({
      canView: chance.percent(40),
      canCreate: chance.percent(20),
      canEdit: chance.percent(30),
      canDelete: chance.percent(10),
    })
    switch (name) {
      case 'accountId':
      case 'account':
      case 'tenant':
        return this.itemOf('Account', side)?.id
      case 'enterpriseId':
        return /Workstream/.test(flow) ? undefined : 'enterprise'
      case 'productId':
      case 'serviceId':
      case 'version':
      case 'wait':
      case 'newId':
        return undefined
      case 'cursor':
        return this.cursor(flow).cursor
      case 'limit':
        return 1 + chance.below(3)
      case 'days':
        return 400
      case 'seats':
        return 1 + chance.below(4)
      case 'menuKey':
        return chance.percent(30) ? vault : chance.one(menus)
      case 'permissions':
        return menus.filter(() => chance.percent(10)).map((menuKey) => ({ menuKey, ...flags() }))
      case 'canView':
      case 'canCreate':
      case 'canEdit':
      case 'canDelete':
      case 'isPrimary':
        return chance.percent(50)
      case 'endDate':
        return chance.one(['2026-01-15', '2026-06-01', '2027-01-01'])
      case 'startDate':
        return '2026-01-01'
      case 'from':
      case 'date':
      case 'before':
        return '2026-01-01'
      case 'to':
        return '2027-01-01'
      case 'status':
        return chance.one(['sent', 'skipped'])
      case 'actor':
        return userOf(chance.percent(50) ? 'aa' : 'bb', chance.one(people) ?? 'lead')
      case 'email':
        return chance.percent(80) ? `new-${own}@example.org` : this.itemOf('User', side)?.email
      case 'provider':
        return 'acme'
      case 'unknown':
        return chance.one(['link', 'make'])
      case 'recipient':
      case 'address':
        return this.itemOf('User', side)?.email
      case 'type':
        return 'credentials'
      case 'url':
        return `https://example.org/${markOf(side)}`
      case 'country':
        return 'DE'
      default:
        return `${name}-${own}`
    }
  }
}
