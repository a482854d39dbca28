import type { JsonSchema } from '@freehold/table/publish'

const wordsOf = (name: string): readonly string[] => name.match(/[A-Z]?[^A-Z]+|[A-Z]+/g) ?? []

/** How many words all names begin with. */
function commonLength([first = [], ...others]: readonly (readonly string[])[]): number {
  const at = first.findIndex((word, index) => others.some((other) => other[index] !== word))
  return at < 0 ? first.length : at
}

/** What names have in common at their beginning and at their end: `AuthzenResultsPage` of `AuthzenSubjectResultsPage` and `AuthzenActionResultsPage`. */
function commonName(names: readonly string[]): string {
  const all = names.map(wordsOf)
  const [first = []] = all
  const begin = commonLength(all)
  const end = commonLength(all.map((words) => words.slice(begin).reverse()))
  return [...first.slice(0, begin), ...first.slice(first.length - end)].join('')
}

/**
 * Makes one component of objects within others that are told alike, so that a value of one type serves wherever it is asked for.
 * @param schemas the components, in which the references to such objects change
 * @param within the names of components that are objects within others
 * @param prefixes the words that the names of a design's components begin with: the objects of two designs stay apart
 */
export function shareObjects(schemas: Map<string, JsonSchema>, within: ReadonlySet<string>, prefixes: readonly string[]): void {
  const groups = new Map<string, string[]>()
  for (const name of within) {
    const key = `${prefixes.find((prefix) => name.startsWith(prefix)) ?? ''} ${JSON.stringify(schemas.get(name))}`
    groups.set(key, [...(groups.get(key) ?? []), name])
  }
  const shared = new Map<string, string>()
  for (const names of groups.values()) {
    const [first = ''] = names
    if (names.length === 1) continue
    const common = commonName(names)
    // The item of an entity may have that name.
    const name = [common, `${common}Fields`].find((each) => !schemas.has(each)) ?? first
    schemas.set(name, schemas.get(first) ?? {})
    for (const each of names) {
      shared.set(`#/components/schemas/${each}`, `#/components/schemas/${name}`)
      if (each !== name) schemas.delete(each)
    }
  }
  const renamed = (_: string, value: unknown) => (typeof value === 'string' ? (shared.get(value) ?? value) : value)
  for (const [name, schema] of schemas) schemas.set(name, JSON.parse(JSON.stringify(schema, renamed)))
}
