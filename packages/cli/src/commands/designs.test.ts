import { designModules } from '@freehold/designs'
import { expect, test } from 'vitest'
import { freehold } from '../../test/recorded-shell.ts'

test('designs lists each design with its table, whether it answers questions, and who it is for', async () => {
  const { exit, out } = await freehold(['designs'], { env: {} })
  expect(exit).toBe(0)
  for (const { design, summary, decider } of designModules.values()) {
    const answers = decider === undefined ? 'no' : 'yes'
    expect(out).toMatch(new RegExp(`^${design.name} +${design.table} .* ${answers} +${summary}$`, 'm'))
  }
})

test('designs as JSON names entities and access patterns', async () => {
  const { out } = await freehold(['designs', '--json'], { env: {} })
  const listed: unknown[] = JSON.parse(out)
  expect(listed).toHaveLength(designModules.size)
  expect(listed).toContainEqual({
    name: 'rebac',
    table: 'rebac',
    indexes: [],
    entities: expect.arrayContaining(['User', 'Location', 'RolePagePermission']),
    patterns: expect.arrayContaining(['groupsOfUser', 'permission']),
    features: ['changes'],
    answersQuestions: true,
    flows: expect.arrayContaining(['giveRole', 'signIn']),
    summary: expect.stringContaining('People, locations'),
  })
})
