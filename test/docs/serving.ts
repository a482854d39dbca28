import { designModules } from '@freehold/designs'
import { connect } from '@freehold/table'
import type { Sender } from '@freehold/table/runtime'
import { createService, openKeys, type Service } from '../../packages/service/src/index.ts'
import type { Block } from './pages.ts'
import { shopsModule } from './shops.ts'

/** A service over the data that the commands of a page have made. */
export interface ServedPage {
  readonly app: Service
  /** The text of a key that works. */
  readonly key: string
}

/** Serves these designs, whose tables are there. */
export async function serveDesigns(sender: Sender, names: readonly string[]): Promise<ServedPage> {
  const served = [...designModules.values(), shopsModule]
    .filter(({ design }) => names.includes(design.name))
    .map((module) => ({ module, table: connect(module.design, { sender, jobHandlers: module.flows?.jobHandlers ?? {} }) }))
  const keys = await openKeys({ sender })
  const { text: key } = await keys.newKey('a page')
  const tables = new Map(served.map((each) => [each.module.design.name, each]))
  const app = createService({ tables, keys, log: () => {} })
  return { app, key }
}

/** The designs that requests of these blocks name in their paths. */
export function designsIn(blocks: readonly Block[]): readonly string[] {
  const requests = blocks.filter(({ language }) => language === 'http')
  return [...new Set(requests.flatMap(({ text }) => /^[A-Z]+ \/v1\/([\w-]+)/.exec(text)?.[1] ?? []))]
}
