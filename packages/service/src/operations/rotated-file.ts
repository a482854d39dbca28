import { type FileHandle, open, rename } from 'node:fs/promises'

export interface RotatedFileOptions {
  readonly path: string
  /** The size from which a file is put aside, in bytes. 100 MB by default; with 0 it never is, for a program that rotates logs by copying. */
  readonly bytes_max?: number
  /** How many files are kept beside the current one. 5 by default. */
  readonly files_max?: number
}

/** A file to which lines are appended. */
export interface RotatedFile {
  append(lines: string): Promise<void>
  close(): Promise<void>
}

/** The files of a log, the oldest first: `x.2`, `x.1`, `x`. */
export function rotatedPaths(path: string, files_max: number): readonly string[] {
  return [...Array.from({ length: files_max }, (_, index) => `${path}.${files_max - index}`), path]
}

const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT'

/**
 * Appends to a file that only its owner may read. One that is full becomes `PATH.1`, that `PATH.2`, and the last one goes. The file is opened again after a
 * failure, and for each turn: a disk that was full, or a folder that was missing, is used once it is there.
 */
export function rotatedFile({ path, bytes_max = 100_000_000, files_max = 5 }: RotatedFileOptions): RotatedFile {
  let current: { readonly file: FileHandle; size: number; readonly isRegular: boolean } | undefined
  const close = async () => {
    const { file } = current ?? {}
    current = undefined
    await file?.close()
  }
  const opened = async () => {
    if (current !== undefined) return current
    const file = await open(path, 'a', 0o600)
    const stat = await file.stat()
    current = { file, size: stat.size, isRegular: stat.isFile() }
    return current
  }
  const rotate = async () => {
    await close()
    const paths = rotatedPaths(path, files_max)
    for (const [index, to] of paths.slice(0, -1).entries()) {
      await rename(paths[index + 1] ?? path, to).catch((error: unknown) => {
        if (!isMissing(error)) throw error
      })
    }
  }
  return {
    append: async (lines) => {
      try {
        const before = await opened()
        // A device or a pipe has no size, and stays where it is.
        if (bytes_max > 0 && before.isRegular && before.size > 0 && before.size + Buffer.byteLength(lines) > bytes_max) await rotate()
        const now = await opened()
        await now.file.appendFile(lines)
        now.size += Buffer.byteLength(lines)
      } catch (error) {
        await close().catch(() => {})
        throw error
      }
    },
    close,
  }
}
