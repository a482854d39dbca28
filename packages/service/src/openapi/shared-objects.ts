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

/** The prefix of a design's components that a name begins with. */
const prefixOf = (prefixes: readonly string[], name: string) => prefixes.find((prefix) => name.startsWith(prefix)) ?? ''

/**
 * Makes one component of those that are told alike.
 * @param schemas the components, in which the references to them change
 * @param named the names that may be one
 * @param prefixes the words that the names of a design's components begin with: those of two designs stay apart
 * @param nameOf the name of some that are told alike, or undefined to leave them apart
 * @returns another part of the document with the references as they are now
 */
function shareAlike(
  schemas: Map<string, JsonSchema>,
  named: ReadonlySet<string>,
  prefixes: readonly string[],
  nameOf: (names: readonly string[], schema: JsonSchema) => string | undefined,
) {
  const groups = new Map<string, string[]>()
  for (const name of named) {
    const key = `${prefixOf(prefixes, name)} ${JSON.stringify(schemas.get(name))}`
    groups.set(key, [...(groups.get(key) ?? []), name])
  }
  const shared = new Map<string, string>()
  for (const names of groups.values()) {
    const schema = schemas.get(names[0] ?? '') ?? {}
    const name = names.length === 1 ? undefined : nameOf(names, schema)
    if (name === undefined) continue
    schemas.set(name, schema)
    for (const each of names) {
      shared.set(`#/components/schemas/${each}`, `#/components/schemas/${name}`)
      if (each !== name) schemas.delete(each)
    }
  }
  const renamed = (_: string, value: unknown) => (typeof value === 'string' ? (shared.get(value) ?? value) : value)
  const withShared = <T>(told: T): T => JSON.parse(JSON.stringify(told, renamed))
  for (const [name, schema] of schemas) schemas.set(name, withShared(schema))
  return withShared
}

/** Objects within others that are told alike: a value of one type serves wherever it is asked for. The item of an entity may have their name. */
export function shareObjects(schemas: Map<string, JsonSchema>, within: ReadonlySet<string>, prefixes: readonly string[]): void {
  shareAlike(schemas, within, prefixes, (names) => {
    const common = commonName(names)
    return [common, `${common}Fields`].find((each) => !schemas.has(each)) ?? names[0]
  })
}

/** The bodies of patterns that take the same: `AccountOfUserQuery`. A name that says nothing of what they take is for those that take none. */
export function shareQueries(schemas: Map<string, JsonSchema>, queries: ReadonlySet<string>, prefixes: readonly string[]) {
  return shareAlike(schemas, queries, prefixes, (names, { required }) => {
    const name = commonName(names)
    const saysNothing = name === `${prefixOf(prefixes, name)}Query`
    return schemas.has(name) || (saysNothing && required !== undefined) ? undefined : name
  })
}
