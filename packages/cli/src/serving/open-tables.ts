import type { DesignModule } from '@freehold/frame'
import { type ConnectedTable, type ConnectOptions, connect, FreeholdError, isFreeholdError } from '@freehold/table'
import { checkTable, ensureTable } from '@freehold/table/runtime'
import { listed } from '../output/listed.ts'

export interface OpeningTables {
  /** The options of every table, with one sender for all of them. */
  readonly connecting: ConnectOptions
  /** The bounds of the first requests elsewhere than at AWS: a start on a full disk should fail soon. */
  readonly starting?: Required<Pick<ConnectOptions, 'patience_ms' | 'attempt_ms'>>
  /** At AWS a deployment creates tables, so a missing table is not created. */
  readonly isAtAws: boolean
}

/** The parts of a module that a table needs: its design, and the job handlers of its flows, by which jobs are resumed (spec rule 12). */
type OpenedOffer = Pick<DesignModule, 'design' | 'flows'>

/** Opens a table, and creates it if it is missing. At AWS it must exist with the design's keys; the error says how to create it. */
export async function openTable({ design, flows }: OpenedOffer, { connecting, starting, isAtAws }: OpeningTables): Promise<ConnectedTable> {
  const table: ConnectedTable = connect(design, { ...connecting, jobHandlers: flows?.jobHandlers ?? {} })
  if (!isAtAws) await ensureTable({ ...table.runtime, ...starting })
  else {
    await checkTable(table.runtime).catch((error: unknown) => {
      if (!isFreeholdError(error, 'Unavailable') || error.details.failure !== 'missing-table') throw error
      const name = table.runtime.table
      const setup = `freehold setup ${design.name}${name === design.table ? '' : ` --table ${name}`}`
      const message = `There is no table ${name} for ${design.name}: create it with \`${setup}\`.`
      throw new FreeholdError('Unavailable', message, { table: name, isMissing: true })
    })
  }
  return table
}

function isMissing({ details }: FreeholdError): boolean {
  return details.isMissing === true
}

/** True for an error of one table only: it is missing, belongs to another program, or may not be read by this process. */
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

/** The reasons why designs are not served, in sentences. */
function sentencesOf(left: readonly LeftOut[]): string[] {
  const missing = left.filter(({ error }) => isMissing(error)).map(({ module, error }) => `${module.design.name} (${error.details.table})`)
  const others = left.filter(({ error }) => !isMissing(error))
  return [
    ...(missing.length === 0
      ? []
      : [
          `Not served, since there is no table: ${listed(missing)}. \`freehold setup DESIGN\` creates one. With --design a table must exist.`,
        ]),
    ...others.map(({ module: { design }, error }) => `Not served: ${design.name}, whose table is ${design.table}. ${error.message}`),
  ]
}

/**
 * Opens the tables of designs in parallel. At AWS, a design is left out and logged if its table is missing, has other keys or may not be
 * read, since a deployment often has only some designs. Named designs are not left out.
 * @throws Unavailable if the table of a named design is missing, or if there is no table at all
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
      `There is nothing to serve: no table ${tables.join(' and no table ')}. \`freehold setup DESIGN\` creates one.`,
      { tables },
    )
  }
  return found
}
