/** Values that differ from run to run: ids, instants, secrets, cursors, costs and times. Each stands for one of its kind. */
const changing: readonly (readonly [RegExp, string])[] = [
  [/\bfhk_[0-9A-HJKMNP-TV-Z]{26}_[\w-]{43}/g, 'KEY'],
  [/\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b/g, 'ULID'],
  [/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, 'UUID'],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, 'INSTANT'],
  [/"ms":[\d.]+/g, 'MS'],
  // Questions that are asked side by side share reads as it comes.
  [/[\d.]+ round trips, [\d.]+ requests, [\d.]+ request units/g, 'COST'],
  // A cursor: longer than any word, with capitals and digits in it.
  [/(?=[\w-]*[a-z])(?=[\w-]*[A-Z])(?=[\w-]*\d)[\w-]{48,}/g, 'CURSOR'],
]

export function masked(text: string): string {
  return changing.reduce((masking, [form, name]) => masking.replace(form, name), text)
}

/** The line of a page that stands for any number of lines. */
const elision = '…'

/** True where a page shows this text, but for what changes and for what it leaves out. */
export function shows(shown: string, text: string): boolean {
  const parts = masked(`\n${tidy(shown)}\n`).split(`\n${elision}\n`)
  let rest = masked(`\n${tidy(text)}\n`)
  for (const [index, part] of parts.entries()) {
    const piece = index === 0 ? part : `\n${part}`
    const at = index === 0 ? 0 : index === parts.length - 1 ? rest.length - piece.length : rest.indexOf(piece)
    if (at < 0 || !rest.startsWith(piece, at)) return false
    // The end of this line is where the next piece begins.
    rest = index === parts.length - 1 ? rest.slice(at + piece.length) : `\n${rest.slice(at + piece.length).replace(/^\n/, '')}`
  }
  return rest === '' || parts.at(-1) === ''
}

function tidy(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trim()
}
