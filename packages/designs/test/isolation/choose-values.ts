import type { Attribute, Attributes, Entity } from '@freehold/table'
import { keyPlaceholders, type Stored } from '@freehold/table/runtime'
import { accountManagement } from '../../src/account-management/design.ts'
import { hashOf, sealed } from '../account-secrets.ts'
import type { Values } from '../any-item.ts'
import type { Chance } from '../model/chance.ts'
import { domainOf } from '../model/domain.ts'
import type { Land } from './land.ts'
import { catalogue, module_id, type Party, plantation } from './plant.ts'

/** The values to choose from: items that are there, the party that chooses, and new ids and texts. */
export interface Choosing {
  readonly land: Land
  readonly chance: Chance
  readonly number: number
  readonly now: Date
  /** How often a party does what it can do itself. */
  readonly honest_percent: number
  /** So late that a client may go. */
  readonly isLate: boolean
}

/** Which entity an attribute names an item of. */
const named: Readonly<Record<string, string>> = {
  client_id: 'Client',
  project_id: 'Project',
  building_id: 'Building',
  zone_id: 'Zone',
  parent_zone_id: 'Zone',
  user_id: 'User',
  owner_user_id: 'User',
  created_by: 'User',
  invited_by: 'User',
  granted_by: 'User',
  updated_by: 'User',
  revoked_by: 'User',
  role_id: 'Role',
  parent_role_id: 'Role',
  reassign_to: 'Role',
  permission_id: 'Permission',
  session_id: 'LoginSession',
}

const scopes: Readonly<Record<string, string>> = { client: 'Client', project: 'Project', building: 'Building', user: 'User' }

/** Items of an entity that a party can name: its own, and what is shared. */
export function itemsOf({ land }: Choosing, { client_id }: Party, entity: string): readonly Stored[] {
  const isShared = entity === 'Permission' || entity === 'PermissionKey'
  return land.of(isShared ? 'nobody' : client_id).filter(({ Type }) => Type === entity)
}

const day_ms = 86_400_000
const later = ({ now, chance }: Choosing) => new Date(now.getTime() + (1 + chance.below(300)) * day_ms).toISOString()

/** A value of a kind, new and marked. */
export function freshValue(choosing: Choosing, { mark }: Party, name: string, attribute: Attribute): unknown {
  const { chance, number } = choosing
  const { kind } = attribute
  if (name === 'module_id') return chance.percent(70) ? module_id : `fafafafa-0000-4000-8000-${String(chance.below(5)).padStart(12, '0')}`
  if (name === 'usage_quota') return { calls: chance.below(50), [mark]: 1 }
  if (name === 'permissions' || name === 'add' || name === 'remove')
    return [chance.one(catalogue), chance.one(catalogue)].filter((_, index) => index === 0 || chance.percent(50))
  if (['module', 'action', 'resource'].includes(name)) return `${name} ${chance.below(1000)}`
  // Two identities at once are of two people.
  if (name === 'provider') return `${name}-${chance.below(1000)}`
  if (name === 'subject') return `${name} ${chance.below(1000)} ${mark}`
  if (name === 'expires_at' || name === 'end_date' || name === 'invitation_expires_at')
    return later(choosing).slice(0, kind.name === 'day' ? 10 : 24)
  if (name === 'start_at' || kind.name === 'instant') return new Date(choosing.now.getTime() - chance.below(1000)).toISOString()
  if (kind.name === 'email') return `new${number}.${mark}@example.org`
  if (name === 'password_hash') return hashOf(`${number} ${mark}`)
  if (name === 'mfa_secret') return sealed(`${number} ${mark}`)
  if (kind.name === 'text' || kind.name === 'verbatim') return `${name} ${number} ${mark}`
  if (kind.name === 'map') return { [`note ${number}`]: mark }
  return chance.one(domainOf(attribute)) ?? null
}

