import { type Entity, FreeholdError } from '@freehold/table'
import { itemWords } from '@freehold/table/runtime'
import { type JsonObject, readJsonObject } from '../input/json-object.ts'
import { entityNamed, moduleNamed } from '../naming/named.ts'
import type { TableOptions } from '../opening/open-table.ts'
import { withDesign } from '../opening/with-design.ts'
import { printItem } from '../output/print-item.ts'
import { type Exit, exit, type Shell } from '../shell.ts'

export interface GetOptions extends TableOptions {
  readonly consistent?: boolean
  readonly secret?: readonly string[]
}

/** The error for a missing item. */
export function notFound({ name }: Pick<Entity, 'name'>, id: JsonObject): FreeholdError {
  return new FreeholdError('NotFound', `There is no ${itemWords(name, id)}.`, { entity: name })
}

function checkSecrets({ name, attributes }: Entity, secrets: readonly string[]): void {
  const wrong = secrets.find((secret) => attributes[secret]?.isSecret !== true)
  if (wrong === undefined) return
  const known = Object.keys(attributes).filter((attribute) => attributes[attribute]?.isSecret === true)
  const message = `--secret names ${JSON.stringify(wrong)}, but the secret attributes of ${name} are: ${known.join(', ') || 'none'}.`
  throw new FreeholdError('InvalidInput', message, { entity: name, attribute: wrong })
}

/** Prints an item, without those secrets that are not named. */
export async function get(shell: Shell, [design, entityName, json]: readonly string[], options: GetOptions): Promise<Exit> {
  const { consistent = false, secret: secrets = [] } = options
  const module = moduleNamed(shell, design)
  const entity = entityNamed(module.design, entityName)
  checkSecrets(entity, secrets)
  const id = await readJsonObject(shell, json, `The key of the ${entity.name}`)
  return withDesign(shell, { module, name: 'freehold get', isReading: true }, options, async (reached) => {
    const item = await reached.items(entity.name).get(id, { consistent, secrets })
    if (item === undefined) throw notFound(entity, id)
    await printItem(shell, item, options)
    return exit.yes
  })
}
