import type { DesignModule } from '@freehold/frame'
import type { Replayed } from '@freehold/frame/flow'
import { isFreeholdError, type Page } from '@freehold/table'
import type { Pendable } from '@freehold/table/runtime'
import { readJsonObject } from '../input/json-object.ts'
import { flowNamed, moduleNamed } from '../naming/named.ts'
import type { TableOptions } from '../opening/open-table.ts'
import { asksService } from '../opening/service-at.ts'
import { withDesign } from '../opening/with-design.ts'
import { type FolderOptions, withFolder } from '../opening/with-folder.ts'
import { printLines } from '../output/print-lines.ts'
import { printWritten } from '../output/print-written.ts'
import { safeText } from '../output/safe-text.ts'
import { tellReplayed } from '../output/tell-replayed.ts'
import { type Exit, exit, printJson, type Shell } from '../shell.ts'

export interface DoOptions extends TableOptions, FolderOptions {
  readonly as?: string
  readonly sessionId?: string
  readonly idempotencyKey?: string
}

/** A user of the command has the whole table, so it acts as an operator. Audits name the command. */
const command = 'freehold do'

/** Reports a flow without a result: that it is done or has begun, and the jobs that are left. */
async function printDone(shell: Shell, design: string, { pending }: Pendable, isWaitedFor: boolean, json: boolean): Promise<void> {
  const isBegun = pending !== undefined || !isWaitedFor
  if (json) return printJson(shell, { [isBegun ? 'begun' : 'done']: true, ...(pending === undefined ? {} : { pending }) })
  const begun = `Begun: the next command on this table, or a server, continues it. \`freehold jobs ${design}\` shows its progress.\n`
  await shell.out(isBegun ? begun : 'Done.\n')
  for (const { job, reason } of pending ?? [])
    if (reason !== undefined) shell.err(`${safeText(`The job ${job} stopped: ${reason.message} (${reason.code})`)}\n`)
}

/** Runs a flow. The result of one that continues as jobs names the jobs. */
async function ran(run: () => Promise<unknown>): Promise<Readonly<Record<string, unknown>> & Pendable> {
  try {
    // By its declaration a flow gives an item, values or nothing, together with the jobs that it left.
    return { ...((await run()) as Pendable | undefined) }
  } catch (error) {
    // The error names the jobs that are left, as the result of a write does.
    if (isFreeholdError(error, 'Pending')) {
      const { pending, replayed } = error.details as Required<Pendable> & Partial<Replayed>
      return { pending, ...(replayed === true ? { replayed } : {}) }
    }
    throw error
  }
}

/**
 * Runs a flow, and prints its result: an item, or a line of JSON for each item of a list. Every page is printed, unless the input has a
 * `limit`. Exits with 1 if an item of a page does not match its entity and was left out.
 */
export async function doFlow(shell: Shell, [design, ...operands]: readonly string[], options: DoOptions): Promise<Exit> {
  const named = moduleNamed(shell, design)
  const run = (module: DesignModule) => runFlow(shell, module, operands, options)
  // An operator is held to nothing, and a service decides by its own, so a folder is not even read.
  return options.as === undefined || asksService(shell) ? run(named) : withFolder(shell, named, options, run)
}

async function runFlow(shell: Shell, module: DesignModule, [name, json]: readonly string[], options: DoOptions): Promise<Exit> {
  const { flow } = flowNamed(shell, module, name)
  const input = await readJsonObject(shell, json ?? '{}', `The input of ${flow.name}`)
  const isPaged = flow.returns === 'page'
  return withDesign(shell, { module, name: command, hasCursors: isPaged, isReading: flow.effect === 'read' }, options, async (reached) => {
    const runFlow = await reached.acting({ as: options.as, session_id: options.sessionId, command })
    const run = (more: Readonly<Record<string, unknown>>) => runFlow(flow.name, { ...input, ...more }, options.idempotencyKey)
    if (isPaged) {
      // By its declaration.
      const page = async (more: Readonly<Record<string, unknown>>) => (await run(more)) as Page<unknown>
      const isOnePage = input.limit !== undefined && input.limit !== null
      const first = await page({})
      if (isOnePage && first.cursor !== undefined) reached.keepCursor()
      return printLines(shell, first, isOnePage ? undefined : (cursor) => page({ cursor }))
    }
    const { pending, replayed, ...given } = await ran(() => run({}))
    // Only an answer to a repeat has it.
    if (replayed === true) tellReplayed(shell, given.told_once as Replayed['told_once'])
    const { name: of } = module.design
    if (Object.keys(given).length > 0) await printWritten(shell, of, { ...given, ...(pending === undefined ? {} : { pending }) }, options)
    else await printDone(shell, of, pending === undefined ? {} : { pending }, input.wait !== false, options.json === true)
    return exit.yes
  })
}
