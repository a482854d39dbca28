import { textOf, type Values } from '../app/told.ts'

/** A cell by RFC 4180. A sheet would run text that begins as a formula: it gets an apostrophe, by which it stays text. */
export function cellOf(value: unknown): string {
  const text = textOf(value)
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export function csvOf(columns: readonly string[], rows: readonly Values[]): string {
  return [columns, ...rows.map((row) => columns.map((column) => row[column]))].map((cells) => cells.map(cellOf).join(',')).join('\r\n')
}

/** Gives a file to the person at the browser. */
export function download(name: string, text: string, type = 'text/csv'): void {
  const address = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }))
  const link = Object.assign(document.createElement('a'), { href: address, download: name })
  link.click()
  URL.revokeObjectURL(address)
}
