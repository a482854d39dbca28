import type { DesignModule } from '@freehold/designs'
import { type ConnectedTable, type ConnectOptions, connect, FreeholdError, isFreeholdError } from '@freehold/table'
import { checkTable, ensureTable } from '@freehold/table/runtime'
import { listed } from '../output/listed.ts'

export interface OpeningTables {
  /** What every table is connected with: one sender for all of them. */
  readonly connecting: ConnectOptions
  /** Tables at AWS are made by whoever deploys: a missing one is no reason to make it. */
  readonly isAtAws: boolean
}

/** How long a request of the start may be tried again, on an engine of ours: one that is full answers none, and who starts it waits for that. */
export const startBounds = { patience_ms: 4_000, attempt_ms: 2_000 } as const

/** What says all of a table: its design, and what does the jobs of its flows, which whoever opens it resumes (spec rule 12). */
type OpenedOffer = Pick<DesignModule, 'design' | 'flows'>

/** Makes a table that is not there; at AWS it must be, with the design's keys: else an error says how to make it. */
export async function openTable({ design, flows }: OpenedOffer, { connecting, isAtAws }: OpeningTables): Promise<ConnectedTable> {
  const table: ConnectedTable = connect(design, { ...connecting, jobHandlers: flows?.jobHandlers ?? {} })
  if (!isAtAws) await ensureTable({ ...table.runtime, ...startBounds })
  else {
    await checkTable(table.runtime).catch((error: unknown) => {
      if (!isFreeholdError(error, 'Unavailable') || error.details.failure !== 'missing-table') throw error
      const name = table.runtime.table
      const setup = `freehold setup ${design.name}${name === design.table ? '' : ` --table ${name}`}`
      const message = `There is no table ${name} for ${design.name}: make it with \`${setup}\`.`
      throw new FreeholdError('Unavailable', message, { table: name, isMissing: true })
    })
  }
  return table
}

function isMissing({ details }: FreeholdError): boolean {
  return details.isMissing === true
}

/** What is wrong with one table and not with all: it is missing, it is another program's, or this process may not look at it. */
function isOfOneTable(error: unknown): error is FreeholdError {
  return isFreeholdError(error, 'Unavailable') && (error.details.failure === 'refused' || error.details.table !== undefined)
}

export interface OfferedTable {
  readonly module: DesignModule
  readonly table: ConnectedTable
}

interface LeftOut {
  readonly module: DesignModule
  readonly error: FreeholdError
}

function isLeftOut(outcome: OfferedTable | LeftOut): outcome is LeftOut {
  return 'error' in outcome
}

/** Why designs are not served, in sentences. */
function sentencesOf(left: readonly LeftOut[]): string[] {
  const missing = left.filter(({ error }) => isMissing(error)).map(({ module, error }) => `${module.design.name} (${error.details.table})`)
  const others = left.filter(({ error }) => !isMissing(error))
  return [
    ...(missing.length === 0
      ? []
      : [`Not served, as there is no table: ${listed(missing)}. \`freehold setup DESIGN\` makes one; --design names what must be there.`]),
    ...others.map(({ module: { design }, error }) => `Not served: ${design.name}, whose table is ${design.table}. ${error.message}`),
  ]
}

/**
 * Opens the tables of designs, side by side. At AWS, unless they are all asked for, a design whose table is missing, has other keys or may not
 * be looked at is left out, and `log` is told: whoever uses one design has no tables of the others.
 * @throws Unavailable where a table that must be there is not, or none is there
 */
export async function openTables(
  modules: readonly DesignModule[],
  areAsked: boolean,
  opening: OpeningTables,
  log: (sentence: string) => void,
): Promise<readonly OfferedTable[]> {
  const outcomes = await Promise.all(
    modules.map(async (module): Promise<OfferedTable | LeftOut> => {
      try {
        return { module, table: await openTable(module, opening) }
      } catch (error) {
        if (areAsked || !opening.isAtAws || !isOfOneTable(error)) throw error
        return { module, error }
      }
    }),
  )
  const left = outcomes.filter(isLeftOut)
  const found = outcomes.filter((outcome): outcome is OfferedTable => !isLeftOut(outcome))
  if (found.length > 0) for (const sentence of sentencesOf(left)) log(sentence)
  else {
    const [other] = left.filter(({ error }) => !isMissing(error))
    if (other !== undefined) throw other.error
    const tables = left.map(({ error }) => String(error.details.table))
    throw new FreeholdError(
      'Unavailable',
      `There is nothing to serve: no table ${tables.join(' and no table ')}. \`freehold setup DESIGN\` makes one.`,
      { tables },
    )
  }
  return found
}
