import type { AttributeValue } from '../dynamo/attribute-value.ts'

/** The text of a key attribute. Empty for any other value. */
export function textOf(attribute: AttributeValue | undefined): string {
  return attribute !== undefined && 'S' in attribute ? attribute.S : ''
}
