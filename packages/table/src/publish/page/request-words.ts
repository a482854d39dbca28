import { sourceOf } from '../../analyse/key-texts.ts'
import type { CompiledPattern } from '../../design/compiled-pattern.ts'
import { lastCodePoint } from '../../key/format.ts'
import { keyCondition } from '../../plan/query.ts'
import { kindWords } from './kind-words.ts'
import { code, lines, listed } from './markdown.ts'

/** The sign that the page writes for U+10FFFF. */
export const lastSign = '∞'

/**
 * A character of the private use area for each parameter, with which the planner makes the request. The parameters that end the range sort
 * last, since the planner refuses a reversed range.
 */
function placeholders({ parameters, sort }: CompiledPattern): Map<string, string> {
  const ends = new Set(sort?.templates.slice(1).flatMap(({ placeholders }) => placeholders))
  return new Map(parameters.map(({ name }, index) => [String.fromCodePoint((ends.has(name) ? 0xf000 : 0xe000) + index), name]))
}

function conditionsOf(pattern: CompiledPattern): string[] {
  const [partitionName, sortName] = pattern.keyNames
  const signs = placeholders(pattern)
  const values = Object.fromEntries([...signs].map(([sign, name]) => [name, sign]))
  const { partition, sort } = keyCondition(pattern, values)
  const shown = (text: string) =>
    text.replace(/[\ue000-\uffff]/g, (sign) => (signs.has(sign) ? `{${signs.get(sign)}}` : sign)).replaceAll(lastCodePoint, lastSign)
  const compared = sort?.values.map(shown).join(' AND ')
  return [`${partitionName} = ${shown(partition)}`, ...(sort === undefined ? [] : [`${sortName} ${sort.operator} ${compared}`])]
}

function getWords({ keyNames: [partitionName, sortName], partition, sort }: CompiledPattern): string[] {
  const words = (name: string, template: CompiledPattern['partition'] | undefined) =>
    listed(template?.alternatives.map((alternative) => code(`${name} = ${sourceOf(alternative)}`)) ?? [], 'or')
  return [words(partitionName, partition), words(sortName, sort?.templates[0])]
}

function filterWords({ filters, parameters }: CompiledPattern): string[] {
  return filters.map((filter) => {
    const isRequired = parameters.some(({ name, isRequired: required }) => name === filter && required)
    return `filter ${code(`${filter} = {${filter}}`)}${isRequired ? '' : ' if given'}`
  })
}

/** The kind of each parameter that is no attribute of the results: an end of a range, a part of a name. */
function parameterWords({ parameters, entities }: CompiledPattern): string[] {
  return parameters
    .filter(({ name }) => entities.every(({ attributes }) => attributes[name] === undefined))
    .map(({ name, kind, isBound }) => `${code(`{${name}}`)}: ${isBound && kind.name === 'instant' ? 'instant or day' : kindWords(kind)}`)
}

/**
 * The one request of an access pattern: operation and index, key condition, filters, order and the kinds of its parameters, a line each.
 */
export function requestWords(pattern: CompiledPattern): string {
  const { operation, index, descending } = pattern
  if (operation === 'get') return lines(['GetItem', ...getWords(pattern)])
  const order = descending ? 'last sort key first' : ''
  return lines([
    index === undefined ? 'Query' : `Query on ${index}`,
    ...conditionsOf(pattern).map(code),
    ...filterWords(pattern),
    order,
    ...parameterWords(pattern),
  ])
}
