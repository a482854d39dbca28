import { queryOptions } from '@tanstack/react-query'
import { designClient } from '../app/service.ts'
import { entityOf, hasLabel, keyOf, keyPlaceholders, labelOf, placeholders, type ToldDesign, textOf, type Values } from '../app/told.ts'
import { fits } from '../ask/candidates.ts'

export interface Found {
  readonly items: readonly FoundItem[]
  /** The lists of which the first page alone was searched for the text. */
  readonly cut: readonly string[]
}

export interface FoundItem {
  readonly entity: string
  readonly id: Values
  readonly label: string
}

/** Items of a list in which a name is looked for. */
export const listed_max = 50
const ids_max = 12
const lists_max = 8
/** Kinds by which people know things, and not by their place in the design. */
const addressKinds = ['email', 'phone', 'username', 'code']

interface LookUp {
  readonly read: (signal: AbortSignal) => Promise<FoundPage>
  /** The items are a list of all, of which those with the text in their name are wanted. */
  readonly list?: string
}
interface FoundPage {
  readonly items: readonly Values[]
  readonly isCut?: boolean
}

/** What the design can look up by this text: items by their id or name, by an address, and lists that take nothing. */
function lookUps(design: ToldDesign, typed: string): readonly LookUp[] {
  const { form } = design
  const client = designClient(form.design)
  const byKey = Object.entries(form.entities).flatMap(([entity, told]): LookUp[] => {
    const [own = '', ...others] = placeholders(told.key)
    const kind = told.attributes?.[own]?.kind
    if (told.kind !== 'entity' || told.appendOnly === true || others.length > 0 || kind === undefined) return []
    if (!fits(design, [entity], own, typed) || (kind === 'opaque id' && /\s/.test(typed))) return []
    return [{ read: async (signal) => ({ items: [(await client.get(entity, { [own]: typed }, { signal })) ?? []].flat() }) }]
  })
  const kinds = new Map(
    Object.values(form.entities).flatMap(({ attributes = {} }) =>
      Object.entries(attributes).map(([name, { kind }]) => [name, kind] as const),
    ),
  )
  const byText = Object.entries(form.patterns).flatMap(([pattern, { parameters = [], operation, returns }]): LookUp[] => {
    const [only, ...others] = parameters
    const read = async (signal: AbortSignal): Promise<FoundPage> => {
      const answer = await client.pattern(
        pattern,
        only === undefined ? {} : { [only]: typed },
        operation === 'get' ? { signal } : { signal, limit: listed_max },
      )
      const items = Array.isArray(answer?.items) ? (answer.items as readonly Values[]) : answer === undefined ? [] : [answer]
      return { items, isCut: answer?.cursor !== undefined }
    }
    if (only === undefined) {
      const isNamed = returns.some(
        (each) => hasLabel(form.entities[each] ?? { kind: 'edge', key: ['', ''] }) || form.entities[each]?.kind === 'mirror',
      )
      return operation === 'query' && isNamed && !returns.some((each) => form.entities[each]?.appendOnly) ? [{ read, list: pattern }] : []
    }
    const kind = kinds.get(only) ?? ''
    const isAddress = addressKinds.includes(kind) || (kind === 'text' && operation === 'get')
    const owner = returns.map((each) => form.entities[each]?.owner ?? each)[0] ?? ''
    return others.length === 0 && isAddress && fits(design, [owner], only, typed) ? [{ read }] : []
  })
  const lists = byText.filter(({ list }) => list !== undefined)
  return [...byKey.slice(0, ids_max), ...byText.filter(({ list }) => list === undefined).slice(0, lists_max), ...lists.slice(0, lists_max)]
}

/** The item that a lookup item or a guard is of. */
function itemOf(design: ToldDesign, item: Values): FoundItem | undefined {
  const told = design.form.entities[entityOf(item)]
  const entity = told?.owner ?? entityOf(item)
  const id = keyOf(design, entity, item)
  const key = keyPlaceholders(design, entity)
  if (id === undefined || key.length === 0 || Object.keys(id).length < key.length) return undefined
  return { entity, id, label: labelOf(item) ?? textOf(id[key.at(-1) ?? '']) }
}

/** The items that a text names. A look-up that fails finds nothing. */
export const foundQuery = (design: ToldDesign, typed: string) =>
  queryOptions({
    queryKey: ['found', design.form.design, typed],
    enabled: typed.length > 1,
    queryFn: async ({ signal }): Promise<Found> => {
      const pages = await Promise.all(
        lookUps(design, typed).map(async ({ read, list }) => {
          const { items, isCut = false } = await read(signal).catch((): FoundPage => ({ items: [] }))
          const wanted = typed.toLowerCase()
          const named = list === undefined ? items : items.filter((item) => (labelOf(item) ?? '').toLowerCase().includes(wanted))
          return { items: named, cut: isCut && list !== undefined ? [list] : [] }
        }),
      )
      const found = pages.flatMap(({ items }) => items).flatMap((item) => itemOf(design, item) ?? [])
      // A lookup item knows the item by the text alone, and another list by its name.
      const all = found.sort((one, other) => Number(other.label === typed) - Number(one.label === typed))
      const items = [...new Map(all.map((each) => [`${each.entity} ${JSON.stringify(each.id)}`, each])).values()].slice(0, 20)
      return { items, cut: pages.flatMap(({ cut }) => cut) }
    },
  })
