import { randomUUID } from 'node:crypto'
import type { DesignModule } from '@freehold/frame'
import { connect, design, entity, get, text, ulid } from '@freehold/table'
import { ensureTable, type Sender, senderOf } from '@freehold/table/runtime'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoint } from '../../../../test/engine/endpoint.ts'
import { senderAfter } from '../../../../test/engine/sender-after.ts'
import { openTables } from './open-tables.ts'

const Thing = entity('Thing', {
  attributes: { thingId: ulid(), name: text() },
  key: ['THING#{thingId}', 'META'],
  indexes: { GSI1: ['NAME#{name}', 'THING#{thingId}'] },
})
const Plain = entity('Plain', { attributes: { plainId: ulid() }, key: ['PLAIN#{plainId}', 'META'] })

/** Two designs of tables that nothing else uses: one with an index, one without. */
function twoModules(): readonly [indexed: DesignModule, plain: DesignModule] {
  const indexed = design({ name: 'indexed', table: `indexed-${randomUUID()}`, entities: { Thing }, patterns: { thing: get(Thing) } })
  const plain = design({ name: 'plain', table: `plain-${randomUUID()}`, entities: { Plain }, patterns: { plain: get(Plain) } })
  return [
    { design: indexed, summary: 'For a test.' },
    { design: plain, summary: 'For a test.' },
  ]
}

let sender: Sender & { close(): void }
beforeAll(() => {
  sender = senderOf({ endpoint })
})
afterAll(() => sender.close())

const make = ({ design }: DesignModule) => ensureTable(connect(design, { sender }).runtime)
const at = (isAtAws: boolean, with_: Sender = sender) => ({ connecting: { sender: with_ }, isAtAws })
const names = (found: Awaited<ReturnType<typeof openTables>>) => found.map(({ module }) => module.design.name)

/** Tells of what it leaves out. */
function told(): { readonly sentences: readonly string[]; readonly log: (sentence: string) => void } {
  const sentences: string[] = []
  return { sentences, log: (sentence) => sentences.push(sentence) }
}

/** Refuses to look at one table, as AWS does where a policy names only the others. */
function refusing(table: string): Sender {
  return senderAfter((_, input) => {
    if ('TableName' in input && input.TableName === table)
      throw Object.assign(new Error('not authorized'), { name: 'AccessDeniedException', $metadata: { httpStatusCode: 400 } })
  }, sender)
}

describe('elsewhere than at AWS', () => {
  test('tables that are missing are made', async () => {
    const modules = twoModules()
    const { sentences, log } = told()
    expect(names(await openTables(modules, false, at(false), log))).toEqual(['indexed', 'plain'])
    expect(names(await openTables(modules, true, at(true), log))).toEqual(['indexed', 'plain'])
    expect(sentences).toEqual([])
  })
})

describe('at AWS', () => {
  test('a design whose table is missing is left out, and told of, unless it was asked for', async () => {
    const modules = twoModules()
    const [indexed, plain] = modules
    await make(plain)
    const { sentences, log } = told()
    expect(names(await openTables(modules, false, at(true), log))).toEqual(['plain'])
    expect(sentences).toEqual([
      `Not served, since there is no table: indexed (${indexed.design.table}). \`freehold setup DESIGN\` creates one. With --design a table must exist.`,
    ])
    await expect(openTables(modules, true, at(true), log)).rejects.toMatchObject({
      code: 'Unavailable',
      message: `There is no table ${indexed.design.table} for indexed: create it with \`freehold setup indexed\`.`,
    })
  })

  test("so is one whose table is another program's, or may not be looked at", async () => {
    const [indexed, plain] = twoModules()
    const same: DesignModule = { ...plain, design: { ...plain.design, table: indexed.design.table } }
    await make(same)
    const foreign = told()
    expect(names(await openTables([indexed, same], false, at(true), foreign.log))).toEqual(['plain'])
    expect(foreign.sentences).toEqual([expect.stringMatching(/^Not served: indexed, .* has no index GSI1\. `freehold migrate/)])

    const [hidden, shown] = twoModules()
    await make(shown)
    const refused = told()
    expect(names(await openTables([hidden, shown], false, at(true, refusing(hidden.design.table)), refused.log))).toEqual(['plain'])
    expect(refused.sentences).toEqual([expect.stringMatching(/^Not served: indexed, whose table is indexed-.*\. DynamoDB refused/)])
  })

  test('nothing is left to serve is an error', async () => {
    const modules = twoModules()
    const { sentences, log } = told()
    await expect(openTables(modules, false, at(true), log)).rejects.toMatchObject({
      code: 'Unavailable',
      message: `There is nothing to serve: no table ${modules.map(({ design }) => design.table).join(' and no table ')}. \`freehold setup DESIGN\` creates one.`,
    })
    expect(sentences).toEqual([])
  })

  test('a DynamoDB that does not answer stops the start: it says nothing of the tables', async () => {
    const [indexed, plain] = twoModules()
    await make(plain)
    const silent: Sender = {
      send: async (operation, input) => {
        if ('TableName' in input && input.TableName === plain.design.table) return sender.send(operation, input)
        throw Object.assign(new Error('reset'), { code: 'ECONNRESET' })
      },
      close: () => {},
    }
    await expect(openTables([indexed, plain], false, at(true, silent), told().log)).rejects.toMatchObject({ code: 'Unavailable' })
  })
})
