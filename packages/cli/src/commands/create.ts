import { checkByFlows } from '@freehold/designs'
import { readJsonObject } from '../input/json-object.ts'
import { entityNamed, moduleNamed } from '../naming/named.ts'
import { type TableOptions, withTable } from '../opening/open-table.ts'
import { printItem } from '../output/print-item.ts'
import { type Exit, exit, type Shell } from '../shell.ts'

/** Creates an item, and prints it with its defaults. */
export async function create(shell: Shell, [design, entityName, json]: readonly string[], options: TableOptions): Promise<Exit> {
  const module = moduleNamed(shell, design)
  const entity = entityNamed(module.design, entityName)
  checkByFlows(entity, 'create', module.flows?.byFlows)
  const attributes = await readJsonObject(shell, json, `The ${entity.name}`)
  return withTable(shell, { module, name: 'freehold create' }, options, async ({ table }) => {
    await printItem(shell, await table.repositoryNamed(entity.name).create(attributes), options)
    return exit.yes
  })
}
