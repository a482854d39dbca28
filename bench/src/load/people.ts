import type { DesignModule } from '@freehold/frame'
import { type ConnectedTable, connect } from '@freehold/table'
import { scanItems } from '@freehold/table/runtime'
import { restoreItems } from '@freehold/table/testing'
import { startBenchEngine } from '../engine.js'
import { keepOn } from '../keep-on.js'
import { sceneOf } from '../serving/scenes.js'
import { questionBytes } from './connection.js'
import { residentMb } from './memory.js'
import { closedLoop } from './open-loop.js'
import { startLoaded } from './server.js'

const people = 100_000
const batch = 1_000
const asked = 3_000
const designs = ['account-management', 'platform'] as const

type Stored = Readonly<Record<string, unknown>> & { readonly PK: string; readonly SK: string }

/** Everything that the table has of one user, by its id and its address. */
async function itemsOf(table: ConnectedTable, names: readonly string[]): Promise<readonly Stored[]> {
  const found: Stored[] = []
  for await (const page of scanItems(table.runtime))
    for (const item of page) {
      const text = JSON.stringify(item)
      // Items of a table have its keys.
      if (names.some((name) => text.includes(name))) found.push(item as unknown as Stored)
    }
  return found
}

/** The id and the address of the user that a scene asks about. */
async function userOf(table: ConnectedTable, user: string): Promise<readonly [id: string, email: string]> {
  for await (const page of scanItems(table.runtime))
    for (const { Type, id, email } of page) if (Type === 'User' && (id === user || email === user)) return [String(id), String(email)]
  throw new Error(`There is no user ${user}.`)
}

/** Another id of the same length: the same user, so many times. */
const numbered = (id: string, index: number) => `${id.slice(0, -6)}${String(index).padStart(6, '0')}`

async function restorePeople(module: DesignModule, endpoint: string, user: string): Promise<number> {
  const table: ConnectedTable = connect(module.design, { dynamo: { endpoint } })
  const [id, email] = await userOf(table, user)
  const template = JSON.stringify(await itemsOf(table, [id, email]))
  let items = 0
  for (let from = 0; from < people; from += batch) {
    const clones = Array.from({ length: batch }, (_, at): Stored[] =>
      JSON.parse(template.replaceAll(id, numbered(id.padEnd(10, '-'), from + at)).replaceAll(email, `p${from + at}.${email}`)),
    ).flat()
    items += clones.length
    await restoreItems(table.runtime, clones)
  }
  table.close()
  return items
}

/** Fills a table with the same user 100,000 times, as a backup is restored, and asks the service about one of them. */
export async function measurePeople(): Promise<readonly string[][]> {
  const rows: string[][] = []
  for (const design of designs) {
    const engine = await startBenchEngine()
    keepOn(1, engine.pid())
    const scene = sceneOf(design)
    const question = await scene.fill({ dynamo: { endpoint: engine.endpoint } })
    const began_ms = performance.now()
    const user = 'user' in question ? String(question.user) : ''
    const items = await restorePeople(await scene.module(), engine.endpoint, user)
    const seconds = (performance.now() - began_ms) / 1000
    const server = await startLoaded({ endpoint: engine.endpoint, design }, question)
    const request = questionBytes(server.path, question, server.key)
    await closedLoop(server.port, 16, asked, request)
    const before = await server.cpu()
    await closedLoop(server.port, 16, asked, request)
    const can_us = ((await server.cpu()) - before) / asked
    rows.push([design, String(items), seconds.toFixed(0), can_us.toFixed(0), residentMb(server.pid).toFixed(0)])
    await server.stop()
    await engine.stop()
  }
  return rows
}
