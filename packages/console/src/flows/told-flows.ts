import { queryOptions } from '@tanstack/react-query'
import { catalogueQuery, designClient, queries, type Session } from '../app/service.ts'
import { keyPlaceholders, plain, type ToldDesign, type ToldField, textOf, type Values } from '../app/told.ts'

export interface ToldInput extends ToldField {
  /** Its value if it is left out. */
  readonly otherwise?: string
  /** What is typed is hidden. */
  readonly secret?: true
}

/** A flow, as the catalogue tells it. */
export interface ToldFlow {
  readonly name: string
  readonly summary: string
  readonly needs: string | { readonly module: string; readonly action: string; readonly resource: string; readonly at: string }
  readonly effect: 'read' | 'write'
  readonly input: readonly ToldInput[]
  readonly returns: 'item' | 'page' | 'values' | 'nothing'
  readonly entity?: string
  readonly writes?: { readonly create?: string; readonly update?: string; readonly remove?: string }
}

/** Inputs that no form has: the console pages by itself. */
export const paging = ['limit', 'cursor']

/** The flows of a design that the key of this session may run. One that is not an operator's runs them as a user. */
export const flowsQuery = (design: string, session: Session | null | undefined) =>
  queryOptions({
    ...catalogueQuery,
    select: (designs): readonly ToldFlow[] => {
      if (session?.may.includes('flow') !== true) return []
      // The service describes these members.
      const flows = (designs.find(({ name }) => name === design)?.flows ?? []) as unknown as readonly ToldFlow[]
      if (session.purpose === 'operator') return flows
      const isNamed = ({ name }: ToldFlow) => session.purpose !== 'application' || session.flows?.includes(name) === true
      return flows.filter((flow) => (typeof flow.needs === 'object' || flow.needs === 'own') && isNamed(flow))
    },
  })

/** The permission that a flow needs, in words. */
export function needsWords({ needs }: ToldFlow): string {
  if (needs === 'operator') return 'For operators only.'
  if (needs === 'identity-provider') return 'For operators and identity providers.'
  if (needs === 'person') return 'For operators, and for an application that shows the token of the person.'
  if (typeof needs === 'string') return 'For operators, and for a user about its own.'
  return `A user needs ${needs.module}:${needs.action}:${needs.resource} at the ${needs.at}.`
}

/** It takes something away, and makes nothing. */
export const isDangerous = ({ effect, returns, writes = {} }: ToldFlow): boolean =>
  effect === 'write' && (writes.remove !== undefined || returns === 'nothing') && writes.create === undefined && writes.update === undefined

export const withoutId = (name: string): string => plain(name).replace(/id$/, '')

/** The entity whose item an input names: its own, that of its type, or the one whose name it ends with, as `owner_user_id` does. */
export function entityOfInput(
  { form }: ToldDesign,
  flow: ToldFlow,
  name: string,
  given: Readonly<Record<string, string>>,
): string | undefined {
  const { writes = {} } = flow
  // A flow that tells of no entity, as an export, is about the scope of its permission.
  const at = typeof flow.needs === 'object' ? flow.needs.at : ''
  const scope = Object.keys(form.entities).find((each) => plain(each) === plain(at))
  if (name === 'id') return writes.update ?? writes.remove ?? writes.create ?? flow.entity ?? scope
  if (!/_id$|Id$/.test(name)) return undefined
  const type = plain(given[name.replace(/_id$/, '_type').replace(/Id$/, 'Type')] ?? withoutId(name))
  const entities = Object.keys(form.entities).filter((each) => form.entities[each]?.kind === 'entity')
  return entities.find((each) => plain(each) === type) ?? entities.find((each) => type.endsWith(plain(each)))
}

/** The entity of the one item that a flow changes or removes. */
export const targetOf = ({ writes = {} }: ToldFlow): string | undefined => writes.update ?? writes.remove

const isKnown = (known: Values, names: readonly string[]) => names.every((name) => known[name] !== undefined && known[name] !== '')

/**
 * The item that these inputs name, read as it is now: by its key, or by the lookup item that tells the rest of the key. Null if there is none, or if the
 * inputs do not name it yet.
 */
