import { describe, expect, inject, test } from 'vitest'
import { dynoxideBinary, startDynoxide } from './dynoxide.ts'
import { memoryEngine, outcome } from './engines.ts'
import { randomProgram, tables } from './random-program.ts'

/** The number of requests. `FREEHOLD_DIFFERENTIAL=100000` makes a long course of it. */
const requests = Number(process.env.FREEHOLD_DIFFERENTIAL ?? 1_500)
const binary = dynoxideBinary()

describe('random requests', () => {
  test.skipIf(binary === undefined)(
    `have the same answers as on Dynoxide${binary === undefined ? ', which comes for Linux x64 alone and is not installed' : ''}`,
    async () => {
      if (binary === undefined) return
      const [engine, other] = [await memoryEngine(), await startDynoxide(binary)]
      try {
        for (const input of tables) {
          await engine.execute('CreateTable', input)
          await other.execute('CreateTable', input)
        }
        let left = requests
        for (const { operation, input } of randomProgram(inject('propertySeed'))) {
          const [ours, theirs] = [await outcome(engine, operation, input), await outcome(other, operation, input)]
          expect({ operation, input, answer: comparable(operation, input, ours) }).toEqual({
            operation,
            input,
            answer: comparable(operation, input, theirs),
          })
          left -= 1
          if (left === 0) break
        }
      } finally {
        await other.close()
      }
    },
  )
})

/** An answer without what no program can rely on: wordings, and orders that DynamoDB leaves open. */
function comparable(operation: string, input: object, answer: object): unknown {
  // Items with the same key in an index have no order.
  const isOrdered = operation !== 'Scan' && operation !== 'BatchGetItem' && !('IndexName' in input)
  return sorted(answer, isOrdered)
}

function sorted(value: unknown, isOrdered: boolean, name = ''): unknown {
  if (Array.isArray(value)) {
    const members = value.map((each) => sorted(each, isOrdered))
    const isSet = name === 'SS' || name === 'NS' || name === 'BS'
    const isUnordered = name === 'ConsumedCapacity' || (!isOrdered && name !== 'L')
    return isSet || isUnordered ? members.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) : members
  }
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([member]) => !['message', 'Message', '__type'].includes(member))
  return entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([member, each]) => [member, sorted(each, isOrdered, member)])
}
