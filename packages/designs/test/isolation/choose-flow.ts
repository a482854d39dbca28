import type { Attributes } from '@freehold/table'
import { accountFlows } from '../../src/account-management/flows/flows.ts'
import type { Values } from '../any-item.ts'
import { chooseBound, laterEnd, timedAssignments } from './choose-time.ts'
import { type Choosing, entityNamed, itemsOf, newValues } from './choose-values.ts'
import type { Party } from './plant.ts'

export type FlowName = keyof typeof accountFlows

/** The subject of a flow, by its name; the first that fits. */
const abouts: readonly (readonly [RegExp, string])[] = [
  [/signIn|nkIdentity/, 'SignInIdentity'],
  [/Session/, 'LoginSession'],
  [/Token/, 'AuthToken'],
  [/Subscription|Trial|Quota/, 'ServiceSubscription'],
  [/Setting/, 'Setting'],
  [/assignRole|Assignment|revokeRole|revokeAllRoles/, 'UserRoleAssignment'],
  [/Role/, 'Role'],
  [/Permission/, 'Permission'],
  [/User|Invitation|Password|Mfa/, 'User'],
  [/[dD]evice/, 'Device'],
  [/[zZ]one/, 'Zone'],
  [/Building/, 'Building'],
  [/Project/, 'Project'],
  [/./, 'Client'],
]

const making = /^(create|invite|link|assignRole|startTrial|setSetting)/

/** Values that a flow takes and that no item has. */
function special(choosing: Choosing, flow: string, name: string): { readonly value: unknown } | undefined {
  const { chance, now } = choosing
  switch (name) {
    case 'start_at':
    case 'expires_at':
      return flow === 'assignRole' || flow === 'extendAssignment' ? { value: chooseBound(choosing, name) } : undefined
    case 'version':
    case 'cursor':
    case 'in_use':
      return { value: name === 'in_use' && chance.percent(60) ? 'cascade' : undefined }
    case 'system':
      return { value: chance.percent(10) ? true : undefined }
    case 'reassign_to':
    case 'parent_role_id':
    case 'parent_zone_id':
      return chance.percent(50) ? { value: undefined } : undefined
    case 'limit':
      return { value: 1 + chance.below(3) }
    case 'confirm_dangerous':
    case 'cascade':
    case 'wait':
      return { value: chance.percent(70) ? true : undefined }
    case 'amount':
      return { value: 1 }
    case 'counter':
      return { value: 'calls' }
    case 'at':
      return { value: new Date(now.getTime() - 1000 * chance.below(100)).toISOString() }
    case 'permission_form':
      return { value: chance.percent(50) ? 'linked' : 'embedded' }
    case 'value':
    case 'value_type':
      return flow === 'setSetting' ? { value: name === 'value' ? undefined : 'string' } : undefined
    default:
      return undefined
  }
}

const changesRoles: Readonly<Record<string, true>> = { add: true, remove: true, permissions: true }

/** The input of a flow as a party would give it, and mostly can. */
export function chooseFlow(choosing: Choosing, party: Party, flow: FlowName): Values {
  const { chance } = choosing
  const attributes: Attributes = accountFlows[flow].input
  const about = abouts.find(([form]) => form.test(flow))?.[1] ?? 'Client'
  const item = chance.one(itemsOf(choosing, party, about)) ?? {}
  const isNew = making.test(flow) && chance.percent(about === 'Setting' ? 50 : 90)
  const named = new Set([...Object.keys(idsOf(about)), 'id', 'user_id', 'role_id'])
  const fresh = newValues(choosing, party, attributes, { of: about, spare_percent: 40 })
  const input: Record<string, unknown> = {}
  for (const name of Object.keys(attributes)) {
    const given = special(choosing, flow, name)
    if (given !== undefined && given.value !== undefined) input[name] = given.value
    if (given !== undefined && (given.value !== undefined || attributes[name]?.presence !== 'given')) continue
    const own = isNew || (!named.has(name) && (changesRoles[name] === true || chance.percent(70))) ? undefined : item[name]
    const value = own ?? fresh[name]
    if (value !== undefined) input[name] = value
  }
  const timed = chance.percent(40) ? chance.one(timedAssignments(choosing, party, flow)) : undefined
  if (timed !== undefined) for (const name of ['user_id', 'role_id', 'scope_type', 'scope_id']) input[name] = timed[name]
  if (timed !== undefined && flow === 'extendAssignment' && chance.percent(50)) input.expires_at = laterEnd(choosing, timed)
  if (flow === 'moveBuilding') input.project_id = chance.one(itemsOf(choosing, party, 'Project'))?.id
  return input
}

function idsOf(about: string): Values {
  return Object.fromEntries(
    entityNamed(about).key.flatMap((template) => [...template.matchAll(/\{(\w+)\}/g)].map(([, placeholder = '']) => [placeholder, true])),
  )
}
