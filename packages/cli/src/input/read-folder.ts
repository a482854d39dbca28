import { constants } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { utf8Text } from '@freehold/frame/reading'
import { FreeholdError } from '@freehold/table'
import { codeOf } from '../engine/atomic-file.ts'
import { safeText } from '../output/safe-text.ts'
import type { Shell } from '../shell.ts'
import { invalid } from './invalid.ts'

/** A folder is read into memory, and by a server while it answers. People write less than a tenth of this. */
const limits = { files: 1_000, fileBytes: 1_048_576, bytes: 4_194_304 } as const

/** The absolute path of a folder that a person has named. */
export function folderPath({ cwd }: Pick<Shell, 'cwd'>, folder: string): string {
  if (folder === '' || folder.includes('\0')) throw invalid('The folder has no valid name.')
  return resolve(cwd, folder)
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EACCES: 'may not be read by this user',
  ELOOP: 'is a symbolic link that leads to itself',
}

const folderReasons: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  ENOTDIR: 'it is a file, or lies in one',
  EACCES: 'give yourself permission',
  ELOOP: 'it is a symbolic link that leads to itself',
}

async function textOf(path: string, name: string): Promise<string> {
  const refuse = (why: string, cause?: unknown) => invalid(`The file ${safeText(name)} ${why}.`, cause)
  // A pipe without a writer would keep a plain open waiting.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: unknown) => {
    throw refuse(reasons[codeOf(error)] ?? 'cannot be read', error)
  })
  try {
    if (!(await file.stat()).isFile()) throw refuse('is no file')
    // One byte more tells of a longer file, also of one that grows.
    const room = Buffer.alloc(limits.fileBytes + 1)
    let length = 0
    for (let read = -1; read !== 0 && length < room.length; length += read) read = (await file.read(room, length)).bytesRead
    if (length > limits.fileBytes) throw refuse(`is longer than ${limits.fileBytes} bytes`)
    return utf8Text(room.subarray(0, length), `The file ${safeText(name)}`)
  } catch (error) {
    throw error instanceof FreeholdError ? error : refuse('cannot be read', error)
  } finally {
    await file.close()
  }
}

/** The names of files in a folder, sorted, without hidden ones: editors keep copies there. */
export async function namesIn(path: string, takes: (name: string) => boolean): Promise<readonly string[]> {
  return (await readdir(path)).filter((name) => !name.startsWith('.') && takes(name)).sort()
}

/**
 * The texts of some files of a folder, by their names. Symbolic links are followed.
 * @throws InvalidInput for a folder or a file that cannot be read, is too large, or is not text
 */
export async function readFolder(
  shell: Pick<Shell, 'cwd'>,
  folder: string,
  takes: (name: string) => boolean,
): Promise<ReadonlyMap<string, string>> {
  const path = folderPath(shell, folder)
  const names = await namesIn(path, takes).catch((cause: unknown) => {
    const why = folderReasons[codeOf(cause)]
    throw invalid(`The folder ${safeText(folder)} cannot be read${why === undefined ? '' : `: ${why}`}.`, cause)
  })
  if (names.length > limits.files) throw invalid(`The folder ${safeText(folder)} has more than ${limits.files} such files.`)
  const texts = new Map<string, string>()
  let bytes = 0
  for (const name of names) {
    const text = await textOf(join(path, name), name)
    bytes += Buffer.byteLength(text)
    if (bytes > limits.bytes) throw invalid(`The files of the folder ${safeText(folder)} have more than ${limits.bytes} bytes.`)
    texts.set(name, text)
  }
  return texts
}
