import { openEngine } from '../src/index.ts'

// A process whose files may not grow. It writes until that fails, and then what fits.

const [path = ''] = process.argv.slice(2)
const engine = await openEngine({ path })
const put = (sk: string, text: string) =>
  engine.execute('PutItem', {
    TableName: 'items',
    Item: { pk: { S: 'p' }, sk: { S: sk }, shape: { M: { never: { S: text }, before: { S: text } } } },
  })

const told = await put('large', 'x'.repeat(150_000)).then(
  () => 'nothing',
  (error: unknown) => (error instanceof Error ? error.name : ''),
)
await put('small', 'x')
process.stdout.write(told)
await engine.close()
