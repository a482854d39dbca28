import { type ExportedItem, exportItems } from '@freehold/frame/exchange'
import { describe, expect, test } from 'vitest'
import { ownTableOf } from '../../../test/own-table.ts'
import { platformRows } from '../../../test/platform-flow-rows.ts'
import { platformScene, platformWork } from '../../../test/platform-flows.ts'
import { platform } from '../design.ts'
import type { PlatformFlows } from './flows.ts'

const work = await platformWork()
const scene = await platformScene(work)
// Whatever the flows need lies in our account then.
for (const { input } of platformRows(work, scene)) await input()
for (const id of ['one', 'two', 'three'])
  await work.table.NotificationAudit.create({
    ...{ id, accountId: scene.ours, notificationType: 'test', recipientEmail: 'a@example.org', deliveryStatus: 'sent' },
  })

async function exportOf(flows: PlatformFlows, id: string, limit: number): Promise<ExportedItem[]> {
  const all: ExportedItem[] = []
  for (let cursor: string | null = null; ; ) {
    const page: Awaited<ReturnType<PlatformFlows['exportAccount']>> = await flows.exportAccount({ id, limit, cursor })
    expect(page.malformed).toBeUndefined()
    expect(page.items.length).toBeLessThanOrEqual(limit)
    all.push(...page.items)
    if (page.cursor === undefined) return all
    cursor = page.cursor
  }
}

/** As text, in order; without what exports record. */
const texts = (items: readonly ExportedItem[]) =>
  items
    .filter(({ flow }) => flow !== 'exportAccount')
    .map((item) => JSON.stringify(item, Object.keys(item).sort()))
    .sort()

describe('an export of an account', () => {
  test('has all that is its own, once, whatever the size of its pages, and nothing else', async () => {
    const whole: ExportedItem[] = []
    for await (const item of exportItems(work.table.runtime)) whole.push(item)
    const own = whole.filter(({ Type, id, accountId }) => (Type === 'Account' ? id : accountId) === scene.ours)
    const copied = new Set(['RolePermission', 'GroupMember', 'GroupRole'])
    const roles = new Set(own.flatMap(({ Type, id }) => (Type === 'Role' ? [id] : [])))
    const groups = new Set(own.flatMap(({ Type, id }) => (Type === 'Group' ? [id] : [])))
    const users = new Set(own.flatMap(({ Type, id }) => (Type === 'User' ? [id] : [])))
    // The account of these is a copy, which no export has.
    const beneath = whole.filter(
      ({ Type, roleId, groupId, userId }) =>
        (copied.has(Type) && (groups.has(groupId) || (groupId === undefined && roles.has(roleId)))) ||
        (Type === 'SignInIdentity' && users.has(userId)),
    )
    const expected = texts([...own, ...beneath])
    expect(expected.length).toBeGreaterThan(150)
    for (const limit of [7, 1000]) expect(texts(await exportOf(work.flows, scene.ours, limit))).toEqual(expected)
    expect(texts(await exportOf(work.as(scene.lead), scene.ours, 100))).toEqual(expected)
  })

  test('can be imported into another table, in its own order', async () => {
    const other = await ownTableOf(platform)
    // The items that belong to no account and that an account names.
    for await (const { Type, ...item } of exportItems(work.table.runtime))
      if (/^(Enterprise|Product|Service)/.test(Type)) await other.repositoryNamed(Type).create(item)
    const unknown: string[] = []
    for (const { Type, ...item } of await exportOf(work.flows, scene.ours, 100))
      await other
        .repositoryNamed(Type)
        .create(item)
        .catch((error: Error) => unknown.push(`${Type}: ${error.message}`))
    expect(unknown).toEqual([])
  })

  test('goes on with its own cursor only', async () => {
    const { cursor = null } = await work.flows.exportAccount({ id: scene.ours, limit: 1 })
    await expect(work.as(scene.lead).exportAccount({ id: scene.ours, cursor })).rejects.toMatchObject({ code: 'InvalidCursor' })
    await expect(work.flows.exportAccount({ id: scene.theirs, cursor })).rejects.toMatchObject({ code: 'InvalidCursor' })
  })
})

describe('enterprises, products and services', () => {
  test('are not deleted in use', async () => {
    await work.flows.createEnterprise({ id: 'nova', name: 'Nova' })
    await work.flows.createProduct({ id: 'lens', name: 'Lens' })
    await work.flows.createService({ id: 'help', name: 'Help' })
    const assigned = { enterpriseId: 'nova', productId: 'lens' }
    const first = await work.flows.assignProduct(assigned)
    expect(await work.flows.assignProduct(assigned)).toEqual(first)
    await work.flows.assignService({ enterpriseId: 'nova', serviceId: 'help' })
    await work.flows.createWorkstream({ accountId: scene.ours, id: 'of-nova', name: 'x', enterpriseId: 'nova' })
    for (const call of [
      () => work.flows.deleteEnterprise({ id: 'nova' }),
      () => work.flows.deleteProduct({ id: 'lens' }),
      () => work.flows.deleteService({ id: 'help' }),
    ])
      await expect(call()).rejects.toMatchObject({ code: 'InUse' })
    await expect(work.flows.assignProduct({ enterpriseId: 'nowhere', productId: 'lens' })).rejects.toMatchObject({ code: 'MissingEnd' })
    await work.flows.deleteWorkstream({ accountId: scene.ours, id: 'of-nova' })
    await work.flows.deleteEnterprise({ id: 'nova' })
    await work.flows.deleteProduct({ id: 'lens' })
    await work.flows.deleteService({ id: 'help' })
  })
})
