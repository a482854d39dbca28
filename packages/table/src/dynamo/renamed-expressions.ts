import { storedName, type TableNames } from '../design/names.ts'
import type { Item } from './attribute-value.ts'

const members = ['KeyConditionExpression', 'FilterExpression', 'ConditionExpression', 'UpdateExpression', 'ProjectionExpression'] as const

/** Expressions with their names and values, in any request. */
export type Expressions = { readonly [member in (typeof members)[number]]?: string | undefined } & {
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>
  readonly ExpressionAttributeValues?: Item
}

/** The placeholder of a name within a document, behind a dot. Such a name stays. */
const nested = /\.(#\w+)/g

/** True for a placeholder that `apart` has made. No other ends so. */
const isWithin = (placeholder: string) => placeholder.endsWith('_')

/** The same expressions, in which names within documents have placeholders of their own: an attribute may have such a name, too. */
function apart<T extends Expressions>(part: T): T {
  const texts = members.flatMap((member) => (part[member] === undefined ? [] : [[member, part[member].replace(nested, '.$1_')] as const]))
  const used = new Set(texts.flatMap(([, text]) => text.match(/#\w+/g) ?? []))
  const names = Object.entries(part.ExpressionAttributeNames ?? {}).flatMap(([placeholder, name]) => [
    [placeholder, name] as const,
    [`${placeholder}_`, name] as const,
  ])
  return { ...part, ...Object.fromEntries(texts), ExpressionAttributeNames: Object.fromEntries(names.filter(([each]) => used.has(each))) }
}

/** The placeholders of values that are compared with the `Type`, or that it is set to. */
function typesIn(part: Expressions): readonly string[] {
  const [type] =
    Object.entries(part.ExpressionAttributeNames ?? {}).find(([placeholder, name]) => name === 'Type' && !isWithin(placeholder)) ?? []
  if (type === undefined) return []
  const compared = new RegExp(`${type} (?:=|<>|IN) \\(?((?::\\w+(?:, )?)+)`, 'g')
  return members.flatMap((member) => [...(part[member] ?? '').matchAll(compared)].flatMap(([, list = '']) => list.match(/:\w+/g) ?? []))
}

/** Expressions with the names of the table. */
export function renamedExpressions<T extends Expressions>(given: T, names: TableNames): T {
  const isNested = members.some((member) => given[member]?.match(nested))
  const part = isNested ? apart(given) : given
  const { ExpressionAttributeNames, ExpressionAttributeValues } = part
  if (ExpressionAttributeNames === undefined) return part
  const types = new Set(typesIn(part))
  const values = Object.entries(ExpressionAttributeValues ?? {}).map(([placeholder, value]) => [
    placeholder,
    types.has(placeholder) && 'S' in value ? { S: names.types.toTable.get(value.S) ?? value.S } : value,
  ])
  return {
    ...part,
    ExpressionAttributeNames: Object.fromEntries(
      Object.entries(ExpressionAttributeNames).map(([placeholder, name]) => [
        placeholder,
        isWithin(placeholder) ? name : storedName(names, name),
      ]),
    ),
    ...(ExpressionAttributeValues === undefined ? {} : { ExpressionAttributeValues: Object.fromEntries(values) }),
  }
}
