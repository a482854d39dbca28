import type { Entity } from '@freehold/table'
import { accountManagement } from '../../src/account-management/design.ts'
import type { Values } from '../any-item.ts'
import { endsOf } from '../model/parts.ts'
import { type Choosing, entityNamed, freshValue, idIn, itemsOf, newValues } from './choose-values.ts'
import type { Party } from './plant.ts'
import type { Step, Verb } from './step.ts'

type Chosen = Pick<Step, 'input'> & Partial<Pick<Step, 'change' | 'how'>>

/** An item of the party, or the id of nothing. */
export function someId(choosing: Choosing, party: Party, entity: Entity): Values {
  const item = choosing.chance.one(itemsOf(choosing, party, entity.name))
  return item === undefined ? idIn(entity, newValues(choosing, party, entity.attributes, { spare_percent: 0 })) : idIn(entity, item)
}

function changeOf(choosing: Choosing, party: Party, entity: Entity, isMove: boolean): Values {
  const { chance } = choosing
  const placeholders = Object.keys(someId(choosing, party, entity))
  const isOpen = (name: string) =>
    chance.percent(5) ||
    (entity.attributes[name]?.presence !== 'copied' &&
      !entity.form.fixed.includes(name) &&
      !endsOf(entity).includes(name) &&
      isMove === placeholders.includes(name))
  const names = Object.keys(entity.attributes).filter(isOpen)
  const fresh = newValues(choosing, party, entity.attributes, { spare_percent: 0 })
  const change: Record<string, unknown> = {}
  for (let count = 1 + chance.below(2); count > 0; count--) {
    const name = chance.one(names)
    const attribute = name === undefined ? undefined : entity.attributes[name]
    if (name === undefined || attribute === undefined) continue
    change[name] =
      attribute.presence === 'optional' && chance.percent(25) ? null : (fresh[name] ?? freshValue(choosing, party, name, attribute))
  }
  return change
}

/** The writes of an entity that a party would try, and mostly can do. */
export function chooseVerb(choosing: Choosing, party: Party, verb: Verb, subject: string): Chosen {
  const { chance } = choosing
  const entity = entityNamed(subject)
  const version = chance.percent(10) ? { how: { version: 1 + chance.below(2) } } : {}
  switch (verb) {
    case 'create':
    case 'ensure':
      return { input: newValues(choosing, party, entity.attributes, { of: subject }) }
    case 'createMany':
      return { input: { items: [1, 2].map(() => newValues(choosing, party, entity.attributes, { of: subject })) } }
    case 'getMany':
      return { input: { items: [1, 2].map(() => someId(choosing, party, entity)) } }
    case 'get':
      return { input: someId(choosing, party, entity), how: { consistent: chance.percent(50), secrets: Object.keys(entity.attributes) } }
    case 'check':
    case 'remove':
      return {
        input: someId(choosing, party, entity),
        ...(verb === 'remove' && chance.percent(40) ? { how: { inUse: 'cascade' } } : version),
      }
    case 'update':
    case 'move':
      return { input: someId(choosing, party, entity), change: changeOf(choosing, party, entity, verb === 'move'), ...version }
    case 'transact':
      return {
        input: someId(choosing, party, entity),
        change: changeOf(choosing, party, entity, false),
        how: { verb: chance.weighted({ updating: 60, moving: 20, removing: 20 }) },
      }
  }
}

const always = { from: '2000-01-01', to: '2999-12-31' }

/** The parameters of an access pattern, as an item that it lists has them. */
export function chooseList(choosing: Choosing, party: Party, name: string): Chosen {
  const { chance } = choosing
  const pattern = accountManagement.form.patterns.get(name)
  const entity = pattern?.entities[0]
  if (pattern === undefined || entity === undefined) throw new Error(`There is no access pattern ${name}.`)
  const item = chance.one(itemsOf(choosing, party, chance.one(pattern.entities)?.name ?? entity.name)) ?? {}
  const { id } = item
  const known: Values = { client_id: id, user_id: id, role_id: id, permission_id: id, parent_role_id: id, ...always, ...item }
  const fresh = newValues(choosing, party, entity.attributes, { spare_percent: 0 })
  const input = pattern.parameters.flatMap((each) => {
    const value = known[each.name] ?? fresh[each.name]
    return value === undefined || (each.name === 'status' && chance.percent(50)) ? [] : [[each.name, value]]
  })
  const how = {
    limit: chance.percent(70) ? 1 + chance.below(3) : 100,
    consistent: chance.percent(30),
    order: chance.percent(50) ? 'ascending' : 'descending',
  }
  return { input: Object.fromEntries(input), ...(pattern.operation === 'get' ? {} : { how }) }
}
