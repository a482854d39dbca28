import { openEngine } from '../src/index.ts'

// A process that writes until it is killed: the same items again and again, in one transaction each time. It prints a number when the items
// that have it are acknowledged.

const [path = '', writer = '', first = '0', count = '1'] = process.argv.slice(2)
const engine = await openEngine({ path })

for (let number = Number(first); ; number += 1) {
  const items = Array.from({ length: Number(count) }, (_, at) => {
    const Item: Record<string, object> = { pk: { S: writer }, sk: { S: String(at) }, number: { N: String(number) } }
    for (const index of ['byA', 'byB', 'byC', 'byD', 'byE']) Item[index] = { S: `${index}${number % 7}` }
    return { Put: { TableName: 'items', Item } }
  })
  await engine.execute('TransactWriteItems', { TransactItems: items, ClientRequestToken: `${writer} ${number}` })
  process.stdout.write(`${number}\n`)
}
