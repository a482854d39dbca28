import { invalidInput } from '@freehold/table/runtime'
import { localEngine } from './local-engine.ts'
import type { PolicySource } from './policy-engine.ts'
import { type PolicyFiles, schemaFile, versionOf } from './policy-set.ts'

/** The files of a folder that hold policies and their schema. */
export const isPolicyFile = (name: string): boolean => name.endsWith('.cedar') || name === schemaFile

/** Throws `InvalidInput` for a folder without a schema. */
function filesOf(folder: ReadonlyMap<string, string>): PolicyFiles {
  const schema = folder.get(schemaFile)
  if (schema === undefined) throw invalidInput('The policies', [{ path: [schemaFile], message: 'is missing' }])
  return { schema, policies: new Map([...folder].filter(([name]) => isPolicyFile(name) && name !== schemaFile)) }
}

/** Policies of a folder that may be replaced. */
export interface ReplaceablePolicies extends PolicySource {
  /** Goes on with another version, unless it is the same. Throws `InvalidInput` for one that does not parse or fit its schema, and keeps the former. */
  replace(folder: ReadonlyMap<string, string>): Promise<void>
}

/**
 * The local engine over the files of a folder, by their names; `replace` takes their next version.
 * @throws InvalidInput as `localEngine` does
 */
export async function policiesOf(folder: ReadonlyMap<string, string>): Promise<ReplaceablePolicies> {
  let engine = await localEngine(filesOf(folder))
  return Object.freeze({
    current: () => engine,
    replace: async (next: ReadonlyMap<string, string>) => {
      const files = filesOf(next)
      if (versionOf(files) !== engine.version) engine = await localEngine(files)
    },
  })
}
