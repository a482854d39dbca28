import { type PolicyFolder, schemaFile } from '@freehold/designs/authorization/policies'
import { FreeholdError } from '@freehold/table'
import { parse, YAMLError } from 'yaml'
import { safeText } from '../output/safe-text.ts'
import type { Shell } from '../shell.ts'
import { readFolder } from './read-folder.ts'

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

const [policyEnd, casesEnd] = ['.cedar', '.cases.yaml']

/** Reads a folder of policies: `*.cedar`, `schema.cedarschema` and `*.cases.yaml`. Throws `InvalidInput` if it, or its schema, cannot be read. */
export async function readPolicyFolder(shell: Shell, folder: string): Promise<PolicyFolder> {
  const takes = (name: string) => name === schemaFile || name.endsWith(policyEnd) || name.endsWith(casesEnd)
  const texts = await readFolder(shell, folder, takes)
  const schema = texts.get(schemaFile)
  if (schema === undefined) throw new FreeholdError('InvalidInput', `The file ${schemaFile} does not exist.`, { issues: [] })
  const textsOf = (end: string) => [...texts].filter(([name]) => name.endsWith(end))
  const cases = textsOf(casesEnd).map(([name, text]): [string, unknown] => [name, parsedCases(name, text)])
  return { policies: new Map(textsOf(policyEnd)), schema, cases: new Map(cases) }
}
