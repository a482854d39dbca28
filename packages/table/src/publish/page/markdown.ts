/** Text of a design's author in Markdown. It is shown as written, but text in backticks is code. */
export function prose(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .trim()
    .split(/(`[^`]+`)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(/[\\`*[\]<]|(?<!\w)_|_(?!\w)/g, '\\$&').replace(/&(?=#?\w+;)/g, '&amp;')))
    .join('')
}

/** A name or template as code, whatever characters it has. */
export function code(text: string): string {
  const fence = '`'.repeat(1 + Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length)))
  const pad = text.startsWith('`') || text.endsWith('`') ? ' ' : ''
  return `${fence}${pad}${text.replace(/\s/g, ' ')}${pad}${fence}`
}

export const codes = (texts: readonly string[]): string => texts.map(code).join(', ')

/** `a`, `a and b`, `a, b and c`. */
export function listed(parts: readonly string[], and = 'and'): string {
  const last = parts.at(-1) ?? ''
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} ${and} ${last}`
}

/** Lines of one cell. */
export const lines = (parts: readonly string[]): string => parts.filter((part) => part !== '').join('<br>')

/** A table; columns that are empty in every row are left out. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const shown = headings.map((_, column) => rows.some((row) => (row[column] ?? '') !== ''))
  // A pipe ends a cell, even within code.
  const row = (cells: readonly string[]) =>
    `| ${cells
      .filter((_, column) => shown[column])
      .map((cell) => cell.replace(/\|/g, '\\|'))
      .join(' | ')} |`
  return [row(headings), row(headings.map(() => '---')), ...rows.map(row)].join('\n')
}

/** The anchor of a heading, as GitHub makes it. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')
}

export function link(text: string, heading: string): string {
  return `[${text}](#${anchorOf(heading)})`
}
