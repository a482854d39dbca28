import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { rebac } from '@freehold/designs/rebac'
import { openEngine } from '@freehold/engine'
import { matrixEmail } from '@freehold/frame/exchange'
import { connect } from '@freehold/table'
import { ensureTable, scanItems } from '@freehold/table/runtime'
import { restoreItems } from '@freehold/table/testing'
import type { MatrixShape } from '../generated-matrix.js'
import { startOwn } from '../own-process.js'
import type { Asked, Told } from './asker.js'
import { importShape } from './matrix.js'

// `can` among 1,000 people and among very many: its CPU, and what the process holds that answers.

/** The matrix of the first people. The others are the first of them, so many times. */
export const firstShape: MatrixShape = { users: 1_000, roles: 200, permissions: 1_587, rolesOfUser: 2, permissionsOfRole: 15 }
const batch = 1_000

type Stored = Readonly<Record<string, unknown>> & { readonly PK: string; readonly SK: string }

/** The same id, or address, for each number. The last digits of an id are its number. */
const idOf = (id: string, number: number): string => `${id.slice(0, -8)}${String(number).padStart(8, '0')}`
export const emailOf = (number: number): string => (number < firstShape.users ? matrixEmail(`u${number}`) : matrixEmail(`p${number}`))

/** All items of the first user, as JSON, and its id. */
async function templateOf(path: string): Promise<{ readonly id: string; readonly text: string }> {
  const engine = await openEngine({ path })
  const table = connect(rebac, { engine })
  await ensureTable(table.runtime)
  await importShape(table, firstShape)
  const email = emailOf(0)
  const id = (await table.EmailIdentity.get({ email }))?.userId ?? ''
  const found: Stored[] = []
  for await (const page of scanItems(table.runtime)) {
    for (const item of page) {
      const text = JSON.stringify(item)
      // Items of a table have its keys.
      if (text.includes(id) || text.includes(`"${email}"`)) found.push(item as unknown as Stored)
    }
  }
  await engine.close()
  return { id, text: JSON.stringify(found) }
}

/** Writes people from one number to another, as a backup is restored. */
async function grow(path: string, { id, text }: { readonly id: string; readonly text: string }, from: number, to: number): Promise<void> {
  const engine = await openEngine({ path })
  const table = connect(rebac, { engine })
  for (let first = from; first < to; first += batch) {
    const numbers = Array.from({ length: Math.min(batch, to - first) }, (_, at) => first + at)
    const items = numbers.flatMap((number): Stored[] =>
      JSON.parse(text.replaceAll(id, idOf(id, number)).replaceAll(emailOf(0), emailOf(number))),
    )
    await restoreItems(table.runtime, items)
  }
  table.close()
  await engine.close()
}

const line = (cells: readonly (string | number)[]) => cells.map((cell) => String(cell).padStart(14)).join('')

/** @param sizes how many people there are, ascending */
export async function measureGrowth(path: string, sizes: readonly number[] = [firstShape.users, 100_000]): Promise<void> {
  const template = await templateOf(path)
  console.log(line(['people', 'file MB', 'the same us', 'any us', 'own MB', 'mapped MB']))
  let people = firstShape.users
  for (const size of sizes) {
    await grow(path, template, people, size)
    people = Math.max(people, size)
    const { size: bytes } = await stat(join(path, 'data.mdb'))
    const asker = startOwn<Asked, Told>(join(import.meta.dirname, 'asker.js'), { path })
    await asker.reply()
    const same = await asker.ask({ among: firstShape.users })
    const any = await asker.ask({ among: people })
    await asker.stop()
    const mb = (value: number) => value.toFixed(0)
    console.log(line([people, mb(bytes / 1e6), mb(same.can_us), mb(any.can_us), mb(any.own_mb), mb(any.mapped_mb)]))
  }
}
