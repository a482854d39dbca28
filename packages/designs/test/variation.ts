import { type AnyDesign, type Entity, isFreeholdError } from '@freehold/table'
import { keyPlaceholders } from '@freehold/table/runtime'
import { anyItem, type Needed, type Values } from './any-item.ts'
import type { ownTableOf } from './own-table.ts'

export type AnyTable = Awaited<ReturnType<typeof ownTableOf<AnyDesign>>>

/** A change of one attribute of an item, what must be there for it, and all values of the item afterwards, copies too. */
export interface Variation {
  readonly needs: readonly Needed[]
  readonly change: Values
  readonly values: Values
}

const without = (values: Values, names: readonly string[]): Values =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)))

/** The attributes that are copied through a reference which leads elsewhere when `name` changes. */
function copiesMovedBy({ attributes, form }: Entity, name: string): string[] {
  const moved = form.references.filter(
    ({ attribute, by, when }) => attribute === name || Object.values(by).includes(name) || when[name] !== undefined,
  )
  return Object.keys(attributes).filter((each) => moved.some(({ attribute }) => attribute === attributes[each]?.source?.through))
}

/** The attribute that a caller changes in order to change this one: a copy changes when what it is copied through leads elsewhere. */
export const changeable = ({ attributes }: Entity, name: string): string => attributes[name]?.source?.through ?? name

/** Another value of an attribute of an item, or null to take it away; everything else stays as it is. */
export function variation(design: AnyDesign, entity: Entity, current: Values, attribute: string, to: 'another' | null): Variation {
  const name = changeable(entity, attribute)
  const moved = copiesMovedBy(entity, name)
  // Its other targets are of one tenant, so it stays with that one.
  const tenant = design.form.tenantOf?.(entity).attribute
  const kept = without(current, [name, ...moved.filter((each) => each !== tenant || each === attribute)])
  for (let seed = 1000; seed < 1100; seed++) {
    const { needs, input, copies } = anyItem(design, entity.name, seed, to === null ? { ...kept, [name]: null } : kept)
    const copied = Object.fromEntries(moved.map((each) => [each, copies[each]]))
    const values = { ...kept, [name]: input[name], ...copied }
    if (values[attribute] !== current[attribute]) return { needs, change: { [name]: input[name] ?? null }, values }
  }
  throw new Error(`No other value of ${entity.name}.${attribute} was found.`)
}

/** Creates what is needed; what is there already is what is meant. */
export async function createNeeds(table: AnyTable, needs: readonly Needed[]): Promise<void> {
  for (const { entity, input } of needs) {
    await table
      .repositoryNamed(entity)
      .create(input)
      .catch((error: unknown) => {
        if (!isFreeholdError(error, 'AlreadyExists')) throw error
      })
  }
}

export const idOf = (entity: Entity, values: Values): Values =>
  Object.fromEntries(
    keyPlaceholders(entity).flatMap((placeholder) => (values[placeholder] === undefined ? [] : [[placeholder, values[placeholder]]])),
  )

/** An update, or a move where the table key mentions the attribute. */
export async function vary(table: AnyTable, entity: Entity, current: Values, { change }: Variation): Promise<void> {
  const repository = table.repositoryNamed(entity.name)
  const isOfKey = Object.keys(change).some((name) => keyPlaceholders(entity).includes(name))
  await (isOfKey ? repository.move : repository.update)(idOf(entity, current), change)
}
