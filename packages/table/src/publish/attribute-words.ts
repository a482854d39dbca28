import { type Attribute, sourceName } from '../design/attribute.ts'
import type { Reference } from '../design/form.ts'
import { isNameKind } from '../kind/kind.ts'
import { madeWords } from './page/made-words.ts'

/** `billing_email` and `startDate` in words. */
const words = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]+/g, ' ')
    .trim()
    .toLowerCase()

const sentence = (text: string): string => {
  const all = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.?!]$/.test(all) ? all : `${all}.`
}

/** The sentence of a property that has nothing but its name. */
export const nameWords = (name: string): string => sentence(words(name))

const entityWords = (name: string): string => `${/^[AEIOU]/.test(name) ? 'an' : 'a'} ${name}`

/** What an attribute is, if its declaration does not say: what it refers to, what it is a copy of, or its name in words. */
function subjectOf(name: string, { source }: Attribute, references: readonly Reference[]): string {
  const own = references.filter((reference) => reference.attribute === name)
  const targets = [...new Set(own.map(({ to }) => entityWords(to.name)))].join(' or ')
  if (targets !== '') return `names ${targets}`
  const [from] = references.filter((reference) => reference.attribute === source?.through)
  if (source !== undefined && from !== undefined)
    return `copy of the ${words(sourceName(source, name, from.to.name))} of its ${from.to.name}`
  return words(name)
}

/** What a name refuses, in words. */
const nameRefusal = 'Look-alikes are refused.'

/** A part of a value that is a name, in words, as they are of an attribute. */
export const namePartWords = (name: string, description: string | undefined): string =>
  `${sentence(description ?? words(name))} ${nameRefusal}`

/**
 * An attribute in a few sentences, for the document of the API: as its declaration says, or of its name; and its default.
 * @param references those of its entity
 * @param side only who gives a value is told of the default
 */
export function attributeWords(
  name: string,
  attribute: Attribute,
  references: readonly Reference[] = [],
  side: 'given' | 'stored' = 'given',
): string {
  const { description, presence, kind } = attribute
  const isName = side === 'given' && isNameKind(kind)
  const made = side === 'given' && presence === 'made' ? madeWords(attribute) : undefined
  return [
    sentence(description ?? subjectOf(name, attribute, references)),
    ...(isName ? [nameRefusal] : []),
    ...(made === undefined ? [] : [`Unless given: ${made.replaceAll('`', '')}.`]),
  ].join(' ')
}
