import type { CompiledPattern } from '@freehold/table'
import { moduleNamed } from '../naming/named.ts'
import { servedDesign } from '../opening/catalogue.ts'
import { renderTable } from '../output/table.ts'
import { type Exit, exit, type PrintOptions, printJson, type Shell } from '../shell.ts'

/** A listed access pattern. */
export interface ListedPattern {
  readonly name: string
  readonly operation: 'GetItem' | 'Query'
  /** The index's name; null for the table. */
  readonly index: string | null
  /** The template of the partition key. */
  readonly partition: string
  /** Null if the whole partition is read. `between` has two values. A prefix of whole segments ends with the delimiter. */
  readonly sort: { readonly operator: string; readonly value: string | readonly string[] } | null
  readonly parameters: readonly string[]
  /** Optional parameters. */
  readonly optional?: readonly string[]
  /** Attributes that must equal the parameter of the same name. Other items are left out. */
  readonly filter?: readonly string[]
  readonly order?: 'descending'
  readonly entities: readonly string[]
  /** Why the pattern exists although the source document does not have it. */
  readonly addition?: string
}

function listedSort({ sort }: CompiledPattern): ListedPattern['sort'] {
  if (sort === undefined) return null
  const { templates, endsWithDelimiter } = sort
  const operator = sort.operator === 'begins_with_part' ? 'begins_with' : sort.operator
  const values = templates.map(({ source }) => (endsWithDelimiter ? `${source}#` : source))
  return { operator, value: values.length === 1 ? (values[0] ?? '') : values }
}

/** An access pattern for programs. */
export function listedPattern(pattern: CompiledPattern): ListedPattern {
  const { name, operation, index = null, partition, filters, descending, parameters, entities, addition } = pattern
  const optional = parameters.filter(({ isRequired }) => !isRequired)
  return {
    name,
    operation: operation === 'get' ? 'GetItem' : 'Query',
    index,
    partition: partition.source,
    sort: listedSort(pattern),
    parameters: parameters.map((parameter) => parameter.name),
    ...(optional.length === 0 ? {} : { optional: optional.map((parameter) => parameter.name) }),
    ...(filters.length === 0 ? {} : { filter: filters }),
    ...(descending ? { order: 'descending' as const } : {}),
    entities: entities.map((entity) => entity.name),
    ...(addition === undefined ? {} : { addition }),
  }
}

/** The request in words: `Query on GSI4: CLIENT#{client_id} / between AUDIT#{from} and AUDIT#{to}`. */
function requestWords({ operation, index, partition, sort, filter, order }: ListedPattern): string {
  const values = [sort?.value ?? []].flat().join(' and ')
  const range = sort === null ? '' : ` / ${sort.operator === '=' ? values : `${sort.operator} ${values}`}`
  const rest = `${filter === undefined ? '' : `, where ${filter.join(' and ')}`}${order === undefined ? '' : `, ${order}`}`
  return `${operation}${index === null ? '' : ` on ${index}`} ${partition}${range}${rest}`
}

/** Lists the access patterns of a design, or those of them that a service serves. */
export async function patterns(shell: Shell, [design]: readonly string[], options: PrintOptions): Promise<Exit> {
  const { json = false } = options
  const { name, form } = moduleNamed(shell, design).design
  const served = (await servedDesign(shell, name))?.patterns.map((pattern) => pattern.name)
  const listed = [...form.patterns.values()].filter((pattern) => served?.includes(pattern.name) !== false).map(listedPattern)
  if (json) await printJson(shell, listed)
  else {
    const rows = listed.map((each) => [each.name, requestWords(each), each.entities.join(', '), each.addition === undefined ? '' : 'yes'])
    await shell.out(renderTable(['name', 'request', 'returns', 'addition'], rows, shell.columns))
  }
  return exit.yes
}