export const targetQuery = (design: ToldDesign, entity: string | undefined, known: Values) => {
  const { form } = design
  const told = entity === undefined ? undefined : form.entities[entity]
  const key = keyPlaceholders(design, entity)
  const own = Object.fromEntries(key.flatMap((name) => (known[name] === undefined || known[name] === '' ? [] : [[name, known[name]]])))
  /** A key with a form for an item of nobody may lack the rest. */
  const mayLack = told?.key.some((template) => template.includes('|')) === true
  const isWhole = isKnown(own, key) || (mayLack && Object.keys(own).length > 0)
  const [pattern, lookup] =
    (isWhole ? [] : Object.entries(form.patterns)).find(
      ([, { operation, parameters = [], returns }]) =>
        operation === 'get' &&
        isKnown(known, parameters) &&
        parameters.length > 0 &&
        returns.some((each) => form.entities[each]?.owner === entity && entity !== undefined),
    ) ?? []
  const parameters = Object.fromEntries((lookup?.parameters ?? []).map((name) => [name, known[name]]))
  return queryOptions({
    queryKey: ['target', form.design, entity, own, pattern, parameters],
    enabled: entity !== undefined && key.length > 0 && (isWhole || pattern !== undefined),
    queryFn: async ({ signal }): Promise<Values | null> => {
      const client = designClient(form.design)
      const found = pattern === undefined ? {} : await client.pattern(pattern, parameters, { signal })
      const whole = Object.fromEntries(key.map((name) => [name, own[name] ?? found?.[name]]).filter(([, value]) => value !== undefined))
      if (!isKnown(whole, key) && !mayLack) return null
      return (await client.get(entity ?? '', whole, { signal, consistent: true })) ?? null
    },
  })
}

/** Reads everything again that a flow may have changed. An answer stays until somebody asks again: the flow may be offered below it. */
export const readAnew = () =>
  queries.invalidateQueries({
    predicate: ({ queryKey: [name] }) => !['session', 'catalogue', 'design', 'saved', 'why', 'acting'].includes(String(name)),
  })

/** A flow, and the inputs that are known where it is offered. */
export interface OfferedFlow {
  readonly flow: ToldFlow
  readonly given: Readonly<Record<string, string>>
}

/** The flows that are about an item, each with the inputs that name it. */
export function flowsOn(design: ToldDesign, flows: readonly ToldFlow[], entity: string, item: Values): readonly OfferedFlow[] {
  const key = keyPlaceholders(design, entity)
  const own = key.at(-1) ?? ''
  return flows.flatMap((flow) => {
    const isTarget = targetOf(flow) === entity
    const given = flow.input.flatMap(({ name }): [string, string][] => {
      const of = isTarget && key.includes(name) ? name : entityOfInput(design, flow, name, {}) === entity ? own : undefined
      const value = of === undefined || flow.writes?.create === entity ? undefined : item[of]
      return value === undefined || value === null ? [] : [[name, String(value)]]
    })
    return given.length === 0 ? [] : [{ flow, given: Object.fromEntries(given) }]
  })
}

/** An end that is still to come. */
export const isEnd = (name: string): boolean => /expires?|end_?date|until/i.test(name)

/** The value of JSON. Undefined for a text that is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The value of a text. A text that has none goes as it is: the service says what is wrong with it. */
export function sentOf({ kind, parts = [] }: ToldInput, text: string): unknown {
  if (kind === 'flag') return text === 'true'
  if (kind === 'number') return text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text)
  if (kind !== 'map' && kind !== 'list') return text
  const value = parsed(text) ?? text
  const sentParts = (record: unknown): unknown =>
    typeof record !== 'object' || record === null || parts.length === 0
      ? record
      : Object.fromEntries(
          Object.entries(record).map(([name, each]) => {
            const part = parts.find((told) => told.name === name)
            return [name, part === undefined ? each : sentOf(part, textOf(each))]
          }),
        )
  return Array.isArray(value) ? value.map(sentParts) : sentParts(value)
}
