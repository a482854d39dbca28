import { checkByFlows } from '@freehold/frame/flow'
import { FreeholdError } from '@freehold/table'
import { takeApart } from '../input/item-argument.ts'
import { readJsonObject } from '../input/json-object.ts'
import { entityNamed, moduleNamed } from '../naming/named.ts'
import { withDesign } from '../opening/with-design.ts'
import { printWritten } from '../output/print-written.ts'
import { type Exit, exit, type Shell } from '../shell.ts'
import type { WriteOptions } from './update.ts'

function refused(entity: string, why: string): FreeholdError {
  return new FreeholdError('InvalidInput', `${entity}: ${why}.`, { entity, issues: [] })
}

/** Changes attributes of an item, including those of its key, and prints the new item. By then copies in other items are updated. */
export async function move(shell: Shell, [design, entityName, json, changeJson]: readonly string[], options: WriteOptions): Promise<Exit> {
  const module = moduleNamed(shell, design)
  const entity = entityNamed(module.design, entityName)
  checkByFlows(entity, 'update', module.flows?.byFlows)
  if (json === '-' && changeJson === '-') throw refused(entity.name, 'only the key or the change may come from stdin')
  const key = await readJsonObject(shell, json, `The key of the ${entity.name}`)
  const change = await readJsonObject(shell, changeJson, `The change of the ${entity.name}`)
  const { id, change: rest, ...version } = takeApart(entity, key, options.version)
  if (Object.keys(change).length === 0) throw refused(entity.name, 'the change is empty')
  return withDesign(shell, { module, name: 'freehold move' }, options, async (reached) => {
    // The repository refuses attributes that are not part of the key.
    const moved = await reached.items(entity.name).move({ ...id, ...rest }, change, version)
    await printWritten(shell, module.design.name, moved, options)
    return exit.yes
  })
}
