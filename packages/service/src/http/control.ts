import { lastsMax_ms } from '@freehold/designs'
import { FreeholdError, type Issue } from '@freehold/table'
import { type JsonSchema, orNull } from '@freehold/table/publish'
import { invalidInput } from '@freehold/table/runtime'
import type { Components } from '../openapi/operation.ts'

/** The controls of a request, next to its fields in the body or query string: they say how it is answered. */
export const controls = {
  consistency: oneOf('strong', 'bounded'),
  order: oneOf('ascending', 'descending'),
  limit: wholeNumber(1000),
  cursor: (value: unknown) => (typeof value === 'string' ? undefined : 'is not text'),
  consistent: aFlag,
  expand: aFlag,
  lasts_ms: wholeNumber(lastsMax_ms),
  evidence: aFlag,
  as: (value: unknown) => (typeof value === 'string' && value !== '' ? undefined : 'is not the id or e-mail address of a user'),
  session_id: (value: unknown) => (typeof value === 'string' ? undefined : 'is not text'),
} as const satisfies Record<string, (value: unknown) => string | undefined>

export type Control = keyof typeof controls

const toldWhole = (most: number): JsonSchema => ({ type: 'integer', minimum: 1, maximum: most })

/** The same controls, for the document of the API. */
const told: Readonly<Record<Control, JsonSchema>> = {
  consistency: { type: 'string', enum: ['strong', 'bounded'], description: 'How current the answer must be; bounded unless given.' },
  order: { type: 'string', enum: ['ascending', 'descending'], description: 'The order of the keys; ascending unless given.' },
  limit: { ...toldWhole(1000), description: 'Items on a page; 100 unless given.' },
  cursor: { type: 'string', description: 'The cursor of the page before.' },
  consistent: { type: 'boolean', description: 'Sees every acknowledged write.' },
  expand: { type: 'boolean', description: 'Every scope, not only those that grant.' },
  lasts_ms: { ...toldWhole(lastsMax_ms), description: 'How long the snapshot may hold.' },
  evidence: { type: 'boolean', description: 'By which roles and assignments each permission is held.' },
  as: { type: 'string', minLength: 1, description: 'The user who acts, by id or e-mail address. Without it an operator acts.' },
  session_id: { type: 'string', description: 'The session of the user, for the audit.' },
}

/**
 * For these controls null is not absent. Without `as` the caller acts as an operator, so an empty variable in a client must not mean that.
 */
const neverNull: ReadonlySet<string> = new Set<Control>(['as'])

/** The schemas of these controls in a query string, by name. */
export function controlsOfQuery(names: readonly Control[]): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(names.map((name) => [name, told[name]]))
}

/** The names of their schemas in the document. */
const schemaNames: Readonly<Record<Control, string>> = {
  ...{ consistency: 'Consistency', order: 'Order', limit: 'Limit', cursor: 'Cursor', consistent: 'Consistent', expand: 'Expand' },
  ...{ lasts_ms: 'LastsMs', evidence: 'WithEvidence', as: 'ActingUser', session_id: 'ActingSession' },
}

/** The same in a body, where null is absent. Each is told once: many bodies have them. */
export function controlsOfBody(components: Components, names: readonly Control[]): Readonly<Record<string, JsonSchema>> {
  const schemaOf = (name: Control) => (neverNull.has(name) ? told[name] : orNull(told[name]))
  return Object.fromEntries(names.map((name) => [name, components.named(schemaNames[name], () => schemaOf(name))]))
}

function aFlag(value: unknown): string | undefined {
  return typeof value === 'boolean' ? undefined : 'is not true or false'
}

function wholeNumber(most: number): (value: unknown) => string | undefined {
  return (value) =>
    Number.isInteger(value) && Number(value) >= 1 && Number(value) <= most ? undefined : `is not a whole number from 1 to ${most}`
}

function oneOf(...values: readonly string[]): (value: unknown) => string | undefined {
  return (value) => (values.some((one) => one === value) ? undefined : `is not one of ${values.join(', ')}`)
}

/** The checked values of some controls. */
export interface Controlled {
  readonly consistency?: 'strong' | 'bounded'
  readonly order?: 'ascending' | 'descending'
  readonly limit?: number
  readonly cursor?: string
  readonly consistent?: boolean
  readonly expand?: boolean
  readonly lasts_ms?: number
  readonly evidence?: boolean
  readonly as?: string
  readonly session_id?: string
}

/**
 * Separates a request's fields from its controls, and checks the controls. Null is absent, except for `as`.
 * @throws InvalidInput, which names each wrong control
 */
export function takeControls(
  body: Readonly<Record<string, unknown>>,
  names: readonly Control[],
): { readonly fields: Readonly<Record<string, unknown>>; readonly how: Controlled } {
  if (!names.some((name) => Object.hasOwn(body, name))) return { fields: body, how: {} }
  const isControl = (name: string): name is Control => names.some((control) => control === name)
  const entries = Object.entries(body)
  const given = entries.filter(([name, value]) => isControl(name) && (value !== null || neverNull.has(name)))
  const issues = given.flatMap(([name, value]): Issue[] => {
    const message = isControl(name) ? controls[name](value) : undefined
    return message === undefined ? [] : [{ path: [name], message }]
  })
  if (issues.length > 0) throw invalidInput('The request', issues)
  // Each value has passed the check of its name, so it has the type that Controlled gives.
  const how = Object.fromEntries(given) as Controlled
  return { fields: Object.fromEntries(entries.filter(([name]) => !isControl(name))), how }
}

/**
 * Refuses a design with a field that has the name of a control.
 * @throws InvalidDesign when the service is created
 */
export function checkFields(what: string, fields: readonly string[], names: readonly string[]): void {
  const taken = fields.find((field) => names.includes(field))
  if (taken === undefined) return
  throw new FreeholdError('InvalidDesign', `${what} has a field '${taken}', which HTTP needs for itself: rename it.`, { field: taken })
}
