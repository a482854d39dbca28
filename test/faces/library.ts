import { designModules } from '@freehold/designs'
import { operator } from '@freehold/frame/flow'
import { type AnyDesign, FreeholdError } from '@freehold/table'
import { ownTableOf } from '../../packages/designs/test/own-table.ts'
import { allPages } from './all-pages.ts'
import type { Face, Outcome, Values } from './face.ts'

/** The outcome of a write of a program. */
export async function outcomeOf(write: () => Promise<Values | undefined>): Promise<Outcome> {
  try {
    const item = await write()
    return item === undefined ? {} : { item }
  } catch (error) {
    if (error instanceof FreeholdError) return { code: error.code }
    throw error
  }
}

/** A table as a program has it. */
export async function library(design: AnyDesign): Promise<Face> {
  const table = await ownTableOf(design, { jobHandlers: designModules.get(design.name)?.flows?.jobHandlers ?? {} })
  const of = (entity: string) => table.repositoryNamed(entity)
  return {
    create: (entity, input) => outcomeOf(() => of(entity).create(input)),
    get: async (entity, id) => {
      const found = await outcomeOf(() => of(entity).get(id))
      return found.item === undefined && found.code === undefined ? { code: 'NotFound' } : found
    },
    update: (entity, id, change) => outcomeOf(() => of(entity).update(id, change)),
    move: (entity, id, change) => outcomeOf(() => of(entity).move(id, change)),
    remove: (entity, id) =>
      outcomeOf(async () => {
        await of(entity).remove(id)
        return undefined
      }),
    query: async (name, parameters) => {
      const pattern = table.patternNamed(name)
      if (!('all' in pattern)) throw new Error(`${name} is no query.`)
      const items: Values[] = []
      for await (const item of pattern.all(parameters)) items.push(item)
      return items
    },
    flow: async (name, input, as) => {
      const { flows } = designModules.get(design.name) ?? {}
      if (flows === undefined) throw new Error(`${design.name} has no flows.`)
      const run = async (more: Values = {}) => {
        const actor = as === undefined ? operator : await flows.actorNamed(table, as)
        // A flow gives an item or a page of them.
        return (await flows.run(table, name, { ...input, ...more }, { actor })) as Values | undefined
      }
      return allPages(await outcomeOf(run), (cursor) => outcomeOf(() => run({ cursor })))
    },
    seed: (entity, input) => outcomeOf(() => of(entity).create(input)),
    close: () => table.close(),
  }
}
