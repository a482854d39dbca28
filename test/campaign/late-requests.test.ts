import { expect, test } from 'vitest'
import { type Late, LateRequests } from './late-requests.ts'
import { randomOf } from './random.ts'

const key = (PK: string) => ({ PK: { S: PK }, SK: { S: 'META' } })
const request = (operation: string, input: object): Late => ({ operation, input: { ...input }, body: JSON.stringify(input) })
const put = (PK: string, name: string) => request('PutItem', { TableName: 't', Item: { ...key(PK), name: { S: name } } })
const update = (PK: string) => request('UpdateItem', { TableName: 't', Key: key(PK) })
const remove = (PK: string) => request('TransactWriteItems', { TransactItems: [{ Delete: { TableName: 't', Key: key(PK) } }] })

/** So long that only what is seen, or the end, releases what awaits the worst. */
const long_ms = 60_000
const lateRequests = () => new LateRequests(randomOf(1), long_ms)

test.each([
  ['a change comes when its item was made anew', update('a'), put('a', 'other')],
  ['a removal, too', remove('a'), put('a', 'other')],
  ['a creation comes when its item was removed', put('a', 'own'), remove('a')],
])('%s', async (_, held, seen) => {
  const late = lateRequests()
  const delivered = late.until(held, true)
  late.seen(seen)
  await delivered
  expect(late.size).toBe(0)
})

test.each([
  ['another item', update('a'), put('b', 'other')],
  ['its own retry', put('a', 'own'), put('a', 'own')],
  ['another change', update('a'), update('a')],
])('%s is not waited for', async (_, held, seen) => {
  const late = lateRequests()
  const delivered = late.until(held, true)
  late.seen(seen)
  expect(late.size).toBe(1)
  late.releaseAll()
  await delivered
})
