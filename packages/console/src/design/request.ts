import type { ToldDesign, ToldPattern } from '../app/told.ts'

/** The name of a key attribute: those of the table, or of an index. */
const keyNames = (index: string | undefined) => (index === undefined ? ['PK', 'SK'] : [`${index}PK`, `${index}SK`])

/** The form leaves out the delimiter at the end of a whole part, which the request sends. */
function conditionOf(sk: string, { operator, templates }: NonNullable<ToldPattern['sort']>): string {
  const [first = ''] = templates
  if (operator === 'begins_with') return `begins_with(${sk}, ${first}#)`
  if (operator === 'begins_with_part') return `begins_with(${sk}, ${first})`
  return `${sk} ${operator === 'between' ? 'BETWEEN' : operator} ${templates.join(' AND ')}`
}

/** The request that a pattern sends, in the words of DynamoDB. */
export function requestOf(
  { form }: ToldDesign,
  { operation, index, partition, sort, filters = [], descending, returns }: ToldPattern,
): string {
  const [pk = 'PK', sk = 'SK'] = keyNames(index)
  const entity = form.entities[returns[0] ?? '']
  const condition =
    sort === undefined ? (operation === 'get' && entity !== undefined ? [`${sk} = ${entity.key[1]}`] : []) : [conditionOf(sk, sort)]
  return [
    `${operation === 'get' ? 'GetItem' : 'Query'} ${form.table}${index === undefined ? '' : `, index ${index}`}`,
    `${pk} = ${partition}`,
    ...condition,
    ...(filters.length === 0 ? [] : [`filtered by ${filters.join(', ')}`]),
    ...(descending === true ? ['the last first'] : []),
  ].join('\n')
}
