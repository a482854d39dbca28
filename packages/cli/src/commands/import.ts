import { open } from 'node:fs/promises'
import { importPeople, personColumns } from '@freehold/designs/rebac'
import {
  type ImportCount,
  type ImportOptions,
  type ImportReport,
  importItems,
  itemsOfCells,
  readCsv,
  readJsonLines,
} from '@freehold/frame/exchange'
import { operator } from '@freehold/frame/flow'
import type { FreeholdError } from '@freehold/table'
import { readablePath, readStream } from '../input/input-file.ts'
import { invalid } from '../input/invalid.ts'
import { moduleNamed } from '../naming/named.ts'
import { type Opened, withTable } from '../opening/open-table.ts'
import { rebacTable } from '../opening/rebac-table.ts'
import { counted } from '../output/counted.ts'
import { listedReport, reportRow, reportSentence } from '../output/import-report.ts'
import { progressOf } from '../output/progress.ts'
import { safeText } from '../output/safe-text.ts'
import { type Exit, exit, printJson, type Shell } from '../shell.ts'
import { importRoleMatrix, type MatrixCommandOptions, matrixScopes } from './import-matrix.ts'

/** The form of a file: items of the design, or people of rebac, in a CSV without the column `Type`. */
type Form = 'json lines' | 'csv' | 'people'

const head_bytes = 4096

/** The first line of a file, up to the longest possible header. */
async function firstLine(path: string): Promise<string> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(head_bytes))
    return buffer.toString('utf8', 0, bytesRead).split(/\r?\n/)[0] ?? ''
  } finally {
    await file.close()
  }
}

async function formOf(shell: Shell, file: string, design: string): Promise<Form> {
  if (file === '-' || /\.(jsonl|ndjson)$/i.test(file)) return 'json lines'
  if (!/\.csv$/i.test(file)) throw invalid(`The file ${safeText(file)} is neither .jsonl nor .csv: its name decides how it is read.`)
  const columns = (await firstLine(await readablePath(shell, file))).replace(/^\ufeff/, '').split(',')
  const isOfItems = columns.some((column) => /^"?type"?$/i.test(column.trim()))
  return isOfItems || design !== 'rebac' ? 'csv' : 'people'
}

interface Telling extends Pick<ImportOptions, 'record'> {
  readonly onProgress: (count: ImportCount) => void
  readonly onFailed: (failed: { readonly line: number; readonly error: FreeholdError }) => void
}

async function importFile(shell: Shell, opened: Opened, file: string, form: Form, telling: Telling): Promise<ImportReport> {
  const source = file === '-' ? shell.stdin : await readStream(shell, file)
  if (form === 'people') return importPeople(rebacTable(opened), readCsv(source, personColumns), telling)
  const { runtime } = opened
  const rows = form === 'csv' ? itemsOfCells(runtime.design, readCsv(source, { must: ['Type'] })) : readJsonLines(source)
  return importItems(runtime, rows, telling)
}

/** Imports a file of items, of people, or a role matrix. Exits with 1 if rows failed. All other rows were imported. */
export async function importInto(shell: Shell, [design, file]: readonly string[], options: MatrixCommandOptions): Promise<Exit> {
  const module = moduleNamed(shell, design)
  const isMatrix = (['userRoles', 'rolePermissions', 'confirmDangerous', ...matrixScopes] as const).some(
    (name) => options[name] !== undefined,
  )
  if (isMatrix) return importRoleMatrix(shell, module, file, options)
  if (file === undefined) throw invalid('A file is missing: .jsonl or .csv, or - for JSON lines on stdin.')
  const form = await formOf(shell, file, module.design.name)
  if (file !== '-') await readablePath(shell, file)
  return withTable(shell, { module, name: 'freehold import' }, options, async (opened) => {
    const progress = progressOf(shell)
    const report = await importFile(shell, opened, file, form, {
      record: module.flows?.importRecorder(opened.table, { actor: { ...operator, name: 'freehold import' } }),
      onProgress: ({ rows, failed }) => progress.show(`${counted(rows, 'row')} read, ${failed} failed`),
      onFailed: (failed) => {
        progress.end()
        if (options.json !== true) shell.err(reportRow(file, failed))
      },
    })
    progress.end()
    if (options.json === true) await printJson(shell, listedReport(report))
    else await shell.out(reportSentence(file, report))
    return report.failed === 0 ? exit.yes : exit.no
  })
}
