import type { Entity, Issue } from '@freehold/table'
import { indexKeys, invalidInput, keyPlaceholders, storedName, tableKey, tableKeyIfPresent } from '@freehold/table/runtime'
import { type JsonObject, readJsonObject } from '../input/json-object.ts'
import { entityNamed, moduleNamed } from '../naming/named.ts'
import { safeText } from '../output/safe-text.ts'
import { renderItem } from '../output/table.ts'
import { type Exit, exit, type PrintOptions, printJson, type Shell } from '../shell.ts'

/** Names that every item has besides its attributes. They are accepted, so that an item can be passed as it was read. */
const ofEveryItem: readonly string[] = ['Type', 'version', 'deleting', 'ttl']

/** The attributes of the table key and of index keys. */
function mentioned(entity: Entity): readonly string[] {
  const indexes = Object.values(entity.form.indexes).flatMap(({ partition, sort }) => [...partition.placeholders, ...sort.placeholders])
  return [...new Set([...keyPlaceholders(entity), ...indexes])]
}

function checkNames(entity: Entity, given: JsonObject): void {
  const issues = Object.keys(given)
    .filter((name) => entity.attributes[name] === undefined && !ofEveryItem.includes(name))
    .map((name): Issue => ({ path: [safeText(name)], message: `is not an attribute of ${entity.name}` }))
  if (given.Type !== undefined && given.Type !== entity.name) issues.push({ path: ['Type'], message: `is not ${entity.name}` })
  if (issues.length > 0) throw invalidInput(entity.name, issues, { entity: entity.name })
}

/** The values of the attributes of keys, normalised as by a write (spec rule 5). */
function normalised(entity: Entity, given: JsonObject): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  const issues: Issue[] = []
  for (const name of mentioned(entity)) {
    const value = given[name]
    if (value === undefined || value === null) continue
    const result = entity.attributes[name]?.schema.safeParse(value)
    if (result?.success) values[name] = result.data
    else issues.push(...(result?.error.issues ?? []).map(({ message }): Issue => ({ path: [name], message })))
  }
  if (issues.length > 0) throw invalidInput(entity.name, issues, { entity: entity.name })
  return values
}

/**
 * The keys of an item with these attributes, by the names of its key attributes. Other attributes are ignored, even if they are invalid.
 * A guard or lookup item has no keys if it needs an absent attribute, since it is not written then.
 * @throws InvalidInput, InvalidKey
 */
export function keysOf(entity: Entity, given: JsonObject): Readonly<Record<string, string>> {
  checkNames(entity, given)
  const values = normalised(entity, given)
  const { part } = entity.form
  // The owner of a guard or lookup item decides which of its attributes are optional.
  const { attributes } = part.kind === 'guard' || part.kind === 'mirror' ? part.owner : entity
  const isNeeded = (name: string) => attributes[name]?.presence !== 'optional'
  const lacks = keyPlaceholders(entity).some((name) => values[name] === undefined && isNeeded(name))
  const key = lacks ? tableKey(entity, values) : tableKeyIfPresent(entity, values)
  return key === undefined ? {} : { PK: key.PK, SK: key.SK, ...indexKeys(entity, values) }
}

/** Prints the keys of an item, without a database. */
export async function keys(
  shell: Shell,
  [designName, entity, attributes]: readonly string[],
  { json = false }: PrintOptions,
): Promise<Exit> {
  const { design } = moduleNamed(shell, designName)
  const named = entityNamed(design, entity)
  const { names } = design.form
  const own = keysOf(named, await readJsonObject(shell, attributes, `The attributes of ${named.name}`))
  const found = Object.fromEntries(Object.entries(own).map(([name, key]) => [storedName(names, name), key]))
  if (json) await printJson(shell, found)
  else if (own.PK === undefined) await shell.out(`An item without these attributes has no ${named.name}.\n`)
  else await shell.out(renderItem(found, shell.columns))
  return exit.yes
}
