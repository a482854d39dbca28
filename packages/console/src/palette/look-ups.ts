import { queryOptions } from '@tanstack/react-query'
import { designClient } from '../app/service.ts'
import { entityOf, hasLabel, keyOf, labelOf, placeholders, type ToldDesign, textOf, type Values } from '../app/told.ts'
import { fits } from '../ask/candidates.ts'

export interface FoundItem {
  readonly entity: string
  readonly id: Values
  readonly label: string
}

const ids_max = 12
const lists_max = 8
/** Kinds by which people know things, and not by their place in the design. */
const addressKinds = ['email', 'phone', 'username', 'code']

interface LookUp {
  readonly read: (signal: AbortSignal) => Promise<readonly Values[]>
  /** The items are a list of all, of which those with the text in their name are wanted. */
  readonly isList?: true
}

/** What the design can look up by this text: items by their id or name, by an address, and lists that take nothing. */
function lookUps(design: ToldDesign, typed: string): readonly LookUp[] {
  const { form } = design
  const client = designClient(form.design)
  const byKey = Object.entries(form.entities).flatMap(([entity, told]): LookUp[] => {
    const [own = '', ...others] = placeholders(told.key)
    const kind = told.attributes?.[own]?.kind
    if (told.kind !== 'entity' || told.appendOnly === true || others.length > 0 || kind === undefined) return []
    if (!fits(design, entity, own, typed) || (kind === 'opaque id' && /\s/.test(typed))) return []
    return [{ read: async (signal) => [(await client.get(entity, { [own]: typed }, { signal })) ?? []].flat() }]
  })
  const kinds = new Map(
    Object.values(form.entities).flatMap(({ attributes = {} }) =>
      Object.entries(attributes).map(([name, { kind }]) => [name, kind] as const),
    ),
  )
  const byText = Object.entries(form.patterns).flatMap(([pattern, { parameters = [], operation, returns }]): LookUp[] => {
    const [only, ...others] = parameters
    const read = async (signal: AbortSignal) => {
      const answer = await client.pattern(
        pattern,
        only === undefined ? {} : { [only]: typed },
        operation === 'get' ? { signal } : { signal, limit: 50 },
      )
      return Array.isArray(answer?.items) ? (answer.items as readonly Values[]) : answer === undefined ? [] : [answer]
    }
    if (only === undefined) {
      const isNamed = returns.some(
        (each) => hasLabel(form.entities[each] ?? { kind: 'edge', key: ['', ''] }) || form.entities[each]?.kind === 'mirror',
      )
      return operation === 'query' && isNamed && !returns.some((each) => form.entities[each]?.appendOnly) ? [{ read, isList: true }] : []
    }
    const kind = kinds.get(only) ?? ''
    const isAddress = addressKinds.includes(kind) || (kind === 'text' && operation === 'get')
    const owner = returns.map((each) => form.entities[each]?.owner ?? each)[0] ?? ''
    return others.length === 0 && isAddress && fits(design, owner, only, typed) ? [{ read }] : []
  })
  const lists = byText.filter(({ isList }) => isList)
  return [...byKey.slice(0, ids_max), ...byText.filter(({ isList }) => !isList).slice(0, lists_max), ...lists.slice(0, lists_max)]
}

/** The item that a lookup item or a guard is of. */
function itemOf(design: ToldDesign, item: Values): FoundItem | undefined {
  const told = design.form.entities[entityOf(item)]
  const entity = told?.owner ?? entityOf(item)
  const id = keyOf(design, entity, item)
  const key = placeholders(design.form.entities[entity]?.key ?? [])
  if (id === undefined || key.length === 0 || Object.keys(id).length < key.length) return undefined
  return { entity, id, label: labelOf(item) ?? textOf(id[key.at(-1) ?? '']) }
}

/** The items that a text names. A look-up that fails finds nothing. */
export const foundQuery = (design: ToldDesign, typed: string) =>
  queryOptions({
    queryKey: ['found', design.form.design, typed],
    enabled: typed.length > 1,
    queryFn: async ({ signal }): Promise<readonly FoundItem[]> => {
      const pages = await Promise.all(
        lookUps(design, typed).map(async ({ read, isList }) => {
          const items = await read(signal).catch(() => [])
          const wanted = typed.toLowerCase()
          return isList === true ? items.filter((item) => (labelOf(item) ?? '').toLowerCase().includes(wanted)) : items
        }),
      )
      const found = pages.flat().flatMap((item) => itemOf(design, item) ?? [])
      // A lookup item knows the item by the text alone, and another list by its name.
      const all = found.sort((one, other) => Number(other.label === typed) - Number(one.label === typed))
      return [...new Map(all.map((each) => [`${each.entity} ${JSON.stringify(each.id)}`, each])).values()].slice(0, 20)
    },
  })
