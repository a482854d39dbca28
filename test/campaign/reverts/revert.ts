/** Text of one source, as it stands and as it was. */
export interface Patch {
  /** Path from the root. */
  readonly file: string
  /** Occurs once. */
  readonly text: string
  readonly reverted: string
}

/** A mend, and how the code was without it. */
export interface Revert {
  /** The failure without the mend. */
  readonly name: string
  readonly patches: readonly Patch[]
  /** The situations, by name, each of which shows it. */
  readonly shownBy: readonly string[]
}

/** How often a text occurs in another. */
export const occurrences = (text: string, source: string): number => source.split(text).length - 1

/** Changes a source, by its path from the root and its text. */
export type Change = (path: string, source: string) => string

/** Reverts a mend in the sources as they are bundled, and tells the files that none of these was. */
export function patching({ name, patches }: Revert): { readonly change: Change; readonly unused: () => readonly string[] } {
  const used = new Set<string>()
  const change: Change = (path, source) =>
    patches.reduce((text, patch) => {
      if (patch.file !== path) return text
      if (occurrences(patch.text, text) !== 1) throw new Error(`'${name}': in ${path} this does not occur once: ${patch.text}`)
      used.add(path)
      return text.split(patch.text).join(patch.reverted)
    }, source)
  return { change, unused: () => patches.map(({ file }) => file).filter((file) => !used.has(file)) }
}
