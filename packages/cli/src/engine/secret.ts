import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { FreeholdError } from '@freehold/table'
import type { Settings } from '../config/settings.ts'
import { invalid } from '../input/invalid.ts'
import { cannotWrite, createAtomically, hasCode } from './atomic-file.ts'
import { makeDataFolder } from './data-folder.ts'
import { checkRights } from './rights.ts'

/** A shorter secret could be guessed. A generated secret has 43 characters. */
const length_min = 16

/**
 * The secret that seals cursors: `FREEHOLD_SECRET`, or the file `secret` in the data folder, which the first process creates (mode 0600).
 *
 * @param directory the data folder, or undefined without one (`--memory`): the secret then lives as long as the process.
 * @throws InvalidInput if the secret is too short, or if other users may read or write it; Unavailable if it cannot be read or created.
 */
export function readSecret({ secret: given }: Pick<Settings, 'secret'>, directory: string | undefined): string {
  if (given !== undefined) {
    if (given.length >= length_min) return given
    throw invalid(
      `FREEHOLD_SECRET has fewer than ${length_min} characters: set a longer one, or unset it, so that one is created in the data folder.`,
    )
  }
  const made = randomBytes(32).toString('base64url')
  if (directory === undefined) return made
  checkRights(directory, 'folder')
  return readIfThere(join(directory, 'secret')) ?? kept(made, directory)
}

/** A secret for one command, which is kept only if later commands need it. */
export interface CursorSecret {
  readonly secret: string
  /** Keeps it for the commands that get a cursor of this one. Throws as `readSecret` does. */
  keep(): void
}

/** The secret of a command that may show a cursor. A command makes no data folder before it shows one. Throws as `readSecret` does. */
export function cursorSecret(settings: Pick<Settings, 'secret'>, directory: string): CursorSecret {
  if (settings.secret !== undefined || existsSync(directory)) return { secret: readSecret(settings, directory), keep: () => {} }
  const secret = readSecret(settings, undefined)
  return { secret, keep: () => void kept(secret, directory) }
}

/** Keeps a secret in the data folder. Gives the one that is there, if another process was faster. */
function kept(made: string, directory: string): string {
  const path = join(directory, 'secret')
  makeDataFolder(directory)
  try {
    return createAtomically(path, `${made}\n`) ? made : (readIfThere(path) ?? made)
  } catch (error) {
    if (error instanceof FreeholdError) throw error
    throw cannotWrite(`The secret in ${path}`, error)
  }
}

function readIfThere(path: string): string | undefined {
  let secret: string
  try {
    checkRights(path, 'secret')
    secret = readFileSync(path, 'utf8').trim()
  } catch (error) {
    if (error instanceof FreeholdError) throw error
    if (hasCode(error, 'ENOENT')) return undefined
    throw new FreeholdError(
      'Unavailable',
      `The secret in ${path} cannot be read: give yourself permission, or set FREEHOLD_SECRET.`,
      {},
      { cause: error },
    )
  }
  if (secret.length >= length_min) return secret
  throw invalid(`The secret in ${path} is damaged: delete the file, so that a new one is created. Earlier cursors then become invalid.`)
}
