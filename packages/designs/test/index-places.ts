import type { Entity } from '@freehold/table'
import type { Stored } from '@freehold/table/runtime'
import { expect } from 'vitest'
import type { Values } from './any-item.ts'
import type { AnyTable } from './variation.ts'

export type Keys = Readonly<Record<string, string>>

/** The text that a template makes of these values, written out anew: the first alternative that they fill, or nothing. */
function filled(template: string, values: Values): string | undefined {
  for (const alternative of template.split('|')) {
    const texts = alternative.split(/\{(\w+)\}/).map((part, index) => (index % 2 === 0 ? part : values[part]))
    if (texts.every((text) => typeof text === 'string')) return texts.join('')
  }
  return undefined
}

/** The keys of an item in the table and in each index; both of an index or none. */
export function keysOf({ key, indexes }: Entity, values: Values): Keys {
  const pairs = [['', key] as const, ...Object.entries(indexes)].flatMap(([index, [partition, sort]]) => {
    const [first, second] = [filled(partition, values), filled(sort, values)]
    if (first === undefined || second === undefined) return []
    return [
      [`${index}PK`, first],
      [`${index}SK`, second],
    ]
  })
  return Object.fromEntries(pairs)
}

const keyAttribute = /^(?:GSI\d+)?[PS]K$/
const keysIn = (item: Values): Values => Object.fromEntries(Object.entries(item).filter(([name]) => keyAttribute.test(name)))
const lies = ({ PK, SK }: Values, keys: Keys) => PK === keys.PK && SK === keys.SK

/** Key attributes of what an index returns, asked for all that it has or for one key; a test's table has fewer than a page. */
async function indexed({ runtime }: AnyTable, index: string, at?: Keys): Promise<Values[]> {
  const common = { TableName: runtime.table, IndexName: index, Limit: 1000 }
  const { Items = [] } =
    at === undefined
      ? await runtime.sender.send('Scan', common)
      : await runtime.sender.send('Query', {
          ...common,
          KeyConditionExpression: '#n0 = :v0 AND #n1 = :v1',
          ExpressionAttributeNames: { '#n0': `${index}PK`, '#n1': `${index}SK` },
          ExpressionAttributeValues: { ':v0': { S: at[`${index}PK`] ?? '' }, ':v1': { S: at[`${index}SK`] ?? '' } },
        })
  // All key attributes are text, which the protocol wraps in { S }.
  const text = (value: unknown) => (value as { S: string }).S
  return Items.map((item) => Object.fromEntries(Object.entries(keysIn(item)).map(([name, value]) => [name, text(value)])))
}

/** The item lies under these keys, and nowhere else in any index. */
export async function expectAt(table: AnyTable, keys: Keys, items: readonly Stored[]): Promise<void> {
  expect(items.filter((item) => lies(item, keys)).map(keysIn)).toEqual([keys])
  for (const index of table.design.form.indexes) {
    const isIn = keys[`${index}PK`] !== undefined
    expect((await indexed(table, index)).filter((item) => lies(item, keys))).toEqual(isIn ? [expect.objectContaining(keys)] : [])
    if (isIn) expect((await indexed(table, index, keys)).filter((item) => lies(item, keys))).toHaveLength(1)
  }
}

export async function expectNothingAt(table: AnyTable, keys: Keys, items: readonly Stored[]): Promise<void> {
  expect(items.filter((item) => lies(item, keys))).toEqual([])
  for (const index of table.design.form.indexes) expect((await indexed(table, index)).filter((item) => lies(item, keys))).toEqual([])
}
