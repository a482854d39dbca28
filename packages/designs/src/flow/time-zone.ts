import type { Attribute } from '@freehold/table'

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
