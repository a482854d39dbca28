import { checking, creating } from '@freehold/table'
import { expectTypeOf, test } from 'vitest'
import type { CountingSteps } from '../../../frame/src/flow/edges/counted-edges.ts'
import { LicenseSeat, User } from '../../src/platform/design.ts'

const user = checking(User, { id: 'u' })

test('the steps that count an edge have any name but that of the edge, which is made or removed beside them', () => {
  expectTypeOf({ user }).toExtend<CountingSteps>()
  expectTypeOf({}).toExtend<CountingSteps>()
  const seat = creating(LicenseSeat, { accountId: 'a', licenseId: 'l', userId: 'u' })
  expectTypeOf({ user, edge: seat }).not.toExtend<CountingSteps>()
})
