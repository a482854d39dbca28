import type { Attribute } from '@freehold/table'

/** Attributes by which people and things are called. */
const labels: ReadonlySet<string> = new Set(['name', 'first_name', 'last_name', 'title', 'department', 'primary_contact_name'])

// In UTF-16 units, as in `String.length`.
/** Longer is no name, and lists and mails show it whole. */
const labelMax = 200
/** What is said of things, by its kind: an item has room for 400 KB, which every page, export and audit would carry. */
const textMax: Readonly<Record<string, number>> = { text: 1000, email: 320 }
/** What others make, and is not ours to shorten. */
const foreignTextMax: Readonly<Record<string, number>> = { logo_url: 2048, user_agent: 2048 }
const control = /\p{Cc}/u

const tooLong = (text: string, max: number) => (text.length > max ? `is longer than ${max} characters` : undefined)

/** What is wrong with a name that somebody gives, after it was trimmed; undefined for a good one. */
function labelComplaint(label: string): string | undefined {
  if (label === '') return 'is empty'
  return tooLong(label, labelMax) ?? (control.test(label) ? 'holds a control character' : undefined)
}

/** Says what is wrong with a value that is text; undefined for an attribute of which only its kind says anything. */
function complaintOf(name: string, { kind }: Attribute): ((text: string) => string | undefined) | undefined {
  if (labels.has(name)) return labelComplaint
  const max = textMax[kind.name] === undefined ? undefined : (foreignTextMax[name] ?? textMax[kind.name])
  return max === undefined ? undefined : (text) => tooLong(text, max)
}

/**
 * An attribute as the input of a flow: a name is one line that says something, and other text has an end. Designs themselves keep whatever the
 * documents allow.
 */
export function asInput(name: string, attribute: Attribute): Attribute {
  const complaint = complaintOf(name, attribute)
  if (complaint === undefined) return attribute
  const schema = attribute.schema.superRefine((text, context) => {
    const message = typeof text === 'string' ? complaint(text) : undefined
    if (message !== undefined) context.addIssue({ code: 'custom', message })
  })
  return { ...attribute, schema }
}

/** Of a free-form map, in bytes of its JSON as UTF-8: whoever may write one may write many, and lists give them all. */
export const mapBytesMax = 16_384

/** Those that describe a thing as whole as it is: outlines on a plan, what a device is set up with. */
const larger: Readonly<Record<string, number>> = { geo_json: 65_536, configuration: 65_536 }

/** What a map of this name may have at most. */
export function mapMax(name: string): number {
  return (Object.hasOwn(larger, name) ? larger[name] : undefined) ?? mapBytesMax
}

/** An attribute as the input of a flow: a map is of a bounded size. Designs themselves keep whatever DynamoDB keeps, 400 KB of an item. */
export function asSizedMap(name: string, attribute: Attribute): Attribute {
  if (attribute.kind.name !== 'map') return attribute
  const max = mapMax(name)
  const schema = attribute.schema.superRefine((value, context) => {
    // What is not JSON has been refused already, and may be none to count.
    if (context.issues.length > 0 || Buffer.byteLength(JSON.stringify(value)) <= max) return
    context.addIssue({ code: 'custom', message: `has more than ${max} bytes as JSON` })
  })
  return { ...attribute, schema }
}

/** What the attributes are called that name a time zone. */
const zones: ReadonlySet<string> = new Set(['timezone'])

/** True for a name of the time zone database that this runtime knows, an old one too; an offset is no zone. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** An attribute as the input of a flow: a time zone is one that there is. Designs themselves keep whatever the documents allow. */
export function asTimeZone(name: string, attribute: Attribute): Attribute {
  if (!zones.has(name)) return attribute
  const schema = attribute.schema.superRefine((zone, context) => {
    if (typeof zone === 'string' && !isTimeZone(zone))
      context.addIssue({ code: 'custom', message: 'is no time zone, such as Europe/Berlin or UTC' })
  })
  return { ...attribute, schema }
}
