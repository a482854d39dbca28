import type { Entity } from '@freehold/table'
import { keyPlaceholders, readItem, type Stored } from '@freehold/table/runtime'
import { expect, test } from 'vitest'
import { parseRecord, wanted } from '../../../frame/src/decision/record.ts'
import { designModules } from '../../src/design-modules.ts'
import { anyItem } from '../any-item.ts'
import { ownTableOf } from '../own-table.ts'

const designs = [...designModules.values()].map(({ design }) => design)

test.each(designs.map((design) => [design.name, design] as const))(
  'an item of %s is believed under the key that it says, and no other',
  async (_, design) => {
    const table = await ownTableOf(design)
    /** An item as it lies in the table, and where it is wanted. */
    const storedOf = async (entity: Entity, seed: number) => {
      const { needs, input, id } = anyItem(design, entity.name, seed)
      for (const need of needs) await table.repositoryNamed(need.entity).create(need.input)
      const { kind } = entity.form.part
      if (kind === 'entity' || kind === 'edge') await table.repositoryNamed(entity.name).create(input)
      // All attributes of keys are texts.
      const at = wanted(entity, id as Readonly<Record<string, string>>)
      return { at, stored: await readItem(table.runtime, at.key, { consistent: true }) }
    }
    for (const [seed, entity] of [...design.form.entities.values()].entries()) {
      const { name } = entity
      const { at, stored } = await storedOf(entity, seed)
      const other = await storedOf(entity, seed + 1_000)
      if (stored === undefined || other.stored === undefined) throw new Error(`There is no ${name}.`)
      expect([name, parseRecord(at, stored).state]).toEqual([name, 'found'])
      expect([name, parseRecord(at, other.stored).state]).toEqual([name, 'malformed'])
      for (const attribute of keyPlaceholders(at.entity)) {
        const says: Stored = { ...stored, [attribute]: other.stored[attribute] }
        expect([name, attribute, parseRecord(at, says).state]).toEqual([
          name,
          attribute,
          stored[attribute] === says[attribute] ? 'found' : 'malformed',
        ])
      }
    }
  },
)
