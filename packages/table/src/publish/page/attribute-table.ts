import { type Attribute, sourceName } from '../../design/attribute.ts'
import type { Entity, Reference } from '../../design/form.ts'
import { kindWords } from './kind-words.ts'
import { madeWords } from './made-words.ts'
import { code, codes, lines, listed, prose, table } from './markdown.ts'
import { itemLink, type Thing } from './thing.ts'

/** The values of other attributes that select this reference among several. */
function caseWords({ when }: Reference): string {
  const cases = Object.entries(when).map(([name, value]) => `${code(name)} is ${code(value)}`)
  return cases.length === 0 ? '' : ` if ${listed(cases)}`
}

function copyWords(name: string, attribute: Attribute, references: readonly Reference[]): string {
  const { source } = attribute
  const sources = references
    .filter((reference) => reference.attribute === source?.through)
    .map(({ to }) => `${to.name}.${source === undefined ? name : sourceName(source, name, to.name)}`)
  return `copy of ${listed([...new Set(sources)].map(code), 'or')}`
}

function valueWords(name: string, attribute: Attribute, references: readonly Reference[]): string {
  const { presence } = attribute
  if (presence === 'copied') return copyWords(name, attribute, references)
  if (attribute.fill !== undefined && 'by' in attribute.fill) return 'default: made of the others'
  const made = madeWords(attribute)
  return made === undefined ? presence : `default: ${made}`
}

/** The placeholders of the target's key that an attribute with another name fills. */
function fillerWords({ attribute, by, absent }: Reference): string {
  const fillers = Object.entries(by)
    .filter(([placeholder, own]) => own !== placeholder && own !== attribute)
    .map(([placeholder, own]) => {
      const { [own]: value } = absent
      return `${code(placeholder)} is ${code(own)}${value === undefined ? '' : `, or absent if that is ${code(value)}`}`
    })
  return fillers.length === 0 ? '' : ` whose ${listed(fillers)}`
}

function referenceWords(reference: Reference): string {
  const where = Object.entries(reference.where ?? {}).map(([name, value]) => `${code(name)} is ${code(value)}`)
  const which = where.length === 0 ? '' : ` whose ${listed(where)}`
  return `${reference.isEach ? 'each member ' : ''}refers to ${itemLink(reference.to)}${which}${fillerWords(reference)}${caseWords(reference)}`
}

function notes(name: string, attribute: Attribute, holders: readonly Entity[], { items, references }: Thing): string {
  const [first] = items
  return lines([
    ...references.filter((reference) => reference.attribute === name).map(referenceWords),
    holders.length < items.length ? `in ${codes(holders.map((item) => item.name))} only` : '',
    attribute.isSecret ? '**secret**' : '',
    first?.form.fixed.includes(name) ? 'never changes' : '',
    first?.form.expires === name ? 'the item expires then' : '',
    attribute.formerNames.length === 0 ? '' : `was ${codes(attribute.formerNames)}`,
    attribute.why === undefined ? '' : `*addition:* ${prose(attribute.why)}`,
    attribute.absent === undefined ? '' : `*if absent:* ${prose(attribute.absent)}`,
  ])
}

/** The attributes of a group, one row each, even if several of its items have it. */
export function attributeTable(thing: Thing): string {
  const { items, references } = thing
  const names = [...new Set(items.flatMap(({ attributes }) => Object.keys(attributes)))]
  const rows = names.flatMap((name) => {
    const holders = items.filter(({ attributes }) => attributes[name] !== undefined)
    const attribute = holders[0]?.attributes[name]
    if (attribute === undefined) return []
    return [[code(name), kindWords(attribute.kind), valueWords(name, attribute, references), notes(name, attribute, holders, thing)]]
  })
  return table(['attribute', 'kind', 'value', 'notes'], rows)
}
