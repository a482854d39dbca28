import type { Entity } from '@freehold/table'
import type { Chance } from './chance.ts'
import { domainOf } from './domain.ts'
import { respelled } from './normal.ts'
import { type Item, keyPlaceholdersOf, listReferencesOf, type Reference, referencesOf } from './parts.ts'
import type { Values } from './templates.ts'
import { live, type World } from './world.ts'

/** The items of an entity that are there and not expired. */
export function itemsOf(world: World, { name }: Entity): readonly Item[] {
  return [...world.items].filter(([place, { Type }]) => Type === name && live(world, place) !== undefined).map(([, item]) => item)
}

export function idOf(entity: Entity, item: Values): Values {
  return Object.fromEntries(
    keyPlaceholdersOf(entity).flatMap((placeholder) =>
      item[placeholder] === undefined || item[placeholder] === null ? [] : [[placeholder, item[placeholder]]],
    ),
  )
}

export function anyOf(entity: Entity, name: string, chance: Chance): unknown {
  const attribute = entity.attributes[name]
  return attribute === undefined ? undefined : chance.one(domainOf(attribute))
}

/** Some values in another spelling, of kinds that take one. */
export function spelled(entity: Entity, values: Values, chance: Chance): Values {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const { name: kind = '', schema } = entity.attributes[name]?.kind ?? {}
      const other = chance.percent(5) ? respelled(kind, value) : value
      return [name, schema?.safeParse(other).success === false ? value : other]
    }),
  )
}

/** Attributes that lead to something that is there, mostly. Empty where it cannot be led. */
function leading(world: World, entity: Entity, { to, by, absent, when }: Reference, values: Values, chance: Chance): Values {
  const own = (name: string) => entity.attributes[name]?.presence !== 'copied' && entity.attributes[name] !== undefined
  const all = itemsOf(world, to)
  const fitting = all.filter((item) =>
    Object.entries(by).every(([placeholder, name]) => values[name] === undefined || values[name] === item[placeholder]),
  )
  const target = chance.percent(5) ? undefined : chance.one(fitting.length > 0 ? fitting : all)
  const placeholders = Object.entries(by).filter(([, name]) => own(name))
  const filled = placeholders.map(([placeholder, name]) => [
    name,
    target === undefined ? anyOf(entity, name, chance) : (target[placeholder] ?? absent[name] ?? null),
  ])
  return { ...Object.fromEntries(filled), ...when }
}

/** For each reference of an entity, or one case of it, the attributes that lead somewhere. `names`: only through these. */
export function leads(world: World, entity: Entity, chance: Chance, names?: readonly string[]): Values {
  const references = referencesOf(entity)
  let values: Values = {}
  for (const attribute of new Set(references.map((reference) => reference.attribute))) {
    if (names !== undefined && !names.includes(attribute)) continue
    if (names === undefined && entity.attributes[attribute]?.presence === 'optional' && chance.percent(50)) continue
    const reference = chance.one(references.filter((each) => each.attribute === attribute))
    if (reference !== undefined) values = { ...values, ...leading(world, entity, reference, values, chance) }
  }
  return values
}

/** For each reference of a list, a few that are there, as the reference asks for them or not. `names`: only of these attributes. */
export function listed(world: World, entity: Entity, chance: Chance, names?: readonly string[]): Values {
  const asked = listReferencesOf(entity).filter(({ attribute }) => names === undefined || names.includes(attribute))
  return Object.fromEntries(
    asked.map(({ attribute, to, by }) => {
      const [placeholder = ''] = Object.keys(by)
      const all = [...new Set(itemsOf(world, to).map((item) => item[placeholder]))]
      return [attribute, all.filter(() => chance.percent(all.length > 3 ? 20 : 40)).slice(0, 3)]
    }),
  )
}

/** A new item: led to what is there, optional and made values now and then. */
export function newValues(world: World, entity: Entity, chance: Chance): Values {
  const values: Record<string, unknown> = { ...leads(world, entity, chance), ...listed(world, entity, chance) }
  for (const [name, { presence, madeOnWrite }] of Object.entries(entity.attributes)) {
    if (values[name] !== undefined || presence === 'copied' || madeOnWrite) continue
    const isId = keyPlaceholdersOf(entity).includes(name)
    if (presence === 'given' || chance.percent(isId ? 85 : 50)) values[name] = anyOf(entity, name, chance)
  }
  return spelled(entity, Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null)), chance)
}
