import { type FaultAnswer, refusal } from './fault-answer.ts'
import { isTransaction } from './main-writes.ts'

/**
 * - `null`, `list`, `no JSON`: a success or a refusal that is none of DynamoDB's
 * - `cut`: half of the answer
 * - `item null`: what a GetItem is answered that found nothing, by a server that says so with null; any other request gets the answer to another
 * - `refusal of nothing`: that a condition failed, with null for the item that failed it
 */
export const garbledForms = ['null', 'list', 'no JSON', 'cut', 'item null', 'refusal of nothing'] as const
export type GarbledForm = (typeof garbledForms)[number]

/** The answers of a broken server, or of something between, instead of DynamoDB's. */
export function garbled(form: GarbledForm, operation: string, answer: FaultAnswer | undefined): FaultAnswer {
  switch (form) {
    case 'null':
      return { status: 200, body: 'null' }
    case 'list':
      return { status: 200, body: '[]' }
    case 'no JSON':
      return { status: 400, body: '<html><body><h1>400 Bad Request</h1></body></html>' }
    case 'item null':
      return { status: 200, body: '{"Item":null}' }
    case 'refusal of nothing':
      return isTransaction(operation)
        ? refusal(400, 'TransactionCanceledException', { CancellationReasons: [{ Code: 'ConditionalCheckFailed', Item: null }] })
        : refusal(400, 'ConditionalCheckFailedException', { Item: null })
    case 'cut': {
      const whole = answer?.body ?? '{"Item":{"PK":{"S":"cut"}}}'
      return { status: answer?.status ?? 200, body: whole.slice(0, Math.max(1, Math.floor(whole.length / 2))) }
    }
  }
}
