import type { AnyDesign, Attribute } from '@freehold/table'

/** True of an attribute that is a name, or a part of one. */
export const isName = (name: string, attribute: Attribute): boolean => /name$/i.test(name) && attribute.kind.name === 'text'

/** The name of a person by its item, and in place of one its e-mail address. Undefined for an item that has neither. */
export function nameOfPerson({ entities }: AnyDesign, item: Readonly<Record<string, unknown>>): string | undefined {
  const attributes = Object.entries(entities[String(item.Type)]?.attributes ?? {})
  const textsOf = (is: typeof isName) =>
    attributes.flatMap(([name, attribute]) => (is(name, attribute) && typeof item[name] === 'string' ? [item[name]] : [])).join(' ')
  return textsOf(isName) || textsOf((_, { kind }) => kind.name === 'email') || undefined
}
