import type { Flow } from '@freehold/frame/flow'
import { expect, test } from 'vitest'
import { requiredPermissions } from '../../../test/required-permissions.ts'
import { accountManagement } from '../design.ts'
import { accountFlows, offeredAccountFlows } from './flows.ts'

test('every flow goes by its own name, says what it does in a sentence, and needs what the table of permissions says', () => {
  for (const [name, flow] of Object.entries(accountFlows)) {
    expect(flow.name).toBe(name)
    expect(flow.summary).toMatch(/^[A-Z].+\.$/)
    expect(flow.needs).toBe(Object.entries(requiredPermissions).find(([key]) => key === name)?.[1])
  }
})

test('a user needs a permission without a wildcard, at a scope', () => {
  for (const needed of Object.values(requiredPermissions)) {
    if (typeof needed === 'string') continue
    expect(['client', 'project', 'building', 'scope']).toContain(needed.at)
    for (const part of [needed.module, needed.action, needed.resource]) expect(part).toMatch(/^[a-z][a-z-]*$/)
  }
})

test('a flow that takes a scope needs its permission there, and any other at a place of one kind', () => {
  for (const { input, needs } of Object.values(accountFlows))
    if (needs !== 'operator' && needs !== 'own') expect(needs.at === 'scope').toBe(Object.hasOwn(input, 'scope_type'))
})

test('all are offered with all that they take', () => {
  const described = offeredAccountFlows.describe(accountManagement)
  expect(described.map(({ name }) => name)).toEqual(Object.keys(accountFlows).sort())
  expect(described.find(({ name }) => name === 'moveBuilding')?.input).toEqual([
    { name: 'id', kind: 'uuid', required: true },
    { name: 'version', kind: 'number', holds: 'whole number from 0', required: false },
    { name: 'project_id', kind: 'uuid', required: true },
    { name: 'confirm_dangerous', kind: 'flag', required: false },
  ])
})

test('a flow declares each of its errors once', () => {
  for (const { name, errors = [] } of Object.values<Flow<never>>(accountFlows)) expect(new Set(errors).size, name).toBe(errors.length)
})
