import { checkByFlows } from '@freehold/frame/flow'
import { readJsonObject } from '../input/json-object.ts'
import { entityNamed, moduleNamed } from '../naming/named.ts'
import type { TableOptions } from '../opening/open-table.ts'
import { withDesign } from '../opening/with-design.ts'
import { printItem } from '../output/print-item.ts'
import { tellReplayed } from '../output/tell-replayed.ts'
import { type Exit, exit, type Shell } from '../shell.ts'

export interface CreateOptions extends TableOptions {
  readonly idempotencyKey?: string
}

/** Creates an item, and prints it with its defaults. */
export async function create(shell: Shell, [design, entityName, json]: readonly string[], options: CreateOptions): Promise<Exit> {
  const module = moduleNamed(shell, design)
  const entity = entityNamed(module.design, entityName)
  checkByFlows(entity, 'create', module.flows?.byFlows)
  const attributes = await readJsonObject(shell, json, `The ${entity.name}`)
  return withDesign(shell, { module, name: 'freehold create' }, options, async (reached) => {
    const { replayed, ...item } = await reached.items(entity.name).create(attributes, options.idempotencyKey)
    if (replayed === true) tellReplayed(shell)
    await printItem(shell, item, options)
    return exit.yes
  })
}
