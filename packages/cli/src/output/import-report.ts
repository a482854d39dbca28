import type { FailedRow, ImportReport } from '@freehold/designs'
import { counted } from './counted.ts'
import { safeText } from './safe-text.ts'

/** A row that failed, as it is listed while the rest carries on. */
export function reportRow(file: string, { line, error }: FailedRow): string {
  return `${safeText(file)}, line ${line}: ${safeText(error.message)} (${error.code})\n`
}

/** What became of a file's rows. */
export function reportSentence(file: string, { rows, written, unchanged, skipped, failed }: ImportReport): string {
  const derived = skipped === 0 ? '' : `, ${skipped} left out as they follow from others`
  return `${safeText(file)}: ${counted(rows, 'row')}, ${written} written, ${unchanged} there already${derived}, ${failed} failed.\n`
}

/** The same for a program; the first thousand failures. */
export function listedReport({ rows, written, unchanged, skipped, failed, failures }: ImportReport) {
  const listed = failures.map(({ line, error: { code, message } }) => ({ line, code, message }))
  return { rows, written, unchanged, skipped, failed, failures: listed }
}
