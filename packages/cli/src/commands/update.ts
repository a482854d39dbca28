import { checkByFlows } from '@freehold/frame/flow'
import { FreeholdError } from '@freehold/table'
import { takeApart } from '../input/item-argument.ts'
import { readJsonObject } from '../input/json-object.ts'
import { entityNamed, moduleNamed } from '../naming/named.ts'
import type { TableOptions } from '../opening/open-table.ts'
import { withDesign } from '../opening/with-design.ts'
import { printWritten } from '../output/print-written.ts'
import { type Exit, exit, type Shell } from '../shell.ts'

export interface WriteOptions extends TableOptions {
  readonly version?: number
}

/** Changes attributes of an item, and prints the new item. By then copies in other items are updated. */
export async function update(shell: Shell, [design, entityName, json]: readonly string[], options: WriteOptions): Promise<Exit> {
  const module = moduleNamed(shell, design)
  const entity = entityNamed(module.design, entityName)
  checkByFlows(entity, 'update', module.flows?.byFlows)
  const argument = await readJsonObject(shell, json, `The change of the ${entity.name}`)
  const { id, change, ...version } = takeApart(entity, argument, options.version)
  if (Object.keys(change).length === 0)
    throw new FreeholdError('InvalidInput', `${entity.name}: the change has no attributes but those of the key.`, {
      entity: entity.name,
      issues: [],
    })
  return withDesign(shell, { module, name: 'freehold update' }, options, async (reached) => {
    await printWritten(shell, module.design.name, await reached.items(entity.name).update(id, change, version), options)
    return exit.yes
  })
}
