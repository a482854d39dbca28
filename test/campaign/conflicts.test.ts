import { expect, test } from 'vitest'
import { UnderWay } from './conflicts.ts'

const key = (PK: string) => ({ PK: { S: PK }, SK: { S: 'META' } })
const put = (PK: string) => ({ Put: { TableName: 't', Item: { ...key(PK), name: { S: 'n' } } } })
const check = (PK: string) => ({ ConditionCheck: { TableName: 't', Key: key(PK) } })
const transaction = (token: string, ...TransactItems: object[]) => ({ TransactItems, ClientRequestToken: token })
const bodyOf = (entered: ReturnType<UnderWay['enter']>) => ('refused' in entered ? JSON.parse(entered.refused.body) : undefined)

test('two transactions that name one item conflict, checks included, at its index', () => {
  const underWay = new UnderWay()
  const first = underWay.enter('TransactWriteItems', transaction('one', put('a'), check('b')))
  expect(bodyOf(underWay.enter('TransactWriteItems', transaction('two', put('c'), check('b'))))).toMatchObject({
    __type: 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException',
    CancellationReasons: [{ Code: 'None' }, { Code: 'TransactionConflict' }],
  })
  expect(bodyOf(underWay.enter('TransactWriteItems', transaction('three', put('c'))))).toBeUndefined()
  if ('leave' in first) first.leave()
  expect(bodyOf(underWay.enter('TransactWriteItems', transaction('two', check('b'))))).toBeUndefined()
  expect(underWay.conflicts).toBe(1)
})

test('a single write that meets a transaction is refused, and a read is not', () => {
  const underWay = new UnderWay()
  underWay.enter('TransactWriteItems', transaction('one', check('a')))
  const conflict = { __type: 'com.amazonaws.dynamodb.v20120810#TransactionConflictException' }
  expect(bodyOf(underWay.enter('PutItem', put('a').Put))).toMatchObject(conflict)
  expect(bodyOf(underWay.enter('DeleteItem', check('a').ConditionCheck))).toMatchObject(conflict)
  expect(bodyOf(underWay.enter('UpdateItem', check('b').ConditionCheck))).toBeUndefined()
  expect(bodyOf(underWay.enter('GetItem', check('a').ConditionCheck))).toBeUndefined()
})

test('one token is at work once', () => {
  const underWay = new UnderWay()
  underWay.enter('TransactWriteItems', transaction('one', put('a')))
  expect(bodyOf(underWay.enter('TransactWriteItems', transaction('one', put('a'))))).toMatchObject({
    __type: 'com.amazonaws.dynamodb.v20120810#TransactionInProgressException',
  })
})
