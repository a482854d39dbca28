import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { credentialsOf } from '@freehold/frame'
import {
  kmsKeyOf,
  kmsWrapping,
  openDataKeys,
  resealFactors,
  withNewDataKey,
  withoutOldDataKeys,
  wrappedIn,
} from '@freehold/frame/credentials'
import { hasCode, replaceAtomically } from '../engine/atomic-file.ts'
import { invalid } from '../input/invalid.ts'
import { type TableOptions, withTable } from '../opening/open-table.ts'
import { type Exit, exit, printJson, type Shell } from '../shell.ts'

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/** Puts a new data key into the file, or makes the file, and encrypts every second factor by it. Run again after a crash, it does what is left. */
export async function rotateDataKeys(
  shell: Shell,
  _operands: readonly string[],
  options: TableOptions & { readonly kms?: string },
): Promise<Exit> {
  const { dataKeys } = shell.settings
  if (dataKeys === undefined) throw invalid('No file of data keys is named: set FREEHOLD_DATA_KEYS to where it is, or should be.')
  const path = resolve(shell.cwd, dataKeys)
  const former = await readIfThere(path)
  const wrapped = former === undefined ? undefined : wrappedIn(former)
  const kms = options.kms ?? (wrapped === undefined ? undefined : kmsKeyOf(wrapped))
  const wrapping = kmsWrapping(kms)
  const text = await withNewDataKey(former, shell.now(), kms === undefined ? undefined : wrapping)
  const keys = await openDataKeys(text, wrapping)
  // The key first: a server that meets what it encrypts reads the file again.
  replaceAtomically(path, text)
  let encrypted = 0
  for (const module of former === undefined ? [] : shell.designs.values()) {
    const credentials = credentialsOf(module)
    if (credentials === undefined) continue
    encrypted += await withTable(shell, { module, name: 'freehold keys rotate', isReading: false }, options, ({ table }) =>
      resealFactors(credentials(table), keys),
    )
  }
  replaceAtomically(path, withoutOldDataKeys(text))
  const { current } = keys
  if (options.json === true) await printJson(shell, { key: current, encrypted })
  else await shell.out(`The data key is ${current} now. Second factors that it encrypted anew: ${encrypted}.\n`)
  return exit.yes
}
