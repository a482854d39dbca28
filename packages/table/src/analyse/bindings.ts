import type { CompiledPattern } from '../design/compiled-pattern.ts'
import { type Finding, finding } from './finding.ts'
import type { Check } from './survey.ts'

function openPlaceholders({ operation, partition, sort, parameters }: CompiledPattern): string[] {
  // A get also names optional attributes: if one is absent, the key takes another alternative.
  const given = parameters.filter(({ isRequired, isBound }) => operation === 'get' || (isRequired && !isBound)).map(({ name }) => name)
  const compared = parameters.filter(({ isRequired }) => operation === 'get' || isRequired).map(({ name }) => name)
  return [
    ...partition.placeholders.filter((placeholder) => !given.includes(placeholder)),
    ...(sort?.templates.flatMap(({ placeholders }) => placeholders) ?? []).filter((placeholder) => !compared.includes(placeholder)),
  ]
}

function checkPattern(pattern: CompiledPattern): Finding[] {
  const { name, operation, partition, sort } = pattern
  if (operation !== 'get' && operation !== 'query') {
    return [finding('PartitionUnbound', name, `${name} is neither a get nor a query. Make it one: a design never scans.`)]
  }
  if (operation === 'get' && sort?.operator !== '=') {
    return [finding('PartitionUnbound', name, `${name} gets an item without its whole key. Name its sort key, or make it a query.`)]
  }
  if (operation === 'query' && partition.alternatives.length !== 1) {
    return [
      finding('PartitionUnbound', name, `${name} has the partition '${partition.source}'. A query reads one: write one pattern for each.`),
    ]
  }
  const placeholders = [...new Set(openPlaceholders(pattern))]
  const open = placeholders.map((placeholder) => `{${placeholder}}`).join(' and ')
  const message = `${name} does not bind ${open} of its key to a whole value that is always given, so it could only scan. Make each a required parameter of its own.`
  return placeholders.length === 0 ? [] : [finding('PartitionUnbound', name, message, { placeholders })]
}

/** Every access pattern is one GetItem or one Query: equality binds its whole partition key (spec rule 14). */
export const bindings: Check = ({ patterns }) => patterns.flatMap(checkPattern)
