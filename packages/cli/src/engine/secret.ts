import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { FreeholdError } from '@freehold/table'
import type { Environment } from '../environment.ts'
import { cannotWrite, createAtomically, hasCode } from './atomic-file.ts'
import { makeDataFolder } from './data-folder.ts'
import { checkRights } from './rights.ts'

/** Shorter ones could be guessed; a secret made here has 43 characters. */
const length_min = 16

/**
 * The secret that signs cursors: `FREEHOLD_SECRET`, else that of the file `secret` in the data folder, which the first
 * process makes (mode 0600) and every later one finds.
 *
 * @param directory the data folder, or undefined when there is none (`--memory`): the secret then lives as long as the process.
 * @throws InvalidInput when the secret is too short to be one, and when other users may read or write it; Unavailable when it cannot be read or made.
 */
export function readSecret(env: Pick<Environment, 'FREEHOLD_SECRET'>, directory: string | undefined): string {
  if (env.FREEHOLD_SECRET !== undefined) {
    if (env.FREEHOLD_SECRET.length >= length_min) return env.FREEHOLD_SECRET
    throw new FreeholdError(
      'InvalidInput',
      `FREEHOLD_SECRET has fewer than ${length_min} characters: set a longer one, or unset it to have one made beside the data.`,
    )
  }
  const made = randomBytes(32).toString('base64url')
  if (directory === undefined) return made
  const path = join(directory, 'secret')
  if (existsSync(directory)) checkRights(directory, 'folder')
  const kept = readIfThere(path)
  if (kept !== undefined) return kept
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
      `The secret in ${path} cannot be read: give yourself the right to, or set FREEHOLD_SECRET.`,
      {},
      { cause: error },
    )
  }
  if (secret.length >= length_min) return secret
  throw new FreeholdError(
    'InvalidInput',
    `The secret in ${path} is damaged: delete the file to have a new one made; cursors given out before then end.`,
  )
}
