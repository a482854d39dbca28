import { connect, type Entity, isFreeholdError, type Table } from '@freehold/table'
import { keyPlaceholders, type Stored } from '@freehold/table/runtime'
import { beforeAll, describe, expect, test } from 'vitest'
import { engineSender } from '../../../../test/engine/endpoint.ts'
import { ownTableOf } from '../../test/own-table.ts'
import { wholeTable } from '../../test/whole-table.ts'
import { accountManagement } from './design.ts'

const { form, tenants } = accountManagement

/** The table as an operator has it, and as one of its two clients has it; what the other client has, and what nobody has. */
let operator: Table<typeof accountManagement>
let table: Table<typeof accountManagement>
let theirs: readonly Stored[]
let nobodys: readonly Stored[]
let ours: string

async function organisation(name: string, permission_id: string, system: string): Promise<string> {
  const { id: client_id } = await operator.Client.create({ name })
  const { id: user_id } = await operator.User.create({ client_id, email: `ada@${name}.org`, user_type: 'client_admin' })
  const { id: project_id } = await operator.Project.create({ client_id, name, owner_user_id: user_id })
  const { id: building_id } = await operator.Building.create({ project_id, name })
  const { id: zone_id } = await operator.Zone.create({ building_id, name, type: 'office' })
  await operator.Device.create({ building_id, zone_id, name, type: 'hvac' })
  const { id: role_id } = await operator.Role.create({ client_id, name })
  await operator.Role.create({ client_id, name: 'Deputy', parent_role_id: role_id })
  await operator.RolePermissionLink.create({ client_id, role_id, permission_id })
  const scope = { scope_type: 'building', scope_id: building_id } as const
  await operator.UserRoleAssignment.create({ ...scope, user_id, role_id, role_owner: client_id })
  await operator.UserRoleAssignment.create({ ...scope, user_id, role_id: system, role_owner: 'SYSTEM' })
  await operator.ServiceSubscription.create({ ...scope, module_id: '77777777-7777-4777-8777-777777777777' })
  await operator.Setting.create({ ...scope, key: 'theme', value: 'on' })
  await operator.AuditLog.create({ client_id, user_id, action: 'login' })
  await operator.AuthToken.create({ user_id, token_type: 'refresh' })
  await operator.LoginSession.create({ user_id })
  await operator.SignInIdentity.create({ provider: 'google', subject: name, user_id })
  return client_id
}

const ownerOf = ({ Type, client_id, id }: Stored) => (Type === 'Client' || Type === 'ClientEntry' ? id : client_id)

beforeAll(async () => {
  operator = await ownTableOf(accountManagement)
  const { id: permission } = await operator.Permission.create({ module: 'devices', action: 'read', resource: 'camera' })
  const { id: system } = await operator.Role.create({ name: 'Support', is_system: true })
  await operator.User.create({ email: 'root@example.org', user_type: 'internal' })
  await operator.AuditLog.create({ action: 'start' })
  ours = await organisation('ours', permission, system)
  const other = await organisation('theirs', permission, system)
  const items = await wholeTable(operator)
  theirs = items.filter((item) => ownerOf(item) === other)
  nobodys = items.filter((item) => ownerOf(item) === undefined)
  table = connect(accountManagement, { table: operator.runtime.table, sender: engineSender(), tenant: ours })
})

const entityOf = ({ Type }: Stored): Entity => {
  const entity = form.entities.get(String(Type))
  if (entity === undefined) throw new Error(`no entity ${Type}`)
  return entity
}
const idOf = (item: Stored) => Object.fromEntries(keyPlaceholders(entityOf(item)).map((placeholder) => [placeholder, item[placeholder]]))
const always = { from: '2000-01-01', to: '2999-12-31' }

describe('a client', () => {
  test('finds nothing of another, by whatever key', async () => {
    expect(new Set(theirs.map(({ Type }) => Type)).size).toBe(form.entities.size - 2) // all but the catalogue
    for (const item of theirs) expect(await table.repositoryNamed(entityOf(item).name).get(idOf(item))).toBeUndefined()
  })

  test('finds what the system has for all, and no internal user and no event of the system', async () => {
    const found: string[] = []
    for (const item of nobodys) if (await table.repositoryNamed(entityOf(item).name).get(idOf(item))) found.push(entityOf(item).name)
    expect(found.sort()).toEqual(['Permission', 'PermissionKey', 'Role', 'RoleName'])
    expect(nobodys.map(({ Type }) => Type)).toEqual(expect.arrayContaining(['User', 'UserEmail', 'AuditLog']))
  })

  test('lists nothing of another, with whatever parameters', async () => {
    const itemsOf = (answer: unknown): readonly Stored[] =>
      // A pattern answers a page, one item, or nothing.
      answer === undefined ? [] : ((answer as { items?: readonly Stored[] }).items ?? [answer as Stored])
    const isOurs = (item: Stored) => [ours, undefined].includes(ownerOf(item) as string | undefined)
    let asked = 0
    for (const item of theirs) {
      for (const { name, parameters, entities } of form.patterns.values()) {
        const values: Stored = { client_id: item.id, user_id: item.id, role_id: item.id, ...always, ...item }
        const asking = Object.fromEntries(parameters.map((each) => [each.name, values[each.name]]))
        if (
          name.startsWith('system') ||
          name === 'internalUsers' ||
          !entities.includes(entityOf(item)) ||
          Object.values(asking).includes(undefined)
        )
          continue
        asked++
        expect([name, itemsOf(await operator.patternNamed(name)(asking)).every(isOurs)]).toEqual([name, false])
        const found = await table
          .patternNamed(name)(asking)
          .catch((error: unknown) => {
            if (!isFreeholdError(error, 'Denied')) throw error
          })
        expect([name, itemsOf(found).every(isOurs)]).toEqual([name, true])
      }
    }
    expect(asked).toBeGreaterThan(40)
  })

  test('changes and removes nothing of another', async () => {
    const before = await wholeTable(operator)
    const writable = theirs.map(entityOf).map(({ form: { part, appendOnly } }) => ['entity', 'edge'].includes(part.kind) && !appendOnly)
    for (const item of theirs.filter((_, index) => writable[index])) {
      const repository = table.repositoryNamed(entityOf(item).name)
      await expect(repository.update(idOf(item), {})).rejects.toMatchObject({ code: 'NotFound' })
      await expect(repository.remove(idOf(item))).rejects.toMatchObject({ code: 'NotFound' })
    }
    expect(await wholeTable(operator)).toEqual(before)
  })

  test('writes no system role, no internal user, nothing into the catalogue, and no event of nobody', async () => {
    const denied = { code: 'Denied' }
    await expect(table.Role.create({ name: 'x' })).rejects.toMatchObject(denied)
    await expect(table.User.create({ email: 'x@example.org', user_type: 'internal' })).rejects.toMatchObject(denied)
    await expect(table.Permission.create({ module: 'x', action: 'x', resource: 'x' })).rejects.toMatchObject(denied)
    await expect(table.AuditLog.create({ action: 'x' })).rejects.toMatchObject(denied)
    await expect(table.Client.create({ name: 'x' })).rejects.toMatchObject(denied)
    await expect(table.Role.create({ client_id: ours, name: 'x' })).resolves.toMatchObject({ client_id: ours })
  })

  test('asks no question that crosses clients', () => {
    expect(tenants?.crossing).toEqual(['clients', 'internalUsers', 'subscriptionsOfModule', 'systemAudit', 'rolesOfPermission'])
  })
})
