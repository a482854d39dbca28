import { isDeepStrictEqual } from 'node:util'
import {
  linksFile,
  type PolicyLink,
  policyFiles,
  type ReadPolicy,
  readPolicySet,
  schemaFile,
  schemaFromJson,
  schemaToJson,
} from '@freehold/frame/cedar'
import { readTexts } from './push.ts'
import { type StoreOptions, storeClient } from './store-client.ts'

/** What a folder has not is written here. */
export const pulledFile = 'pulled.cedar'

/** A policy of the store as a folder can hold it: by an `@id`, which its text may lack. */
const withId = ({ id, text, annotations }: ReadPolicy) => (annotations.id ? text : `@id(${JSON.stringify(id)})\n${text}`)

/**
 * The files that differ when a folder is made equal to a policy store, with their new texts. A policy stays in its file. One that the folder has not stands in
 * `pulled.cedar`, and one that the store has not goes.
 * @param folder the texts of its files; it may lack any
 * @throws InvalidInput if the folder does not check, or the store holds two policies of one id
 */
export async function pulledFiles(options: StoreOptions, folder: ReadonlyMap<string, string>): Promise<ReadonlyMap<string, string>> {
  const store = storeClient(options)
  try {
    const { schema: json, policies, readPolicies: read, readTemplates } = await readTexts(store)
    const before = folder.has(schemaFile) ? await readPolicySet(policyFiles(folder)) : undefined
    const files = new Map([...folder].filter(([name]) => name.endsWith('.cedar')))
    const left = new Map([...read.values(), ...readTemplates.values()].map((one): [string, ReadPolicy] => [one.id, one]))
    for (const { id, text, file } of [...(before?.policies.values() ?? []), ...(before?.templates.values() ?? [])]) {
      // A link has the text of its template, which is among these, too.
      if (before?.links.has(id)) continue
      const now = left.get(id)
      left.delete(id)
      if (now?.text !== text)
        files.set(
          file,
          (files.get(file) ?? '').replace(text, () => (now === undefined ? '' : withId(now))),
        )
    }
    const added = [...left.values()].map(withId)
    if (added.length > 0) files.set(pulledFile, [files.get(pulledFile) ?? [], ...added].flat().join('\n\n').concat('\n'))
    const links = policies.flatMap(({ policyId, link }): PolicyLink[] => {
      const template = link && readTemplates.get(link.template)?.id
      if (link === undefined || template === undefined) return []
      const { name, principal, resource } = link
      return [{ id: name ?? policyId, template, ...(principal && { principal }), ...(resource && { resource }) }]
    })
    const sorted = (of: readonly PolicyLink[]) => [...of].sort((one, other) => (one.id < other.id ? -1 : 1))
    if (!isDeepStrictEqual(sorted(links), sorted([...(before?.links.values() ?? [])])))
      files.set(linksFile, `${JSON.stringify(sorted(links), null, 2)}\n`)
    const own = folder.get(schemaFile)
    const isSameSchema = own !== undefined && json !== undefined && isDeepStrictEqual(JSON.parse(await schemaToJson(own)), JSON.parse(json))
    if (json !== undefined && !isSameSchema) files.set(schemaFile, await schemaFromJson(json))
    const changed = new Map([...files].filter(([name, text]) => folder.get(name) !== text))
    // What was pulled checks, or nothing is written.
    await readPolicySet(policyFiles(new Map([...folder, ...changed])))
    return changed
  } finally {
    store.close()
  }
}
