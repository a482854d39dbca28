import { describe, expect, test } from 'vitest'
import * as am from '../../test/hardest/account-management.ts'
import { accountManagement, authorization, platform, rebac } from '../../test/hardest/expected-keys.ts'
import * as pf from '../../test/hardest/platform.ts'
import { formatKey } from '../key/format.ts'
import { keyNames } from './compiled-pattern.ts'
import type { Entity } from './form.ts'
import { templatesIn } from './pattern.ts'

/** All keys of an item with these attributes; an index is absent where one of its two keys is. */
function keys(entity: Entity, values: Readonly<Record<string, string>>): Record<string, string> {
  const indexes = [undefined, ...Object.keys(entity.form.indexes)]
  return Object.fromEntries(
    indexes.flatMap((index) => {
      const templates = templatesIn(entity, index)
      const [partition, sort] = [templates?.partition, templates?.sort].map(
        (template) => template && formatKey(template, values, entity.name),
      )
      const [first, second] = keyNames(index)
      return partition === undefined || sort === undefined
        ? []
        : ([
            [first, partition],
            [second, sort],
          ] as const)
    }),
  )
}

describe.each([
  ['account-management', accountManagement],
  ['platform', platform],
  ['authorization', authorization],
  ['rebac', rebac],
])('the keys of %s are the document’s', (_design, cases) => {
  test.each(cases.map((one) => [one.entity.name, one.when, one] as const))('%s %s', (_name, _when, { entity, values, keys: expected }) => {
    expect(keys(entity, values)).toEqual(expected)
  })
})

test('a client named SYSTEM and a user who ends on the day of those without end cannot take the place of an absent value', () => {
  expect(() => keys(am.RoleName, { client_id: 'SYSTEM', name: 'auditor' })).toThrow(
    expect.objectContaining({ code: 'InvalidKey', message: expect.stringContaining('RoleName.client_id is the text that') }),
  )
  expect(() => keys(pf.User, { id: 'u', accountId: 'a', status: 'active', endDate: '9999-12-31' })).toThrow(
    expect.objectContaining({ code: 'InvalidKey', details: { entity: 'User', attribute: 'endDate', value: '9999-12-31' } }),
  )
})
