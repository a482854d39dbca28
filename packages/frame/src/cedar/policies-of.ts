import { record, verbatim } from '@freehold/table'
import { invalidInput } from '@freehold/table/runtime'
import { optional } from '../decision/question.ts'
import { readAttributes } from '../reading/read-attributes.ts'
import { localEngine } from './local-engine.ts'
import type { PolicySource } from './policy-engine.ts'
import { type PolicyFiles, type PolicyLink, schemaFile, versionOf } from './policy-set.ts'

/** The file of links: a list of `{ "id", "template", "principal", "resource" }`, as JSON. */
export const linksFile = 'links.json'

/** The files of a folder that hold policies, their links and their schema. */
export const isPolicyFile = (name: string): boolean => name.endsWith('.cedar') || name === schemaFile || name === linksFile

const entity = optional(record({ type: verbatim(), id: verbatim() }))
const linkFields = { id: verbatim(), template: verbatim(), principal: entity, resource: entity }

/** Throws `InvalidInput` for text that is no list of links. */
function linksOf(text: string): readonly PolicyLink[] {
  let held: unknown
  try {
    held = JSON.parse(text)
  } catch {
    held = undefined
  }
  if (!Array.isArray(held)) throw invalidInput('The policies', [{ path: [linksFile], message: 'is no list of links as JSON' }])
  const foreign = (known: string) => `is no part of a link, which has ${known}`
  return held.map(
    (one: unknown, index) =>
      // Each part is read by its own attribute.
      readAttributes(linkFields, one, {
        name: `${linksFile}, link ${index + 1}`,
        details: { question: 'link' },
        called: 'link',
        foreign,
      }) as unknown as PolicyLink,
  )
}

/** The policies of a folder, of the texts of its files by their names. Throws `InvalidInput` for a folder without a schema, and for links that are none. */
export function policyFiles(folder: ReadonlyMap<string, string>): PolicyFiles {
  const schema = folder.get(schemaFile)
  if (schema === undefined) throw invalidInput('The policies', [{ path: [schemaFile], message: 'is missing' }])
  const links = folder.get(linksFile)
  const policies = new Map([...folder].filter(([name]) => name.endsWith('.cedar')))
  return { schema, policies, ...(links === undefined ? {} : { links: linksOf(links) }) }
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
  let engine = await localEngine(policyFiles(folder))
  return Object.freeze({
    current: () => engine,
    replace: async (next: ReadonlyMap<string, string>) => {
      const files = policyFiles(next)
      if (versionOf(files) !== engine.version) engine = await localEngine(files)
    },
  })
}
