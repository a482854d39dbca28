import { map, text } from '@freehold/table'
import { describe, expect, test } from 'vitest'
import { changing, given } from '../../../frame/src/flow/input/input-attributes.ts'
import { asSizedMap, mapBytesMax, mapMax } from '../../../frame/src/flow/input/input-limits.ts'
import { AuthToken, Device, LoginSession, ServiceSubscription, Zone } from '../../src/account-management/design.ts'

/** A map whose JSON has so many bytes, of which each character takes two. */
const ofBytes = (bytes: number) => ({ x: 'é'.repeat((bytes - '{"x":""}'.length) / 2) })

describe('a free-form map in the input of a flow', () => {
  test.each([
    ['geo_json', given(Zone, 'geo_json').geo_json],
    ['geo_json', changing(Zone, 'geo_json').geo_json],
    ['configuration', given(Device, 'configuration').configuration],
    ['payload', given(AuthToken, 'payload').payload],
    ['device_info', given(LoginSession, 'device_info').device_info],
    ['usage_quota', changing(ServiceSubscription, 'usage_quota').usage_quota],
  ])('(%s) has at most so many bytes, as JSON', (name, { schema }) => {
    const max = mapMax(name)
    expect(schema.safeParse(ofBytes(max)).success).toBe(true)
    const read = schema.safeParse(ofBytes(max + 2))
    expect(read.error?.issues.map(({ message }) => message)).toEqual([`has more than ${max} bytes as JSON`])
  })

  test('that is no JSON is told so, and not counted', () => {
    const { schema } = asSizedMap('any', map())
    const endless: Record<string, unknown> = {}
    endless.itself = endless
    for (const value of [endless, { x: 1n }, undefined, 'text']) expect(schema.safeParse(value).error?.issues).toHaveLength(1)
  })

  test('has the same bound whatever it is called, but for those that describe a thing as whole as it is', () => {
    expect(mapMax('constructor')).toBe(mapBytesMax)
    expect(mapMax('geo_json')).toBeGreaterThan(mapBytesMax)
  })
})

test('what is no map is left as it is', () => {
  const attribute = text()
  expect(asSizedMap('geo_json', attribute)).toBe(attribute)
})
