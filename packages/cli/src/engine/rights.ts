import { statSync } from 'node:fs'
import { invalid } from '../input/invalid.ts'

/** Other users may read a folder or a data file, but not a secret. */
export type Guarded = 'folder' | 'file' | 'secret'

const writable = 0o022
const refusedModes: Readonly<Record<Guarded, number>> = { folder: writable, file: writable, secret: 0o077 }

/**
 * Refuses a path that another user owns or may change: that user could replace the engine or its data. Nothing is refused on Windows, where
 * Node reports neither modes nor owners.
 *
 * @param path a file or folder. One that does not exist is refused to nobody
 * @throws InvalidInput with the command that corrects it
 */
export function checkRights(path: string, what: Guarded): void {
  const uid = process.getuid?.()
  if (uid === undefined) return
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) return
  const { uid: owner, mode } = found
  const named = what === 'folder' ? `The data folder ${path}` : what === 'secret' ? `The secret in ${path}` : `The data file ${path}`
  if (owner !== uid) {
    const other = what === 'secret' ? 'set FREEHOLD_SECRET' : 'name another folder with --data'
    throw invalid(`${named} belongs to another user (uid ${owner}): make it yours with \`chown ${uid} ${path}\`, or ${other}.`)
  }
  if ((mode & refusedModes[what]) === 0) return
  if (what !== 'secret') throw invalid(`${named} may be written by others (mode ${octal(mode)}): correct that with \`chmod go-w ${path}\`.`)
  throw invalid(
    `${named} may be read or written by others (mode ${octal(mode)}): correct that with \`chmod 600 ${path}\`, or delete the file, so that a new one is created.`,
  )
}

function octal(mode: number): string {
  return (mode & 0o7777).toString(8).padStart(4, '0')
}
