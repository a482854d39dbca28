import type { Attribute } from '@freehold/table'
import { nameWords } from '@freehold/table/publish'
import { keySpelled } from '@freehold/table/runtime'

// Limits of the inputs of flows. Designs themselves keep all that the documents and DynamoDB allow.

/** Attributes by which people and things are called. */
const labels: ReadonlySet<string> = new Set(['name', 'first_name', 'last_name', 'title', 'department', 'primary_contact_name'])
const zones: ReadonlySet<string> = new Set(['timezone'])

// In UTF-16 units, as in `String.length`.
/** Longer is no name, and lists and mails show it whole. */
const labelMax = 200
/** Descriptions, by their kind: an item has room for 400 KB, which every page, export and audit would carry. */
const textMax: Readonly<Record<string, number>> = { text: 1000, email: 320 }
/** Text that others make, and that is not ours to shorten. */
const foreignTextMax: Readonly<Record<string, number>> = { logo_url: 2048, user_agent: 2048 }
const control = /\p{Cc}/u

/** Of a free-form map, in bytes of its JSON as UTF-8: a caller who may write one may write many, and lists give them all. */
export const mapBytesMax = 16_384
/** Maps that describe a thing as whole as it is: outlines on a plan, the settings of a device. */
const largerMapMax: Readonly<Record<string, number>> = { geo_json: 65_536, configuration: 65_536 }

/** The most bytes of a map of this name. */
export function mapMax(name: string): number {
  return (Object.hasOwn(largerMapMax, name) ? largerMapMax[name] : undefined) ?? mapBytesMax
}

/** What documents tell of a limit: in JSON Schema, or in words. */
interface ToldLimit {
  readonly schema?: { readonly maxLength: number; readonly pattern?: string }
  readonly words?: string
}

/** The attribute, whose schema also complains of a value. `isRefused`: the schema complains of it already. */
function complaining(
  name: string,
  attribute: Attribute,
  told: ToldLimit,
  complaint: (value: unknown, isRefused: boolean) => string | undefined,
): Attribute {
  const schema = attribute.schema.superRefine((value, context) => {
    const message = complaint(value, context.issues.length > 0)
    if (message !== undefined) context.addIssue({ code: 'custom', message })
  })
  const { description = nameWords(name) } = attribute
  return {
    ...attribute,
    schema: told.schema === undefined ? schema : schema.meta({ ...attribute.schema.meta(), ...told.schema }),
    ...(told.words !== undefined && { description: `${description} ${told.words}` }),
  }
}

const tooLong = (text: string, max: number) => (text.length > max ? `is longer than ${max} characters` : undefined)

/** A name is one line that is not empty, after it was trimmed; other text is of a bounded length. */
function asText(name: string, attribute: Attribute): Attribute {
  const kindMax = textMax[attribute.kind.name]
  const ofText = (schema: ToldLimit['schema'], complaint: (text: string) => string | undefined) =>
    complaining(name, attribute, { ...(schema && { schema }) }, (value) => (typeof value === 'string' ? complaint(value) : undefined))
  if (labels.has(name))
    return ofText({ maxLength: labelMax, pattern: keySpelled().source }, (label) =>
      label === '' ? 'is empty' : (tooLong(label, labelMax) ?? (control.test(label) ? 'holds a control character' : undefined)),
    )
  if (kindMax === undefined) return attribute
  const most = foreignTextMax[name] ?? kindMax
  const { maxLength = most } = attribute.schema.meta() ?? {}
  return ofText({ maxLength: Math.min(Number(maxLength), most) }, (text) => tooLong(text, most))
}

/** A map is of a bounded size. */
export function asSizedMap(name: string, attribute: Attribute): Attribute {
  if (attribute.kind.name !== 'map') return attribute
  const max = mapMax(name)
  // A value that is not JSON has been refused already, and may have no bytes to count.
  return complaining(name, attribute, { words: `At most ${max} bytes as JSON.` }, (value, isRefused) =>
    isRefused || Buffer.byteLength(JSON.stringify(value)) <= max ? undefined : `has more than ${max} bytes as JSON`,
  )
}

/** True for a name of the time zone database that this runtime knows, an old one too; an offset is no zone. */
function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** A time zone is one that exists. */
function asTimeZone(name: string, attribute: Attribute): Attribute {
  if (!zones.has(name)) return attribute
  return complaining(name, attribute, { words: 'Of the time zone database, such as Europe/Berlin.' }, (zone) =>
    typeof zone === 'string' && !isTimeZone(zone) ? 'is no time zone, such as Europe/Berlin or UTC' : undefined,
  )
}

/** An attribute of an entity as the input of a flow. */
export function asInput(name: string, attribute: Attribute): Attribute {
  return asSizedMap(name, asTimeZone(name, asText(name, attribute)))
}
