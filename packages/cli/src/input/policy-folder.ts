import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type PolicyFolder, schemaFile } from '@freehold/designs/authorization/policies'
import { FreeholdError } from '@freehold/table'
import { parse, YAMLError } from 'yaml'
import { safeText } from '../output/safe-text.ts'
import type { Shell } from '../shell.ts'
import { readablePath } from './input-file.ts'

/** The absolute path of a folder that a person has named. */
export function folderPath({ cwd }: Shell, folder: string): string {
  if (folder === '' || folder.includes('\0')) throw new FreeholdError('InvalidInput', 'The folder has no valid name.', { issues: [] })
  return resolve(cwd, folder)
}

function parsedCases(name: string, text: string): unknown {
  try {
    return parse(text)
  } catch (error) {
    if (!(error instanceof YAMLError)) throw error
    throw new FreeholdError(
      'InvalidInput',
      `The file ${safeText(name)} is not YAML: ${safeText(error.message)}`,
      { issues: [] },
      { cause: error },
    )
  }
}

/** Reads a folder of policies: `*.cedar`, `schema.cedarschema` and `*.cases.yaml`. Throws `InvalidInput` if it, or its schema, cannot be read. */
export async function readPolicyFolder(shell: Shell, folder: string): Promise<PolicyFolder> {
  const path = folderPath(shell, folder)
  const names = await readdir(path).catch((cause: unknown) => {
    throw new FreeholdError('InvalidInput', `The folder ${safeText(folder)} cannot be read.`, { issues: [] }, { cause })
  })
  const textOf = async (name: string) => readFile(await readablePath(shell, join(path, name)), 'utf8')
  const textsOf = (end: string) =>
    Promise.all(
      names
        .filter((name) => name.endsWith(end))
        .sort()
        .map(async (name): Promise<[string, string]> => [name, await textOf(name)]),
    )
  const [policies, cases, schema] = [await textsOf('.cedar'), await textsOf('.cases.yaml'), await textOf(schemaFile)]
  return { policies: new Map(policies), schema, cases: new Map(cases.map(([name, text]) => [name, parsedCases(name, text)])) }
}
