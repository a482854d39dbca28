import type { PolicyFolder } from '@freehold/designs/authorization/policies'
import { linksFile, policyFiles, schemaFile } from '@freehold/frame/cedar'
import { safeText } from '../output/safe-text.ts'
import type { Shell } from '../shell.ts'
import { invalid } from './invalid.ts'
import { parsedYaml } from './parsed-yaml.ts'
import { readFolder } from './read-folder.ts'

const [policyEnd, casesEnd] = ['.cedar', '.cases.yaml']

/** The texts of a folder's policies, links and schema, by the names of their files. */
export const readPolicyTexts = (shell: Shell, folder: string): Promise<ReadonlyMap<string, string>> =>
  readFolder(shell, folder, (name) => name === schemaFile || name === linksFile || name.endsWith(policyEnd))

/** Reads a folder of policies: `*.cedar`, `links.json`, `schema.cedarschema` and `*.cases.yaml`. Throws `InvalidInput` if it, or its schema, cannot be read. */
export async function readPolicyFolder(shell: Shell, folder: string): Promise<PolicyFolder> {
  const takes = (name: string) => name === schemaFile || name === linksFile || name.endsWith(policyEnd) || name.endsWith(casesEnd)
  const texts = await readFolder(shell, folder, takes)
  if (!texts.has(schemaFile)) {
    const begun = 'a folder of policies has one, and `freehold policies init FOLDER` begins such a folder'
    throw invalid(`The folder ${safeText(folder)} has no ${schemaFile}: ${begun}.`)
  }
  const found = [...texts].filter(([name]) => name.endsWith(casesEnd))
  const cases = found.map(([name, text]): [string, unknown] => [name, parsedYaml(name, text)])
  return { ...policyFiles(texts), cases: new Map(cases) }
}
