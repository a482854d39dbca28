import { type Attribute, sourceName } from '../design/attribute.ts'
import type { Reference } from '../design/form.ts'
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

/** Kinds of names in one case, which refuse look-alikes. */
const folded: ReadonlySet<string> = new Set(['code', 'username'])

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
  const isName = side === 'given' && (kind.isName === true || folded.has(kind.name))
  const made = side === 'given' && presence === 'made' ? madeWords(attribute) : undefined
  return [
    sentence(description ?? subjectOf(name, attribute, references)),
    ...(isName ? ['Look-alikes are refused.'] : []),
    ...(made === undefined ? [] : [`Unless given: ${made.replaceAll('`', '')}.`]),
  ].join(' ')
}
