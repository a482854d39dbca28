import { randomUUID } from 'node:crypto'
import { designModules } from '@freehold/designs'
import { createService } from '@freehold/service'
import { type ConnectedTable, connect } from '@freehold/table'
import { ensureTable, senderOf } from '@freehold/table/runtime'
import { afterAll, describe, expect, test } from 'vitest'
import { endpoint } from '../../../../test/engine/endpoint.ts'
import { loadSamples, sampleQuestions, stories } from './load-samples.ts'

const sender = senderOf({ endpoint })
afterAll(() => sender.close())

const names = [...designModules.keys()]
const prefix = randomUUID()

async function open(): Promise<Parameters<typeof loadSamples>[0]> {
  const tables = new Map<string, { readonly module: (typeof modules)[number]; readonly table: ConnectedTable }>()
  for (const module of modules) {
    const table: ConnectedTable = connect(module.design, { sender, table: `${prefix}-${module.design.name}` })
    await ensureTable(table.runtime)
    tables.set(module.design.name, { module, table })
  }
  return tables
}
const modules = [...designModules.values()]

const samples = await loadSamples(await open(), { sender })
const again = await loadSamples(await open(), { sender })
const app = createService({ tables: samples.tables, keys: { verify: async () => 'key' }, log: () => undefined })

const ask = async (path: string, body: object) => {
  const headers = { Authorization: 'Bearer key', 'Content-Type': 'application/json' }
  const response = await app.request(path, { method: 'POST', headers, body: JSON.stringify(body) })
  const answer: { readonly allowed?: boolean; readonly items?: readonly unknown[] } = JSON.parse(await response.text())
  return { status: response.status, body: answer }
}

describe('the samples', () => {
  test('are loaded into every empty table, once, and tell one story', () => {
    expect([[...samples.loaded].sort(), [...samples.asked].sort()]).toEqual([names.toSorted(), names.toSorted()])
    expect([[...again.loaded], [...again.asked].sort()]).toEqual([[], names.toSorted()])
    expect(Object.keys(stories).sort()).toEqual(names.toSorted())
  })

  test('have each of the five questions of each design', () => {
    const asked = sampleQuestions.map(({ design, asked: name }) => `${design} ${name}`)
    expect(asked.toSorted()).toEqual(
      names.flatMap((name) => ['can', 'what', 'where', 'who', 'why'].map((each) => `${name} ${each}`)).sort(),
    )
  })

  test.each(sampleQuestions.map((each) => [each.title, each] as const))('%s', async (title, { design, asked, body }) => {
    const { status, body: answer } = await ask(`/v1/${design}/${asked}`, body)
    expect(status).toBe(200)
    if (asked === 'can' || asked === 'why') expect(answer.allowed).toBe(!title.includes(' not '))
    else expect(answer.items?.length).toBeGreaterThan(0)
  })

  test('do not touch a table that somebody uses', async () => {
    const [module] = modules
    if (module === undefined) throw new Error('There is no design.')
    const table: ConnectedTable = connect(module.design, { sender, table: `used-${prefix}` })
    await ensureTable(table.runtime)
    await table.repositoryNamed('Client').create({ name: 'Mine' })
    const found = await loadSamples(new Map([[module.design.name, { module, table }]]), { sender })
    expect([[...found.loaded], [...found.asked]]).toEqual([[], []])
  })
})
