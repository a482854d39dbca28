import { queryOptions } from '@tanstack/react-query'
import { designClient } from '../app/service.ts'
import { labelOf, ownKey, plain, type ToldDesign, type ToldPattern, textOf, type Values } from '../app/told.ts'

export interface Candidate {
  /** What the question takes. */
  readonly value: string
  readonly label: string
}

const stem = (name: string): string => plain(name).replace(/id$/, '')

/** The entity that a field names: the one of its own name. */
export function entityOfField({ form }: ToldDesign, field: string): string | undefined {
  return Object.keys(form.entities).find((name) => plain(name) === stem(field))
}

/** The entity that an item stands for: a uniqueness guard, a lookup item, and an edge with one end, such as an address of a user. */
export function standsFor({ form }: ToldDesign, name: string): string {
  const { owner, ends = [] } = form.entities[name] ?? {}
  const [end, ...more] = ends
  return owner ?? (end !== undefined && more.length === 0 ? end.to : name)
}

const forms: Readonly<Record<string, RegExp>> = {
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  ulid: /^[0-7][0-9a-hjkmnp-tv-z]{25}$/i,
  email: /^\S+@\S+$/,
  phone: /^\+[\d ()-]+$/,
}

/** False for a text that this kind cannot hold. */
export const fitsKind = (kind: string, text: string): boolean => forms[kind]?.test(text) ?? true

/** False for a text that the attribute of this name cannot hold, in the first of the entities that has it: the service would refuse it. */
export function fits({ form }: ToldDesign, entities: readonly string[], parameter: string, text: string): boolean {
  const kinds = entities.map((entity) => form.entities[entity]?.attributes?.[parameter]?.kind)
  return fitsKind(kinds.find((kind) => kind !== undefined) ?? '', text)
}

interface Search {
  readonly pattern: string
  readonly parameters: Readonly<Record<string, string>>
}
type Filled = Readonly<Record<string, string>>
const searches_max = 3

/**
 * The access patterns that give items of the entity by what is known: those that take nothing, or what other fields have; and, once there is text, those that
 * take one text, such as an address. The design has each of them, so that no search reads a table whole.
 */
export function searchesFor(design: ToldDesign, entity: string, typed: string, filled: Filled): readonly Search[] {
  const { form } = design
  const tells = (name: string) => standsFor(design, name) === entity
  const found = Object.entries(form.patterns).flatMap(
    ([pattern, { parameters = [], returns, operation }]: [string, ToldPattern]): Search[] => {
      if (!returns.some(tells)) return []
      const known = parameters.map(
        (name) => [name, Object.entries(filled).find(([field, value]) => stem(field) === stem(name) && value !== '')?.[1]] as const,
      )
      const open = known.filter(([, value]) => value === undefined).map(([name]) => name)
      const [only] = open
      if (open.length === 0 && operation === 'query')
        return [{ pattern, parameters: Object.fromEntries(known.map(([name, value]) => [name, value ?? ''])) }]
      if (
        open.length !== 1 ||
        only === undefined ||
        typed === '' ||
        parameters.length !== 1 ||
        !fits(design, [entity, ...returns], only, typed)
      )
        return []
      // What begins at the item itself, such as its identities, finds no item of this entity.
      if (!returns.includes(entity) && stem(only) === plain(entity)) return []
      return [{ pattern, parameters: { [only]: typed } }]
    },
  )
  return found.slice(0, searches_max)
}

/** An item as a choice: what names it in the question, and how people call it. Flows take ids alone. */
function candidateOf(design: ToldDesign, entity: string, item: Values, takesId: boolean): readonly Candidate[] {
  const own = ownKey(design, entity)
  const id = own === undefined ? undefined : item[own]
  const email = item.email
  const value = typeof email === 'string' && !takesId ? email : textOf(id)
  const label = labelOf(item)
  return value === '' ? [] : [{ value, label: label === undefined || label === value ? value : `${label} · ${value}` }]
}

/**
 * The candidates of a field. One search that fails finds nothing: the text itself can always be asked about.
 * @param byId the entity that a field of a flow names, by its id
 */
export const candidatesQuery = (design: ToldDesign, field: string, typed: string, filled: Filled, byId?: string) => {
  const entity = byId ?? entityOfField(design, field)
  const searches = entity === undefined ? [] : searchesFor(design, entity, typed, filled)
  return queryOptions({
    queryKey: ['candidates', design.form.design, field, byId, searches],
    queryFn: async ({ signal }): Promise<readonly Candidate[]> => {
      const client = designClient(design.form.design)
      const pages = await Promise.all(
        searches.map(async ({ pattern, parameters }) => {
          const how = design.form.patterns[pattern]?.operation === 'get' ? { signal } : { signal, limit: 50 }
          const answer = await client.pattern(pattern, parameters, how).catch(() => undefined)
          if (answer === undefined) return []
          return Array.isArray(answer.items) ? (answer.items as Values[]) : [answer]
        }),
      )
      const all = new Map<string, Candidate>()
      // A lookup item has no name: it takes none from an item that was found, too.
      for (const each of pages.flat().flatMap((item) => candidateOf(design, entity ?? '', item, byId !== undefined)))
        if (each.label !== each.value || !all.has(each.value)) all.set(each.value, each)
      return [...all.values()]
    },
    enabled: searches.length > 0,
  })
}
