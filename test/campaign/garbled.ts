import type { FaultAnswer } from '../faults/fault.ts'
import type { Random } from './random.ts'

const forms = ['null', 'list', 'no JSON', 'cut', 'item null'] as const

/** What a broken server, or something between, answers instead of DynamoDB. */
export function garbled(operation: string, answer: FaultAnswer | undefined, random: Random): FaultAnswer {
  const form = random.one(forms)
  switch (form) {
    case 'null':
      return { status: 200, body: 'null' }
    case 'list':
      return { status: 200, body: '[]' }
    case 'no JSON':
      return { status: 400, body: '<html><body><h1>400 Bad Request</h1></body></html>' }
    case 'item null':
      // Only a GetItem has an Item: any other answer may hold a member that nobody asked for.
      return { status: 200, body: operation === 'GetItem' ? '{"Item":null}' : 'null' }
    case 'cut': {
      const whole = answer?.body ?? '{"Item":{"PK":{"S":"cut"}}}'
      return { status: answer?.status ?? 200, body: whole.slice(0, Math.max(1, Math.floor(whole.length / 2))) }
    }
  }
}
