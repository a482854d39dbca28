import { offers } from '@freehold/designs'
import { expect, test } from 'vitest'
import { freehold } from '../../test/recorded-shell.ts'

test('designs lists each design with its table and who it is for', async () => {
  const { exit, out } = await freehold(['designs'], { env: {} })
  expect(exit).toBe(0)
  for (const { design, summary } of offers.values()) expect(out).toMatch(new RegExp(`^${design.name} +${design.table} .* ${summary}$`, 'm'))
})

test('designs as JSON names entities and access patterns', async () => {
  const { out } = await freehold(['designs', '--json'], { env: {} })
  const listed: unknown[] = JSON.parse(out)
  expect(listed).toHaveLength(offers.size)
  expect(listed).toContainEqual({
    name: 'rebac',
    table: 'rebac',
    indexes: [],
    entities: expect.arrayContaining(['User', 'Location', 'RolePagePermission']),
    patterns: expect.arrayContaining(['groupsOfUser', 'permission']),
    answersQuestions: true,
    summary: expect.stringContaining('People, locations'),
  })
})
