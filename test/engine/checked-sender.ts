import { type BrokenRule, brokenRule, keysCreated, type TableKeys } from '@freehold/table/testing'
import type { CreateTableInput } from '../../packages/table/src/dynamo/operation.ts'
import type { Sender } from '../../packages/table/src/dynamo/sender.ts'

/** A sentence for each request that has broken a rule of AWS. */
const broken: string[] = []

/** The requests that have broken a rule of AWS since the last call. A test that breaks one on purpose takes its own. */
export function takeBroken(): readonly string[] {
  return broken.splice(0)
}

const tables = new Map<string, TableKeys>()

const shownMax = 1_000

const sentenceOf = ({ says, source, what }: BrokenRule, operation: string, input: object) =>
  `${says} (${source}) Here: ${what.slice(0, shownMax)}, in ${operation} ${JSON.stringify(input).slice(0, shownMax)}`

function check(operation: string, input: Readonly<Record<string, unknown>>): void {
  const rule = brokenRule(operation, input, (table) => tables.get(table))
  if (rule !== undefined) broken.push(sentenceOf(rule, operation, input))
  // A request that breaks no rule has the shape of its operation. A second creation changes nothing.
  else if (operation === 'CreateTable' && !tables.has(String(input.TableName)))
    tables.set(String(input.TableName), keysCreated(input as unknown as CreateTableInput))
}

/** A sender that holds each request against the rules of AWS on its way: those of this process, and those that come over a socket. */
export function checkedSender(sender: Pick<Sender, 'send'>): Sender {
  return {
    send: (operation, input, options) => {
      check(operation, { ...input })
      return sender.send(operation, input, options)
    },
    close: () => {},
  }
}
