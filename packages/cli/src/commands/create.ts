import { checkByFlows, createOnce, operator } from '@freehold/designs'
import { readJsonObject } from '../input/json-object.ts'
import { entityNamed, moduleNamed } from '../naming/named.ts'
import { type TableOptions, withTable } from '../opening/open-table.ts'
import { printItem } from '../output/print-item.ts'
import { tellReplayed } from '../output/tell-replayed.ts'
import { type Exit, exit, type Shell } from '../shell.ts'

export interface CreateOptions extends TableOptions {
  readonly idempotencyKey?: string
}

const commandActor = { ...operator, name: 'freehold create' }

/** Creates an item, and prints it with its defaults. */
export async function create(shell: Shell, [design, entityName, json]: readonly string[], options: CreateOptions): Promise<Exit> {
  const module = moduleNamed(shell, design)
  const entity = entityNamed(module.design, entityName)
  checkByFlows(entity, 'create', module.flows?.byFlows)
  const attributes = await readJsonObject(shell, json, `The ${entity.name}`)
  return withTable(shell, { module, name: 'freehold create' }, options, async ({ table }) => {
    const { idempotencyKey: key } = options
    const create = () =>
      key === undefined
        ? table.repositoryNamed(entity.name).create(attributes)
        : createOnce(table, entity.name, attributes, { actor: commandActor }, key)
    const { replayed, ...item }: Readonly<Record<string, unknown>> = await create()
    if (replayed === true) tellReplayed(shell)
    await printItem(shell, item, options)
    return exit.yes
  })
}
