import { createHash } from 'node:crypto'
import { invalid, ServiceError } from '../errors.ts'
import { shapes } from '../request/shapes.ts'
import type { Reading, Writing } from '../store/store.ts'
import { itemAt, replaceItem, type StoredItem } from '../table/rows.ts'
import type { Table } from '../table/table.ts'
import { type Action, type ActionInput, actionOf, outcomeOf, placeOf } from './action.ts'
import { cancelled, checkOnce, type Reason, reasonOf } from './cancelled.ts'
import { Consumption, type Told } from './capacity.ts'
import { type Context, operation } from './operation.ts'
import { rememberToken, tokenAt } from './token.ts'
import { collectionMetrics } from './write-item.ts'

interface TransactItem {
  readonly ConditionCheck?: ActionInput & { readonly Key: unknown }
  readonly Put?: ActionInput & { readonly Item: unknown }
  readonly Delete?: ActionInput & { readonly Key: unknown }
  readonly Update?: ActionInput & { readonly Key: unknown }
}

interface Input {
  readonly TransactItems: readonly TransactItem[]
  readonly ClientRequestToken?: string
  readonly ReturnConsumedCapacity?: Told
  readonly ReturnItemCollectionMetrics?: 'SIZE' | 'NONE'
}

/** "The aggregate size of the items in the transaction cannot exceed 4 MB" (API Reference, TransactWriteItems). */
const bytes_max = 4 * 1024 * 1024

interface Named {
  readonly name: string
  readonly action: Action
}

export const transactWriteItems = operation<Input>(shapes.TransactWriteItems, (context, input) => {
  const { TransactItems, ClientRequestToken: token, ReturnConsumedCapacity: told } = input
  const actions = TransactItems.map(namedAction)
  const digest = token === undefined ? '' : createHash('sha256').update(JSON.stringify(TransactItems)).digest('base64')
  return context.write((writing) => {
    const now_ms = context.now_ms()
    const known = token === undefined ? undefined : tokenAt(writing, token, now_ms)
    if (known !== undefined && known !== digest) {
      throw new ServiceError(
        'IdempotentParameterMismatchException',
        'An error occurred (IdempotentParameterMismatchException): The request uses the same client token as a previous, but non-identical request.',
      )
    }
    // "Subsequent TransactWriteItems calls with the same client token return the number of read capacity units consumed in reading the item."
    if (known !== undefined) return unitsOfRepeat(context, writing, actions).ofAll(told)
    const outcomes = judged(context, writing, actions)
    if (token !== undefined) rememberToken(writing, { token, digest, now_ms })
    return applied(writing, outcomes, input)
  })
})

interface Outcome {
  readonly table: Table
  readonly action: Action
  readonly key: string
  readonly before: StoredItem | undefined
  readonly after: StoredItem | undefined
}

/** What each action leaves. @throws ServiceError `TransactionCanceledException` with all reasons, before anything is written */
function judged({ catalog }: Context, reading: Reading, actions: readonly Named[]): Outcome[] {
  const reasons: Reason[] = []
  const places: string[] = []
  const outcomes: Outcome[] = []
  for (const { name, action } of actions) {
    const table = catalog.table(reading, name)
    try {
      const key = placeOf(table, action)
      places.push(key)
      const before = itemAt(reading, key)
      outcomes.push({ table, action, key, before, after: outcomeOf(table, action, before) })
      reasons.push({ Code: 'None' })
    } catch (error) {
      reasons.push(reasonOf(error))
    }
  }
  checkOnce(places)
  if (outcomes.length < actions.length) throw cancelled(reasons)
  if (outcomes.reduce((bytes, { before, after }) => bytes + Math.max(before?.[0] ?? 0, after?.[0] ?? 0), 0) > bytes_max) {
    throw invalid('Collection size exceeded: the aggregate size of the items in the transaction cannot exceed 4 MB')
  }
  return outcomes
}

function applied(writing: Writing, outcomes: readonly Outcome[], input: Input): object {
  const consumption = new Consumption('WriteCapacityUnits')
  const metrics: Record<string, unknown[]> = {}
  const isMeasured = input.ReturnItemCollectionMetrics === 'SIZE'
  for (const { table, action, key, before, after } of outcomes) {
    const changes = action.kind === 'ConditionCheck' ? [] : replaceItem(writing, table, { key, before, after })
    consumption.write(table, Math.max(before?.[0] ?? 0, after?.[0] ?? 0), changes)
    const collection = isMeasured ? Object.values(collectionMetrics(table, action.item)) : []
    if (collection.length > 0) metrics[table.name] = [...(metrics[table.name] ?? []), ...collection]
  }
  return {
    ...(Object.keys(metrics).length > 0 ? { ItemCollectionMetrics: metrics } : {}),
    ...consumption.ofAll(input.ReturnConsumedCapacity),
  }
}

function unitsOfRepeat({ catalog }: Context, reading: Reading, actions: readonly Named[]): Consumption {
  const consumption = new Consumption('ReadCapacityUnits')
  for (const { name, action } of actions) {
    const table = catalog.table(reading, name)
    consumption.read(table, itemAt(reading, placeOf(table, action))?.[0] ?? 0, true)
  }
  return consumption
}

function namedAction({ ConditionCheck: check, Put: put, Delete: remove, Update: update }: TransactItem): Named {
  const given = [check, put, remove, update].filter((each) => each !== undefined)
  if (given.length !== 1) throw invalid('TransactItems can only contain one of Check, Put, Update or Delete')
  if (put !== undefined) return { name: put.TableName, action: actionOf('Put', put.Item, put) }
  if (update !== undefined) return { name: update.TableName, action: actionOf('Update', update.Key, update) }
  if (remove !== undefined) return { name: remove.TableName, action: actionOf('Delete', remove.Key, remove) }
  if (check === undefined) throw new Error('There is one action.')
  return { name: check.TableName, action: actionOf('ConditionCheck', check.Key, check) }
}
