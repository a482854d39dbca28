import { designModules } from '@freehold/designs'
import { connect, type Entity } from '@freehold/table'
import { ensureTable } from '@freehold/table/runtime'
import { describe, expect, test } from 'vitest'
import { folder, freehold, freshTable } from '../../packages/cli/test/recorded-shell.ts'
import { anyItem } from '../../packages/designs/test/any-item.ts'
import { engineSender } from '../engine/endpoint.ts'

const designs = [...designModules.values()].map(({ design }) => design)

/** Whether `import` writes it: guards, mirrors and the second item of an edge are written with another. */
function isExported(entity: Entity): boolean {
  const { part } = entity.form
  return part.kind === 'entity' || (part.kind === 'edge' && part.edge.sides[0] === entity)
}

const isRecord = expect.objectContaining({ status: 'success' })
/** The entities of the items that a record of an import names, one for each item. */
function namesIn(line: string): readonly string[] {
  const { metadata, more } = JSON.parse(line)
  const named = Object.entries<unknown>(metadata ?? more)
  return named.flatMap(([entity, keys]) => (Array.isArray(keys) ? keys.map(() => entity) : []))
}

describe.each(designs.map((design) => [design.name, design] as const))('the export of %s', (name, design) => {
  test('is imported into another table, whence export prints the same', async () => {
    const [table, restored] = [freshTable(), freshTable()]
    const open = connect(design, { table, sender: engineSender() })
    await ensureTable(open.runtime)
    const entities = [...design.form.entities.values()].filter(isExported)
    for (const [seed, entity] of entities.entries()) {
      const { needs, input } = anyItem(design, entity.name, seed)
      for (const each of [...needs, { entity: entity.name, input }]) await open.repositoryNamed(each.entity).create(each.input)
    }

    const exported = await freehold(['export', name, '--secrets', '--table', table])
    expect(exported).toMatchObject({ exit: 0, err: '' })
    const types = exported.out.match(/(?<=^\{"Type":")\w+/gm) ?? []
    expect([...new Set(types)].sort()).toEqual(entities.map((entity) => entity.name).sort())

    const cwd = folder({ 'items.jsonl': exported.out })
    const rows = types.length
    expect(await freehold(['import', name, 'items.jsonl', '--table', restored], { cwd })).toEqual({
      exit: 0,
      out: `items.jsonl: ${rows} rows, ${rows} written, 0 unchanged, 0 failed.\n`,
      // On a busy machine it tells how far it is.
      err: expect.stringMatching(/^(?:\d+ rows read, 0 failed\n)*$/),
    })
    const again = await freehold(['export', name, '--secrets', '--table', restored])
    const linesOf = (out: string) => out.split('\n').sort()
    const [lines, before] = [linesOf(again.out), linesOf(exported.out)]
    // The records of the import itself name each item once.
    const records = lines.filter((line) => !before.includes(line))
    expect(lines.filter((line) => !records.includes(line))).toEqual(before)
    expect(records.length > 0).toBe(designModules.get(name)?.flows !== undefined)
    for (const record of records) expect(JSON.parse(record)).toMatchObject(isRecord)
    if (records.length > 0) expect(records.flatMap(namesIn).sort()).toEqual(types.sort())
  })
})
