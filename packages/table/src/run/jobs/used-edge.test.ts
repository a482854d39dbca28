import { expect, test } from 'vitest'
import { ownTableOf } from '../../../../../test/engine/own-table.ts'
import { putRaw, rawItems } from '../../../test/depot/raw.ts'
import { design, edge, entity, text } from '../../language.ts'

const Firm = entity('Firm', { attributes: { firm: text() }, key: ['FIRM#{firm}', 'META'] })
const Tool = entity('Tool', { attributes: { tool: text() }, key: ['TOOL#{tool}', 'META'] })
const { FirmTool, ToolFirm } = edge({
  ends: { firm: Firm, tool: Tool },
  attributes: {},
  items: { FirmTool: ['FIRM#{firm}', 'TOOL#{tool}'], ToolFirm: ['TOOL#{tool}', 'FIRM#{firm}'] },
})
/** For a tool that its firm has. */
const License = entity('License', {
  attributes: { firm: text(), id: text(), tool: text() },
  key: ['FIRM#{firm}', 'LICENSE#{id}'],
  refers: { firm: Firm, tool: { to: FirmTool, onRemove: 'refuse' } },
})
const tools = design({ name: 'tools', table: 'tools', entities: { Firm, Tool, FirmTool, ToolFirm, License }, patterns: {} })

async function usedEdge() {
  const table = await ownTableOf(tools)
  await table.Firm.create({ firm: 'acme' })
  await table.Tool.create({ tool: 'saw' })
  await table.FirmTool.create({ firm: 'acme', tool: 'saw' })
  const license = { firm: 'acme', id: 'l' }
  await table.License.create({ ...license, tool: 'saw' })
  return { table, license }
}
const ends = { firm: 'acme', tool: 'saw' }

test.each(['FirmTool', 'ToolFirm'] as const)(
  'an edge in use stays, and the mark goes from both of its items: removed as %s',
  async (side) => {
    const { table, license } = await usedEdge()
    const before = await rawItems(table)
    await expect(table[side].remove(ends)).rejects.toMatchObject({ code: 'InUse', details: { user: 'License' } })
    const isSide = ({ Type }: { readonly Type?: unknown }) => Type === 'FirmTool' || Type === 'ToolFirm'
    const spared = before.map((item) => (isSide(item) ? { ...item, version: 3 } : item))
    expect(await rawItems(table)).toEqual(spared)
    await table.License.remove(license)
    await table[side].remove(ends)
    expect((await rawItems(table)).filter(isSide)).toEqual([])
  },
)

test('a removal that is taken back leaves alone an item of the edge that has another mark', async () => {
  const { table } = await usedEdge()
  const other = (await rawItems(table)).find(({ Type }) => Type === 'ToolFirm')
  await table.FirmTool.remove(ends, { wait: false })
  await putRaw(table, { ...other, deleting: 'another' })
  expect(await table.jobs.resume()).toMatchObject({ done: 1, failed: [] })
  const marks = (await rawItems(table)).flatMap(({ Type, deleting }) => (deleting === undefined ? [] : [[Type, deleting]]))
  expect(marks).toEqual([['ToolFirm', 'another']])
})
