import { operator } from '@freehold/designs'
import { readJsonObject } from '../input/json-object.ts'
import { flowNamed, offerNamed } from '../naming/named.ts'
import { type TableOptions, withTable } from '../opening/open-table.ts'
import { printItem } from '../output/print-item.ts'
import { isPage, printLines } from '../output/print-lines.ts'
import { type Exit, exit, printJson, type Shell } from '../shell.ts'

export interface DoOptions extends TableOptions {
  readonly as?: string
}

/** Whoever has the table has all of it: an operator, whom audits know by the command. */
const commandActor = { ...operator, name: 'freehold do' }

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

async function printResult(
  shell: Shell,
  design: string,
  result: unknown,
  isWaitedFor: boolean,
  { json = false }: DoOptions,
): Promise<void> {
  if (result === undefined && json) return printJson(shell, isWaitedFor ? { done: true } : { begun: true })
  const begun = `Begun: the next command on this table goes on with it, or a server; \`freehold jobs ${design}\` shows how far it is.\n`
  if (result === undefined) return shell.out(isWaitedFor ? 'Done.\n' : begun)
  return isRecord(result) ? printItem(shell, result, { json }) : printJson(shell, result)
}

/**
 * Runs a flow, and prints what it gives: an item, or for a list a line of JSON for each of its items, of every page unless the input has a
 * `limit`. Exits with 1 where an item of a list does not fit its entity and was left out.
 */
export async function doFlow(shell: Shell, [design, name, json]: readonly string[], options: DoOptions): Promise<Exit> {
  const offer = offerNamed(shell, design)
  const { flow, flows } = flowNamed(offer, name)
  const input = await readJsonObject(shell, json ?? '{}', `The input of ${flow.name}`)
  const hasCursors = flow.input.some((each) => each.name === 'cursor')
  return withTable(shell, { offer, name: 'freehold do', hasCursors }, options, async ({ table }) => {
    const actor = options.as === undefined ? commandActor : await flows.actorNamed(table, options.as)
    const run = (more: Readonly<Record<string, unknown>>) => flows.run(table, flow.name, { ...input, ...more }, { actor })
    const result = await run({})
    const isOnePage = input.limit !== undefined && input.limit !== null
    if (isPage(result)) return printLines(shell, result, isOnePage ? undefined : (cursor) => run({ cursor }))
    await printResult(shell, offer.design.name, result, input.wait !== false, options)
    return exit.yes
  })
}