/** One that a party has of what an attribute names; undefined where the attribute names nothing, or there is none. */
function nameable(choosing: Choosing, party: Party, name: string, so_far: Values): unknown {
  const { chance } = choosing
  const entity = name === 'scope_id' ? scopes[String(so_far.scope_type)] : named[name]
  if (entity === undefined) return undefined
  const all = itemsOf(choosing, party, entity)
  const fitting = all.filter(
    (item) => so_far.building_id === undefined || item.building_id === undefined || item.building_id === so_far.building_id,
  )
  return chance.one(fitting)?.id
}

/** The values of a new item, or of a flow's input: names of what the party has, and new texts. */
export function newValues(
  choosing: Choosing,
  party: Party,
  attributes: Attributes,
  { of, spare_percent = 60 }: { readonly of?: string; readonly spare_percent?: number } = {},
): Values {
  const { chance } = choosing
  const values: Record<string, unknown> = {}
  const names = Object.keys(attributes)
  // Key attributes come first: the rest is chosen beneath them.
  names.sort((a, b) => Number(b === 'scope_type' || b === 'building_id') - Number(a === 'scope_type' || a === 'building_id'))
  for (const name of names) {
    const attribute = attributes[name]
    if (attribute === undefined || attribute.presence === 'copied' || attribute.madeOnWrite) continue
    if (attribute.presence !== 'given' && chance.percent(name === 'client_id' ? 10 : spare_percent)) continue
    // Given, it is mostly one that is taken.
    if (name === 'id' && chance.percent(70)) continue
    if (name === 'id' && of !== undefined && chance.percent(70)) {
      const systems = choosing.land.of('nobody').filter(({ Type }) => Type === of)
      values.id =
        (chance.percent(20) ? chance.one(systems) : undefined)?.id ?? chance.one(itemsOf(choosing, party, of))?.id ?? party.client_id
      continue
    }
    if (name === 'role_owner') continue
    const value = nameable(choosing, party, name, values) ?? freshValue(choosing, party, name, attribute)
    if (value !== null && value !== undefined) values[name] = value
  }
  if (attributes.role_owner !== undefined) values.role_owner = chance.percent(85) ? party.client_id : 'SYSTEM'
  return values
}

export function entityNamed(name: string): Entity {
  const entity = accountManagement.form.entities.get(name)
  if (entity === undefined) throw new Error(`There is no entity ${name}.`)
  return entity
}

export function idIn(entity: Entity, item: Values): Values {
  return Object.fromEntries(
    keyPlaceholders(entity).flatMap((placeholder) => (item[placeholder] === undefined ? [] : [[placeholder, item[placeholder]]])),
  )
}

/** Texts that mean something to a key, to a tenant scope or to a careless reader. */
const hostile = [
  '',
  '#',
  'SYSTEM',
  'CLIENT#',
  'FREEHOLD_JOBS',
  '*',
  '\u0000',
  '\u{10ffff}',
  'ſ',
  '__proto__',
  'x'.repeat(3000),
  null,
  {},
  [],
  0,
  true,
] as const

/** Something in place of a value: another client's of the same name, a spelling or a part of it, or what means something else. */
export function hostileValue(choosing: Choosing, other: Party, name: string, value: unknown): unknown {
  const { chance } = choosing
  const theirs = nameable(choosing, other, name, { scope_type: chance.one(Object.keys(scopes)) }) ?? other.client_id
  return chance.percent(50) ? theirs : spoilt(choosing, String(theirs), value)
}

function spoilt({ chance }: Choosing, theirs: string, value: unknown): unknown {
  const ways: readonly (() => unknown)[] = [
    () => chance.one(plantation.internal),
    () => `CLIENT#${theirs}`,
    () => theirs.toUpperCase(),
    () => theirs.slice(0, -1),
    () => `${theirs}#${String(value)}`,
    () => `${String(value)}#${theirs}`,
    () => chance.one(hostile),
    () => chance.one(hostile),
    () => chance.one(hostile),
  ]
  return (chance.one(ways) ?? (() => ''))()
}
