const delimiters: readonly (readonly [sign: string, words: string])[] = [
  [';', 'semicolons'],
  ['\t', 'tabs'],
  ['|', 'bars'],
]

/**
 * Why a header seems to lack columns that its file has: another delimiter, as spreadsheets of some countries write it, or another case. Undefined where
 * neither explains it.
 */
export function headerHint(names: readonly string[], wanted: readonly string[]): string | undefined {
  const [only = ''] = names
  const [, words] = names.length === 1 ? (delimiters.find(([sign]) => only.includes(sign)) ?? []) : []
  if (words !== undefined) return `its columns are separated by ${words}: separate them by commas`
  const cased = wanted.flatMap((name) => {
    const other = names.includes(name) ? undefined : names.find((each) => each.toLowerCase() === name.toLowerCase())
    return other === undefined ? [] : [`${name} in place of ${other}`]
  })
  return cased.length === 0 ? undefined : `write ${cased.join(', ')}`
}
