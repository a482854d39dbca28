import type { AnyDesign, Attribute, Entity, Runtime } from '@freehold/table'
import {
  consistent,
  dependantItems,
  keyPlaceholders,
  parallelMap,
  readItem,
  readItems,
  type Stored,
  tableKey,
  tableKeyIfPresent,
} from '@freehold/table/runtime'
import { ownerOf } from '../exchange/part.ts'
import { isName } from '../flow/identities/person-name.ts'
import { isAddress, isSubject, type PersonForm } from './person-form.ts'
import type { Known } from './traces.ts'

type Values = Readonly<Record<string, unknown>>

/** Of somebody who was renamed many times. */
const namesMax = 1000
const texts = (values: readonly unknown[]) => values.filter((value) => typeof value === 'string')

/** A name as people write it: each part, all in a row, and the last part first. */
function wholeNames(parts: readonly string[]): readonly string[] {
  const last = parts.at(-1)
  if (parts.length < 2 || last === undefined) return parts
  const others = parts.slice(0, -1).join(' ')
  return [...parts, parts.join(' '), `${last} ${others}`, `${last}, ${others}`]
}

/** What an item that is the person, or hangs on it, says by which it is known. */
function knownFrom({ own }: PersonForm, entity: Entity, item: Values): Known {
  const personal = own.get(entity.name) ?? new Set()
  const named = (is: (name: string, attribute: Attribute) => boolean) =>
    texts(Object.entries(entity.attributes).flatMap(([name, attribute]) => (personal.has(name) && is(name, attribute) ? [item[name]] : [])))
  return {
    addresses: named((_name, attribute) => isAddress(attribute)),
    names: wholeNames(named(isName)),
    subjects: named((name, attribute) => isSubject(entity, name, attribute)),
  }
}

/** All names that parts can make which a person had at one time or another. */
export function namesOf(parts: readonly (readonly [attribute: string, value: string])[]): readonly string[] {
  const byAttribute = new Map<string, Set<string>>()
  for (const [attribute, value] of parts) byAttribute.set(attribute, (byAttribute.get(attribute) ?? new Set()).add(value))
  const all = [...byAttribute.values()].reduce<readonly (readonly string[])[]>(
    (made, values) => made.flatMap((before) => [...values].map((value) => [...before, value])).slice(0, namesMax),
    [[]],
  )
  return all.flatMap(wholeNames)
}

export const joined = (all: readonly Known[]): Known => ({
  addresses: [...new Set(all.flatMap(({ addresses }) => addresses))],
  names: [...new Set(all.flatMap(({ names }) => names))],
  subjects: [...new Set(all.flatMap(({ subjects }) => subjects))],
})

/** How records name an item. */
const recordedId = (entity: Entity, item: Values) =>
  `${entity.name} ${
    typeof item.id === 'string'
      ? item.id
      : keyPlaceholders(entity)
          .map((name) => item[name])
          .join(' ')
  }`

/**
 * What the items say by which a person is known: the person's own, and its addresses, identities and contacts. Nothing if it is gone.
 * @param read `all`: also what tells no name, for the names of these items in records
 */
export async function knownOf(
  runtime: Runtime,
  form: PersonForm,
  id: string,
  read: 'names' | 'all' = 'names',
): Promise<{ readonly item: Stored | undefined; readonly items: ReadonlySet<string> } & Known> {
  const { person, idName, own } = form
  const { form: design } = runtime.design
  const item = await readItem(runtime, tableKey(person, { [idName]: id }), consistent)
  const hanging = new Set<string>()
  if (item === undefined) return { item, items: hanging, addresses: [], names: [], subjects: [] }
  const found: Known[] = [knownFrom(form, person, item)]
  for (const dependant of design.dependantsOf(person)) {
    const of = dependant.edge?.sides[0] ?? dependant.entity
    const isTelling = [...(own.get(of.name) ?? [])].some((name) => {
      const attribute = of.attributes[name]
      return attribute !== undefined && (isAddress(attribute) || dependant.edge !== undefined)
    })
    const side = dependant.enumeration?.side
    if (side === undefined || dependant.onRemove !== 'cascade' || (!isTelling && read === 'names')) continue
    for await (const page of dependantItems(runtime, person, item, dependant)) {
      const owner = ownerOf(side)
      const keys = owner === undefined ? [] : page.map((each) => tableKey(owner, each))
      const items =
        owner === undefined ? page : [...(await readItems(runtime, keys, consistent)).values()].filter((each) => each !== undefined)
      found.push(...items.map((each) => knownFrom(form, owner ?? side, each)))
      for (const each of items) hanging.add(recordedId(of, each))
    }
  }
  return { item, items: hanging, ...joined(found) }
}

/** Those of the addresses which are nobody's by now: who has taken one since is another person. */
export async function free(runtime: Runtime, { own }: PersonForm, addresses: readonly string[]): Promise<readonly string[]> {
  const design: AnyDesign = runtime.design
  const guards = [...own.keys()].flatMap((name) => {
    const entity = design.form.entities.get(name)
    const [only, ...others] = entity === undefined ? [] : keyPlaceholders(entity)
    const attribute = only === undefined ? undefined : entity?.attributes[only]
    return entity !== undefined && only !== undefined && others.length === 0 && attribute !== undefined && isAddress(attribute)
      ? [{ entity, only, attribute }]
      : []
  })
  const isTaken = await parallelMap(addresses, async (address) => {
    const keys = guards.flatMap(({ entity, only, attribute }) => {
      if (!attribute.schema.safeParse(address).success) return []
      const key = tableKeyIfPresent(entity, { [only]: address })
      return key === undefined ? [] : [key]
    })
    const there = await readItems(runtime, keys, consistent)
    return [...there.values()].some((item) => item !== undefined)
  })
  return addresses.filter((_address, index) => isTaken[index] !== true)
}
