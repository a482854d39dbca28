import { type DesignModule, folderOf } from '@freehold/frame'
import type { Decider } from '@freehold/frame/decision'
import { FreeholdError } from '@freehold/table'
import { invalid } from '../input/invalid.ts'
import { folderWords } from '../opening/policies-named.ts'
import { listed } from '../output/listed.ts'
import type { Shell } from '../shell.ts'

/** A module that has decisions. */
export interface Answering extends DesignModule {
  decider: NonNullable<DesignModule['decider']>
}

function answers(module: DesignModule): module is Answering {
  return module.decider !== undefined
}

/**
 * The module, if it answers questions. Throws `UnknownName` for a design that does not, and names those that do; `InvalidInput` for one that needs a
 * folder for it.
 */
export function answering({ designs }: Pick<Shell, 'designs'>, module: DesignModule): Answering {
  if (answers(module)) return module
  const { name } = module.design
  const folder = folderOf(module)
  if (folder !== undefined) {
    const message = `${name} answers no questions without ${folder.holds}: name ${folderWords(folder)}.`
    throw invalid(message)
  }
  const others = [...designs.values()].filter(answers).map(({ design }) => design.name)
  throw new FreeholdError(
    'UnknownName',
    `${name} answers no questions: it has entities and access patterns, see \`freehold patterns ${name}\`. These designs do: ${listed(others)}.`,
    { design: name },
  )
}

/** The decider, if it also gives snapshots of access. Throws `UnknownName` if it does not. */
export function snapshotting({ design: { name } }: DesignModule, decider: Decider): Decider & Required<Pick<Decider, 'access'>> {
  const { access } = decider
  if (access !== undefined) return { ...decider, access }
  const message = `${name} gives no snapshots of access: ask \`freehold can ${name}\` each time, or \`freehold what ${name}\`.`
  throw new FreeholdError('UnknownName', message, { design: name })
}
