import type { Chance } from './chance.ts'
import { itemsOf } from './choose-values.ts'
import { domainOf, near } from './domain.ts'
import { type Parameter, parametersOf, shapeOf } from './foresee-query.ts'
import { respelled } from './normal.ts'
import type { Reading, Step } from './step.ts'
import { placeholdersIn, type Values } from './templates.ts'
import type { World } from './world.ts'

/** Only such are asked for: what does not fit is another test's. */
function fits({ attribute, isEnd }: Parameter, isPart: boolean, value: unknown): boolean {
  if (isEnd && isPart) return typeof value === 'string' && value !== ''
  if (isEnd && attribute.kind.name === 'instant' && typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value)) return true
  return attribute.schema.safeParse(value).success
}

function beside(parameter: Parameter, isPart: boolean, value: unknown, chance: Chance): unknown {
  if (isPart && parameter.isEnd && typeof value === 'string') return value.slice(0, 1 + chance.below(value.length))
  const others = [...near(value), ...domainOf(parameter.attribute)].filter((other) => fits(parameter, isPart, other))
  return chance.one(others) ?? value
}

function readingOf(chance: Chance, isOnIndex: boolean): Reading {
  return {
    ...(chance.percent(70) ? { limit: 1 + chance.below(4) } : {}),
    ...(chance.percent(40) ? { order: chance.one(['ascending', 'descending'] as const) ?? 'ascending' } : {}),
    ...(!isOnIndex && chance.percent(30) ? { consistent: true } : {}),
  }
}

/** Parameters that are drawn from what is there, or from beside it. */
export function chooseQuery(world: World, name: string, chance: Chance): Pick<Step, 'input' | 'reading'> {
  const shape = shapeOf(world.design, name)
  if (shape.operation === 'get') throw new Error(`${name} is no query.`)
  const [partition, sort] = [`${shape.index ?? ''}PK`, `${shape.index ?? ''}SK`]
  const there = shape.entities.flatMap((entity) => itemsOf(world, entity)).filter((item) => typeof item[partition] === 'string')
  const example = chance.one(there)
  const isPart = shape.sort?.operator === 'begins_with_part'
  // Two ends of a range are drawn from two items.
  const held: Values = Object.assign(
    {},
    placeholdersIn(shape.partition, String(example?.[partition])),
    ...(shape.sort?.templates ?? []).map((template, index) =>
      placeholdersIn(
        template,
        String((index === 0 ? example : (chance.one(there.filter((item) => item[partition] === example?.[partition])) ?? example))?.[sort]),
      ),
    ),
  )
  const input: Record<string, unknown> = {}
  for (const [parameter, what] of parametersOf(shape)) {
    if (!what.isRequired && chance.percent(50)) continue
    const own = held[parameter] ?? example?.[parameter]
    const value = own === undefined || !fits(what, isPart, own) ? chance.one(domainOf(what.attribute)) : own
    const chosen = chance.percent(what.isEnd ? 50 : 12) ? beside(what, isPart, value, chance) : value
    input[parameter] = chance.percent(5) && !(isPart && what.isEnd) ? respelled(what.attribute.kind.name, chosen) : chosen
  }
  return { input, ...(chance.percent(85) ? { reading: readingOf(chance, shape.index !== undefined) } : {}) }
}
