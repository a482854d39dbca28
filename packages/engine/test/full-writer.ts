import { setImmediate as turn } from 'node:timers/promises'
import { openEngine } from '../src/index.ts'

// A process whose files may not grow. It has small and large writes under way at once, until the large ones fail, and then writes what fits.
// It prints what became of each.

const [path = ''] = process.argv.slice(2)
const engine = await openEngine({ path })
const put = (sk: string, text: string) =>
  engine
    .execute('PutItem', {
      TableName: 'items',
      Item: { pk: { S: 'p' }, sk: { S: sk }, shape: { M: { never: { S: text }, before: { S: text } } } },
    })
    .then(
      () => [sk, 'written'] as const,
      (error: unknown) => [sk, error instanceof Error && 'code' in error ? error.code : error] as const,
    )
const putLarge = (sk: string) => put(sk, 'x'.repeat(150_000))

const told: Awaited<ReturnType<typeof put>>[] = []
for (let at = 0; at < 10; at += 1) {
  const small = [put(`small ${at}`, 'x'), put(`other ${at}`, 'x')]
  // The large one is in the same batch, or in the next, which fails while this one waits, or after it.
  for (let turns = 0; turns < 2 ** at; turns += 1) await turn()
  told.push(...(await Promise.all([...small, putLarge(`large ${at}`), put(`after ${at}`, 'x')])))
}
told.push(await put('small', 'x'), await putLarge('last'))
// The last commit has failed.
await engine.close()
process.stdout.write(JSON.stringify(Object.fromEntries(told)))
