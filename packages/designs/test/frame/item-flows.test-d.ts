import type { Item } from '@freehold/table'
import { expectTypeOf, test } from 'vitest'
import type { Building, Device, Project } from '../../src/account-management/design.ts'
import type { AccountFlows } from '../../src/account-management/flows/flows.ts'

type Input<N extends keyof AccountFlows> = Parameters<AccountFlows[N]>[0]
type Result<N extends keyof AccountFlows> = Awaited<ReturnType<AccountFlows[N]>>

test('a flow that creates an item takes its attributes, and gives the item', () => {
  expectTypeOf<Pick<Input<'createProject'>, 'id' | 'client_id' | 'name' | 'region'>>().toEqualTypeOf<{
    id?: string | undefined
    client_id?: string | null | undefined
    name: string
    region?: string | null | undefined
  }>()
  expectTypeOf<Result<'createProject'>>().toEqualTypeOf<Item<typeof Project>>()
})

test('a flow that changes one takes its key, its version and what may change; null takes an optional attribute away', () => {
  expectTypeOf<Pick<Input<'updateBuilding'>, 'id' | 'version' | 'name' | 'city'>>().toEqualTypeOf<{
    id: string
    version?: number | null | undefined
    name?: string | undefined
    city?: string | null | undefined
  }>()
  expectTypeOf<keyof Input<'updateDevice'>>().toEqualTypeOf<
    | 'building_id'
    | 'id'
    | 'version'
    | 'name'
    | 'type'
    | 'status'
    | 'manufacturer'
    | 'model'
    | 'serial_number'
    | 'location_description'
    | 'configuration'
  >()
  expectTypeOf<Result<'updateBuilding'>>().toEqualTypeOf<Item<typeof Building>>()
  expectTypeOf<Result<'assignDeviceZone'>>().toEqualTypeOf<Item<typeof Device>>()
})

test('a flow that removes one takes its key, its version and what it declares', () => {
  expectTypeOf<Input<'deleteDevice'>>().toEqualTypeOf<{ building_id: string; id: string; version?: number | null | undefined }>()
  expectTypeOf<Input<'deletePermission'>>().toEqualTypeOf<{
    id: string
    version?: number | null | undefined
    in_use?: 'cascade' | null | undefined
    wait?: boolean | null | undefined
  }>()
  expectTypeOf<Result<'deleteDevice'>>().toEqualTypeOf<void>()
})
