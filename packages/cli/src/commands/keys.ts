import type { Entity, Issue } from '@freehold/table'
import { indexKeys, invalidInput, keyPlaceholders, tableKey, tableKeyIfPresent } from '@freehold/table/runtime'
import { type JsonObject, readJsonObject } from '../input/json-object.ts'
import { entityNamed, moduleNamed } from '../naming/named.ts'
import { safeText } from '../output/safe-text.ts'
import { renderItem } from '../output/table.ts'
import { type Exit, exit, type PrintOptions, printJson, type Shell } from '../shell.ts'

/** Names that every item carries besides its attributes, so that an item that was read can be given as it is. */
const ofEveryItem: readonly string[] = ['Type', 'version', 'deleting', 'ttl']

/** The attributes that the table key or the key of an index mentions. */
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

/** The values of the attributes that keys mention, normalised as a write would (spec rule 5). */
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
 * The keys of an item with these attributes, by the names of its key attributes. Attributes that no key mentions are left aside, also where
 * they would not fit. A guard or mirror has no item, and so no key, where an optional attribute that it needs is absent.
 * @throws InvalidInput, InvalidKey
 */
export function keysOf(entity: Entity, given: JsonObject): Readonly<Record<string, string>> {
  checkNames(entity, given)
  const values = normalised(entity, given)
  const { part } = entity.form
  // A guard or mirror has its own attributes, but whether there may be nothing to guard its owner says.
  const { attributes } = part.kind === 'guard' || part.kind === 'mirror' ? part.owner : entity
  const isNeeded = (name: string) => attributes[name]?.presence !== 'optional'
  const lacks = keyPlaceholders(entity).some((name) => values[name] === undefined && isNeeded(name))
  const key = lacks ? tableKey(entity, values) : tableKeyIfPresent(entity, values)
  return key === undefined ? {} : { PK: key.PK, SK: key.SK, ...indexKeys(entity, values) }
}

/** Prints the keys of an item, without a database. */
export async function keys(shell: Shell, [design, entity, attributes]: readonly string[], { json = false }: PrintOptions): Promise<Exit> {
  const named = entityNamed(moduleNamed(shell, design).design, entity)
  const found = keysOf(named, await readJsonObject(shell, attributes, `The attributes of ${named.name}`))
  if (json) await printJson(shell, found)
  else if (found.PK === undefined) await shell.out(`There is no ${named.name} where these attributes are absent.\n`)
  else await shell.out(renderItem(found, shell.columns))
  return exit.yes
}
