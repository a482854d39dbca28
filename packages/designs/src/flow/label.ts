import type { Attribute } from '@freehold/table'

/** Attributes by which people and things are called. */
const labels: ReadonlySet<string> = new Set(['name', 'first_name', 'last_name', 'title', 'department', 'primary_contact_name'])

/** In UTF-16 units, as in `String.length`: longer is no name, and lists and mails show it whole. */
const labelMax = 200
const control = /\p{Cc}/u

/** What is wrong with a name that somebody gives, after it was trimmed; undefined for a good one. */
function complaint(label: unknown): string | undefined {
  if (typeof label !== 'string') return undefined
  if (label === '') return 'is empty'
  if (label.length > labelMax) return `is longer than ${labelMax} characters`
  return control.test(label) ? 'holds a control character' : undefined
}

/** An attribute as the input of a flow: a name is one line that says something. Designs themselves keep whatever the documents allow. */
export function asInput(name: string, attribute: Attribute): Attribute {
  if (!labels.has(name)) return attribute
  const schema = attribute.schema.superRefine((label, context) => {
    const message = complaint(label)
    if (message !== undefined) context.addIssue({ code: 'custom', message })
  })
  return { ...attribute, schema }
}
