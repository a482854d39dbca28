import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { groups, settingTable } from '../../src/config/table.ts'
import { endSpawned } from '../spawned.ts'
import { mails, secrets, service, tables } from './commands.ts'
import type { Effect } from './effect.ts'
import { limits } from './limits.ts'
import { observing } from './observing.ts'
import { narrow } from './served.ts'
import { serving } from './serving.ts'

beforeAll(async () => {
  await narrow()
})
afterAll(endSpawned)

const effects: Readonly<Record<string, Effect>> = {
  ...serving,
  ...observing,
  ...limits,
  ...mails,
  ...tables,
  ...secrets,
  ...service,
}

test('each setting has a case that proves its effect, and stands in one group', () => {
  expect(Object.keys(effects).sort()).toEqual(Object.keys(settingTable).sort())
  expect(Object.values(groups).reduce((count, group) => count + Object.keys(group).length, 0)).toBe(Object.keys(settingTable).length)
})

describe('a setting has its effect:', () => {
  test.each(Object.entries(effects))('%s', async (_, prove) => {
    await prove()
  })
})
