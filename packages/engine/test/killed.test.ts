import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, inject, test } from 'vitest'
import { bundle } from '../../../test/bundle.js'
import { temporaryFolder } from '../../../test/folders/temporary-folder.ts'
import { type Engine, openEngine } from '../src/index.ts'
import { randomBy } from '../src/unkind/random.ts'
import { tableInput } from './engines.ts'

/** The number of processes that are killed, two at a time. `FREEHOLD_KILLS=200` makes a long course of it. */
const kills = Number(process.env.FREEHOLD_KILLS ?? 6)
const items = Number(process.env.FREEHOLD_KILLED_ITEMS ?? 25)
const indexes = ['byA', 'byB', 'byC', 'byD', 'byE'] as const
const writers = ['one', 'two'] as const

test(`of ${kills} writers that are killed, each acknowledged transaction is there, and no other in part`, async () => {
  const worker = await bundle(join(import.meta.dirname, 'writer.ts'))
  const path = temporaryFolder()
  const random = randomBy(inject('propertySeed'))
  const engine = await openEngine({ path })
  await engine.execute('CreateTable', tableInput({ global: Object.fromEntries(indexes.map((name) => [name, [[name, 'S']]])) }))
  await engine.close()
  const next = { one: 0, two: 0 }
  for (let killed = 0; killed < kills; killed += writers.length) {
    const acknowledged = await Promise.all(
      writers.map((writer) => untilKilled([worker, path, writer, String(next[writer]), String(items)], 1 + Math.floor(random() * 20))),
    )
    const after = await openEngine({ path })
    try {
      for (const [at, writer] of writers.entries()) {
        const last = await numberOf(after, writer)
        // The transaction under way when the process was killed may have been applied, too.
        expect([acknowledged[at], Number(acknowledged[at]) + 1]).toContain(last)
        next[writer] = last + 1
      }
    } finally {
      await after.close()
    }
  }
})

/** Starts a writer and kills it after so many acknowledgements. Gives the last one. */
async function untilKilled(parts: readonly string[], count: number): Promise<number> {
  const child = spawn(process.execPath, parts, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  let [last, left] = [-1, count]
  for await (const line of createInterface({ input: child.stdout })) {
    last = Number(line)
    left -= 1
    if (left === 0) child.kill('SIGKILL')
  }
  await ended
  return last
}

/** The number that all items of a writer have, in the table and in each index. */
async function numberOf(engine: Engine, writer: string): Promise<number> {
  const input = {
    TableName: 'items',
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': { S: writer } },
    ConsistentRead: true,
  }
  const found = numbersIn(await engine.execute('Query', input))
  const [number = -1] = found
  expect(found).toEqual(Array.from({ length: items }, () => number))
  for (const index of indexes) {
    const entries = await engine.execute('Scan', {
      TableName: 'items',
      IndexName: index,
      FilterExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': { S: writer } },
    })
    expect(numbersIn(entries)).toEqual(found)
  }
  return number
}

function numbersIn(page: object): number[] {
  const { Items } = page as { readonly Items: readonly { readonly number: { readonly N: string } }[] } // As the writer puts them.
  return Items.map(({ number }) => Number(number.N))
}
