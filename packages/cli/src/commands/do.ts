import { operator } from '@freehold/designs'
import { isFreeholdError } from '@freehold/table'
import type { Pendable } from '@freehold/table/runtime'
import { readJsonObject } from '../input/json-object.ts'
import { flowNamed, offerNamed } from '../naming/named.ts'
import { type TableOptions, withTable } from '../opening/open-table.ts'
import { isPage, printLines } from '../output/print-lines.ts'
import { printWritten } from '../output/print-written.ts'
import { safeText } from '../output/safe-text.ts'
import { type Exit, exit, printJson, type Shell } from '../shell.ts'

export interface DoOptions extends TableOptions {
  readonly as?: string
}

/** Whoever has the table has all of it: an operator, whom audits know by the command. */
const commandActor = { ...operator, name: 'freehold do' }

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What a flow gave that gives nothing, or that is not finished: how far it is, and the jobs that are left. */
async function printDone(shell: Shell, design: string, { pending }: Pendable, isWaitedFor: boolean, json: boolean): Promise<void> {
  const isBegun = pending !== undefined || !isWaitedFor
  if (json) return printJson(shell, { [isBegun ? 'begun' : 'done']: true, ...(pending === undefined ? {} : { pending }) })
  const begun = `Begun: the next command on this table goes on with it, or a server; \`freehold jobs ${design}\` shows how far it is.\n`
  await shell.out(isBegun ? begun : 'Done.\n')
  for (const { job, reason } of pending ?? [])
    if (reason !== undefined) shell.err(`${safeText(`The job ${job} did not end here: ${reason.message} (${reason.code})`)}\n`)
}

async function printResult(
  shell: Shell,
  design: string,
  result: unknown,
  isWaitedFor: boolean,
  { json = false }: DoOptions,
): Promise<void> {
  if (result === undefined) return printDone(shell, design, {}, isWaitedFor, json)
  if (!isRecord(result)) return printJson(shell, result)
  const { pending, ...rest } = result as Readonly<Record<string, unknown>> & Pendable
  return pending !== undefined && Object.keys(rest).length === 0
    ? printDone(shell, design, { pending }, isWaitedFor, json)
    : printWritten(shell, design, result, { json })
}

/** Runs a flow; one that was begun and goes on as jobs is told as those. */
async function ran(run: () => Promise<unknown>): Promise<unknown> {
  try {
    return await run()
  } catch (error) {
    if (isFreeholdError(error, 'Pending')) return { pending: error.details.pending }
    throw error
  }
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
    const result = await ran(() => run({}))
    const isOnePage = input.limit !== undefined && input.limit !== null
    if (isPage(result)) return printLines(shell, result, isOnePage ? undefined : (cursor) => run({ cursor }))
    await printResult(shell, offer.design.name, result, input.wait !== false, options)
    return exit.yes
  })
}
