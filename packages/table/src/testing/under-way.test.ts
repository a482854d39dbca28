import { expect, test } from 'vitest'
import { UnderWay } from './under-way.ts'

const key = (PK: string) => ({ PK: { S: PK }, SK: { S: 'META' } })
const put = (PK: string) => ({ Put: { TableName: 't', Item: { ...key(PK), name: { S: 'n' } } } })
const check = (PK: string) => ({ ConditionCheck: { TableName: 't', Key: key(PK) } })
const transaction = (token: string, ...TransactItems: object[]) => ({ TransactItems, ClientRequestToken: token })
const refusalOf = (entered: ReturnType<UnderWay['enter']>) => ('refused' in entered ? entered.refused : undefined)

test('two transactions that name one item conflict, checks included, at its index', () => {
  const underWay = new UnderWay()
  const first = underWay.enter('TransactWriteItems', transaction('one', put('a'), check('b')))
  expect(refusalOf(underWay.enter('TransactWriteItems', transaction('two', put('c'), check('b'))))).toMatchObject({
    code: 'TransactionCanceledException',
    CancellationReasons: [{ Code: 'None' }, { Code: 'TransactionConflict' }],
  })
  expect(refusalOf(underWay.enter('TransactWriteItems', transaction('three', put('c'))))).toBeUndefined()
  if ('leave' in first) first.leave()
  expect(refusalOf(underWay.enter('TransactWriteItems', transaction('two', check('b'))))).toBeUndefined()
  expect(underWay.conflicts).toBe(1)
})

test('a single write that meets a transaction is refused, and a read is not', () => {
  const underWay = new UnderWay()
  underWay.enter('TransactWriteItems', transaction('one', check('a')))
  const conflict = { code: 'TransactionConflictException' }
  expect(refusalOf(underWay.enter('PutItem', put('a').Put))).toMatchObject(conflict)
  expect(refusalOf(underWay.enter('DeleteItem', check('a').ConditionCheck))).toMatchObject(conflict)
  expect(refusalOf(underWay.enter('UpdateItem', check('b').ConditionCheck))).toBeUndefined()
  expect(refusalOf(underWay.enter('GetItem', check('a').ConditionCheck))).toBeUndefined()
})

test('the most that were under way at once are counted', () => {
  const underWay = new UnderWay()
  const entered = ['a', 'b', 'c'].map((PK) => underWay.enter('TransactWriteItems', transaction(PK, put(PK))))
  for (const each of entered) if ('leave' in each) each.leave()
  underWay.enter('TransactWriteItems', transaction('four', put('a')))
  expect(underWay.most).toBe(3)
})

test('one token is at work once', () => {
  const underWay = new UnderWay()
  underWay.enter('TransactWriteItems', transaction('one', put('a')))
  expect(refusalOf(underWay.enter('TransactWriteItems', transaction('one', put('a'))))).toMatchObject({
    code: 'TransactionInProgressException',
  })
})
