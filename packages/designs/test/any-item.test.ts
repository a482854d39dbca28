import { describe, expect, test } from 'vitest'
import { designModules } from '../src/design-modules.ts'
import { anyItem } from './any-item.ts'
import { ownTableOf } from './own-table.ts'

const designs = [...designModules.values()].map(({ design }) => design)

describe.each(designs.map((design) => [design.name, design] as const))('any item of %s', (_name, design) => {
  const entities = [...design.form.entities.values()]

  test('is made with what is given: each case of what it refers to, and each reference that may be absent', async () => {
    const table = await ownTableOf(design)
    const givens = entities.flatMap(({ name, attributes, form }) =>
      form.references.flatMap(({ attribute, when, absent }) => [
        ...(attributes[attribute]?.presence === 'optional' ? [{ name, given: { [attribute]: null } }] : []),
        ...[when, absent].filter((each) => Object.keys(each).length > 0).map((given) => ({ name, given })),
      ]),
    )
    for (const [seed, { name, given }] of givens.entries()) {
      const { needs, input, id } = anyItem(design, name, seed, given)
      for (const need of needs) await table.repositoryNamed(need.entity).create(need.input)
      const created = await table.repositoryNamed(name).create(input)
      for (const [attribute, value] of Object.entries(given))
        expect([id, created]).toMatchObject([id, value === null ? {} : { [attribute]: value }])
      for (const [attribute, value] of Object.entries(given)) if (value === null) expect(created).not.toHaveProperty(attribute)
    }
  })

  test('holds every attribute, but what is stamped with each write', () => {
    for (const { name, attributes } of entities) {
      const { input, copies } = anyItem(design, name, 1)
      const expected = Object.keys(attributes).filter((each) => attributes[each]?.madeOnWrite === false)
      expect([name, Object.keys({ ...input, ...copies }).sort()]).toEqual([name, expected.sort()])
    }
  })
})
