import type { OpenOptions } from '@freehold/frame'
import { expect, test } from 'vitest'
import { open as openAccounts } from './account-management/index.ts'
import { open as openRebac } from './rebac/index.ts'

test('a design that is opened for a tenant that got lost is not opened for all', () => {
  // A program without types would pass these.
  for (const tenant of [undefined, null, '', ' '])
    expect(() => openAccounts({ tenant } as OpenOptions)).toThrow('account-management: tenant names no tenant')
  expect(() => openRebac({ tenant: 'acme' })).toThrow('rebac: tenant is asked for, but rebac has no tenants')
  openAccounts({}).close()
})
