import { readFile } from 'node:fs/promises'
import { readJson } from '@freehold/frame/reading'
import { type Issuer, readIssuers } from '@freehold/service'
import { FreeholdError } from '@freehold/table'
import { safeText } from '../output/safe-text.ts'
import type { Shell } from '../shell.ts'
import { readablePath } from './input-file.ts'

const refused = (path: string, why: string) =>
  new FreeholdError('InvalidInput', `The file ${safeText(path)} ${why}.`, { path: safeText(path) })

/** The issuers of a JSON file, which holds a list of them. Throws `InvalidInput` for a file that cannot be read, and for issuers that are wrong. */
export async function issuersIn(shell: Shell, path: string): Promise<readonly Issuer[]> {
  const read = readJson(await readFile(await readablePath(shell, path)))
  if (read.problem !== undefined) throw refused(path, read.problem)
  if (!Array.isArray(read.value)) throw refused(path, 'is not a list of issuers, such as [{"issuer":"https://id.example", …}]')
  return readIssuers(read.value)
}
