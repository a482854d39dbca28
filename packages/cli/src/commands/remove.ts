import { checkByFlows } from '@freehold/frame/flow'
import { takeApart } from '../input/item-argument.ts'
import { readJsonObject } from '../input/json-object.ts'
import { entityNamed, moduleNamed } from '../naming/named.ts'
import { withDesign } from '../opening/with-design.ts'
import { tellPending } from '../output/pending.ts'
import { type Exit, exit, printJson, type Shell } from '../shell.ts'
import type { WriteOptions } from './update.ts'

/** Removes an item with its dependants, and returns when that is done. */
export async function remove(shell: Shell, [design, entityName, json]: readonly string[], options: WriteOptions): Promise<Exit> {
  const module = moduleNamed(shell, design)
  const entity = entityNamed(module.design, entityName)
  checkByFlows(entity, 'remove', module.flows?.byFlows)
  const argument = await readJsonObject(shell, json, `The key of the ${entity.name}`)
  const { id, change, ...version } = takeApart(entity, argument, options.version)
  return withDesign(shell, { module, name: 'freehold remove' }, options, async (reached) => {
    // The repository refuses attributes that are not part of the key.
    const left = await reached.items(entity.name).remove({ ...id, ...change }, version)
    if (options.json === true) await printJson(shell, { removed: true, ...left })
    else await shell.out(`Removed the ${entity.name}.\n`)
    tellPending(shell, module.design.name, left)
    return exit.yes
  })
}
