import type { FailedRow, ImportReport } from '@freehold/frame/exchange'
import { counted } from './counted.ts'
import { safeText } from './safe-text.ts'

/** A failed row. It is reported while the import continues. */
export function reportRow(file: string, { line, error }: FailedRow): string {
  return `${safeText(file)}, line ${line}: ${safeText(error.message)} (${error.code})\n`
}

/** The outcome of a file's rows, as a sentence. */
export function reportSentence(file: string, { rows, written, unchanged, skipped, failed }: ImportReport): string {
  const derived = skipped === 0 ? '' : `, ${skipped} derived from others and left out`
  return `${safeText(file)}: ${counted(rows, 'row')}, ${written} written, ${unchanged} unchanged${derived}, ${failed} failed.\n`
}

/** The outcome for programs, with the first thousand failures. */
export function listedReport({ rows, written, unchanged, skipped, failed, failures }: ImportReport) {
  const listed = failures.map(({ line, error: { code, message } }) => ({ line, code, message }))
  return { rows, written, unchanged, skipped, failed, failures: listed }
}
