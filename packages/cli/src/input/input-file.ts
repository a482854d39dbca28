import { createReadStream, type ReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { FreeholdError } from '@freehold/table'
import { codeOf } from '../engine/atomic-file.ts'
import { safeText } from '../output/safe-text.ts'
import type { Shell } from '../shell.ts'

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist',
  EISDIR: 'is a folder',
  EACCES: 'may not be read by this user',
  ENAMETOOLONG: 'has a name that is too long',
}

/** The absolute path of a readable file. Throws `InvalidInput` if it cannot be read. */
export async function readablePath({ cwd }: Shell, path: string): Promise<string> {
  const refuse = (why: string) => new FreeholdError('InvalidInput', `The file ${safeText(path)} ${why}.`, { path: safeText(path) })
  if (path.includes('\0')) throw refuse('has no valid name')
  const absolute = resolve(cwd, path)
  try {
    const file = await open(absolute)
    const isFolder = (await file.stat().finally(() => file.close())).isDirectory()
    if (isFolder) throw refuse('is a folder')
  } catch (error) {
    if (error instanceof FreeholdError) throw error
    throw refuse(reasons[codeOf(error)] ?? 'cannot be read')
  }
  return absolute
}

/** A stream over a readable file. Throws as `readablePath` does. */
export async function readStream(shell: Shell, path: string): Promise<ReadStream> {
  return createReadStream(await readablePath(shell, path))
}
