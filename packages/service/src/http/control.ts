import { lastsMax_ms } from '@freehold/frame/decision'
import { FreeholdError, type Issue } from '@freehold/table'
import { type JsonSchema, orNull } from '@freehold/table/publish'
import { invalidInput } from '@freehold/table/runtime'
import type { Components } from '../openapi/operation.ts'

interface Declared {
  /** The name of its schema in the document of the API. */
  readonly named: string
  readonly schema: JsonSchema & { readonly description: string }
  /** Why a value is none. */
  readonly fault: (value: unknown) => string | undefined
}

const oneOf = (named: string, values: readonly string[], description: string): Declared => ({
  named,
  schema: { type: 'string', enum: values, description },
  fault: (value) => (values.some((one) => one === value) ? undefined : `is not one of ${values.join(', ')}`),
})
const whole = (named: string, most: number, description: string): Declared => ({
  named,
  schema: { type: 'integer', minimum: 1, maximum: most, description },
  fault: (value) =>
    Number.isInteger(value) && Number(value) >= 1 && Number(value) <= most ? undefined : `is not a whole number from 1 to ${most}`,
})
const flag = (named: string, description: string): Declared => ({
  named,
  schema: { type: 'boolean', description },
  fault: (value) => (typeof value === 'boolean' ? undefined : 'is not true or false'),
})
const text = (named: string, description: string, limits: JsonSchema = {}): Declared => ({
  named,
  schema: { type: 'string', ...limits, description },
  fault: (value) => (typeof value === 'string' ? undefined : 'is not text'),
})

/** The controls of a request, next to its fields in the body or query string: they say how it is answered. Checks and the document of the API read them here. */
const controls = {
  consistency: oneOf('Consistency', ['strong', 'bounded'], 'How current the answer must be; bounded unless given.'),
  order: oneOf('Order', ['ascending', 'descending'], 'The order of the keys; ascending unless given.'),
  limit: whole('Limit', 1000, 'Items on a page; 100 unless given.'),
  cursor: text('Cursor', 'The cursor of the page before, as it was given: any other text is refused.', { minLength: 1 }),
  consistent: flag('Consistent', 'Sees every acknowledged write.'),
  expand: flag('Expand', 'Every scope, not only those that grant.'),
  lasts_ms: whole('LastsMs', lastsMax_ms, 'How long the snapshot may hold.'),
  evidence: flag('WithEvidence', 'By which roles and assignments each permission is held.'),
  proofs: flag('WithProofs', 'Also its proofs and its heat.'),
  // The document tells the texts that the design takes.
  as: {
    ...text('ActingUser', 'The user who acts. Without it an operator acts.'),
    fault: (value: unknown) => (typeof value === 'string' && value !== '' ? undefined : 'is not the id or e-mail address of a user'),
  },
  session_id: text('ActingSession', 'The id of the session of the user, for the audit.'),
} as const satisfies Readonly<Record<string, Declared>>

export type Control = keyof typeof controls

/**
 * For these controls null is not absent. Without `as` the caller acts as an operator, so an empty variable in a client must not mean that.
 */
const neverNull: ReadonlySet<string> = new Set<Control>(['as'])

/** The schemas of these controls in a query string, by name. */
export function controlsOfQuery(names: readonly Control[]): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(names.map((name) => [name, controls[name].schema]))
}

/** The same in a body, where null is absent. Each is told once: many bodies have them. */
export function controlsOfBody(components: Components, names: readonly Control[]): Readonly<Record<string, JsonSchema>> {
  const told = (name: Control): JsonSchema => {
    const { named, schema } = controls[name]
    // An enumeration is a type of its own in a client, of which null is no value.
    if ('enum' in schema) return orNull(components.named(named, () => schema))
    return components.named(named, () => (neverNull.has(name) ? schema : orNull(schema)))
  }
  return Object.fromEntries(names.map((name) => [name, told(name)]))
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
  readonly proofs?: boolean
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
    const message = isControl(name) ? controls[name].fault(value) : undefined
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
