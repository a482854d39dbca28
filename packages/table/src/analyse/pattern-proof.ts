import type { CompiledPattern, CompiledSort } from '../design/compiled-pattern.ts'
import { delimiter } from '../key/template.ts'

/** The one request of an access pattern. */
export interface PatternProof {
  readonly name: string
  readonly operation: 'get' | 'query'
  /** For example `Query table PK = USER#{userId} AND SK BEGINS WITH GROUP#`. */
  readonly request: string
  /** The entities whose items it can return. */
  readonly returns: readonly string[]
  readonly cost: string
  /** Why the pattern exists although the source document does not have it. */
  readonly addition?: string | undefined
}

function condition(name: string, { operator, templates, endsWithDelimiter }: CompiledSort): string {
  const [first = '', second = ''] = templates.map(({ source }) => source)
  switch (operator) {
    case 'between':
      return `${name} BETWEEN ${first} AND ${second}`
    case 'begins_with':
    case 'begins_with_part':
      return `${name} BEGINS WITH ${first}${endsWithDelimiter ? delimiter : ''}`
    default:
      return `${name} ${operator} ${first}`
  }
}

function requestOf({ operation, index, keyNames, partition, sort, filters, descending }: CompiledPattern): string {
  const [partitionName, sortName] = keyNames
  const key = [`${partitionName} = ${partition.source}`, ...(sort === undefined ? [] : [condition(sortName, sort)])].join(' AND ')
  const kept = filters.length === 0 ? '' : `, keeping ${filters.map((filter) => `${filter} = {${filter}}`).join(' AND ')}`
  return `${operation === 'get' ? 'GetItem' : 'Query'} ${index ?? 'table'} ${key}${kept}${descending ? ', last first' : ''}`
}

// DynamoDB's read units: 1 for 4 KB of a consistent read, half for any other. A query adds up its items before it rounds up.
function costOf({ operation, index, filters }: CompiledPattern): string {
  if (operation === 'get') return '1 read unit for each 4 KB of the item, half if not consistent'
  const units =
    index === undefined
      ? '1 read unit for each 4 KB it reads, half if not consistent'
      : '1 read unit for each 8 KB it reads, never consistent'
  return `${units}; at most 1 MB a request${filters.length === 0 ? '' : '; items that the filter drops are paid for, too'}`
}

export function patternProof(pattern: CompiledPattern): PatternProof {
  const { name, operation, entities, addition } = pattern
  return Object.freeze({
    name,
    operation,
    request: requestOf(pattern),
    returns: Object.freeze(entities.map((entity) => entity.name)),
    cost: costOf(pattern),
    addition,
  })
}
