import { randomUUID } from 'node:crypto'
import { type AccountFlows, type AccountTable, accountManagement, offeredAccountFlows } from '@freehold/designs/account-management'
import { operator } from '@freehold/frame/flow'
import type { Entity } from '@freehold/table'
import { randomOf, uuidOf } from '../random.ts'
import type { Touch } from '../record.ts'
import { type Choice, callOf, type Lane, type Plan, placeOf, planOf, touch } from './plan.ts'
import { preparePeople } from './sign-in-calls.ts'

const { Client, User, Role, Project, Building, Permission, ServiceSubscription, UserRoleAssignment } = accountManagement.entities

const fixed = randomOf(7)
const ids = (count: number) => Array.from({ length: count }, () => uuidOf(fixed))
const [client_id = '', project_id = '', module_id = '', catalogued_id = ''] = ids(4)
const members = ids(3)
/** Contended by all lanes. */
const pool = {
  roles: ids(4),
  systemRoles: ids(2),
  users: ids(4),
  projects: ids(3),
  buildings: ids(3),
  permissions: ids(3),
  roleNames: ['keeper', 'visitor', 'auditor'],
  emails: ['one@example.org', 'two@example.org', 'three@example.org'],
  modules: ['cameras', 'doors'],
} as const

const counter = 'calls'
const subscription = { scope_type: 'project', scope_id: project_id, module_id } as const

/** How many calls the subscription is for, before anybody has consumed one. */
export const quota = 1_000_000

/** Items that are there before the load begins, and stay. */
export async function prepareAccounts(table: AccountTable): Promise<void> {
  const flows = offeredAccountFlows.of(table, { actor: operator })
  await flows.createClient({ id: client_id, name: 'Stays' })
  await flows.createProject({ id: project_id, client_id, name: 'Stays' })
  await flows.activateSubscription({ ...subscription, usage_quota: { [counter]: quota } })
  for (const id of members) await flows.inviteUser({ id, client_id, email: `${id}@example.org`, user_type: 'client_admin' })
  await preparePeople(flows, client_id)
  await table.Permission.create({ id: catalogued_id, module: 'stays', action: 'read', resource: 'all' })
}

/** A flow reads what it rests on, one after the other, before its transaction, and decides anew where others were faster. */
export const flowSteps = 8

/** Consumes one call of those that the subscription is for. */
export function consuming(flows: AccountFlows): Plan {
  const touched = touch(ServiceSubscription, 'update', subscription)
  const counting = { place: touched.place, path: ['usage_quota', counter], by: -1 }
  const input = { ...subscription, counter }
  const run = async () => {
    const result = await flows.consumeQuota(input)
    return { count: result.left, result }
  }
  const audited = { action: 'consumeQuota' }
  return planOf('account-management', 'consumeQuota', [touched], input, run, { counting, audited, steps: flowSteps })
}

/** A transaction that nothing stands in the way of. */
export const firstAccountCall = (table: AccountTable) => (marker: string) => {
  const values = { id: randomUUID(), name: marker }
  return callOf('account-management', 'Role.create', touch(Role, 'create', values, true), values, () => table.Role.create(values))
}

/** The calls of a lane on an account-management table. */
export function accountCalls(table: AccountTable, { random, marker }: Lane): readonly Choice[] {
  const one = random.one
  /** The flows of an operator whose client says what the call's marker is: its audit entry is found by that. */
  const flows = (): AccountFlows => offeredAccountFlows.of(table, { actor: operator, user_agent: marker() })

  /** A flow that writes one item, and one audit entry with it. */
  const flow = <N extends keyof AccountFlows>(name: N, touched: Touch, input: object, entity_id: string | undefined): Plan => {
    const audited = { action: name, ...(entity_id === undefined ? {} : { entity_id }) }
    // Each flow validates its input itself.
    const run = () => (flows()[name] as (input: object) => Promise<unknown>)(input)
    return callOf('account-management', name, touched, input, run, { steps: flowSteps, audited })
  }
  const direct = (entity: Entity, verb: Touch['verb'], values: object, run: () => Promise<unknown>): Plan =>
    callOf('account-management', `${entity.name}.${verb}`, touch(entity, verb, { ...values }, true), values, run)

  const roles = (): Plan => {
    const id = one(pool.roles)
    const at = { client_id, id }
    switch (one(['create', 'create', 'update', 'update', 'rename', 'delete'] as const)) {
      case 'create': {
        const input = { ...at, name: one(pool.roleNames), description: marker(), permissions: ['devices:read:camera'] }
        return flow('createRole', touch(Role, 'create', at, true), input, id)
      }
      case 'update':
        return flow('updateRole', touch(Role, 'update', at, true), { ...at, description: marker() }, id)
      case 'rename':
        return flow('updateRole', touch(Role, 'update', at, true), { ...at, name: one(pool.roleNames), description: marker() }, id)
      case 'delete':
        return flow('deleteRole', touch(Role, 'remove', at, true), { ...at, in_use: 'cascade' }, id)
    }
  }

  /** System roles, written as a program writes them: no flow, no audit. */
  const systemRoles = (): Plan => {
    const id = one(pool.systemRoles)
    const values = { id, name: `system ${id}`, description: marker() }
    switch (one(['create', 'create', 'update', 'remove'] as const)) {
      case 'create':
        return direct(Role, 'create', values, () => table.Role.create(values))
      case 'update':
        return direct(Role, 'update', { id }, () => table.Role.update({ id }, { description: marker() }))
      case 'remove':
        return direct(Role, 'remove', { id }, () => table.Role.remove({ id }))
    }
  }

  const assignments = (): Plan => {
    const id = { user_id: one(members), role_id: one(pool.roles), scope_type: 'project', scope_id: project_id } as const
    // Its own id, by which the audit tells of it, is made.
    return random.percent(60)
      ? flow('assignRole', touch(UserRoleAssignment, 'create', { ...id, role_owner: client_id, client_id }), id, undefined)
      : flow('revokeRole', touch(UserRoleAssignment, 'remove', id), id, undefined)
  }

  const consume = (): Plan => consuming(flows())

  const users = (): Plan => {
    const id = one(pool.users)
    switch (one(['invite', 'invite', 'update', 'email', 'email', 'delete'] as const)) {
      case 'invite': {
        const input = { id, client_id, email: one(pool.emails), user_type: 'client_admin', title: marker() }
        return flow('inviteUser', touch(User, 'create', { id }, true), input, id)
      }
      case 'update':
        return flow('updateUser', touch(User, 'update', { id }, true), { id, title: marker() }, id)
      case 'email': {
        // An address that the user has already writes nothing, and no audit entry.
        const input = { id, email: one(pool.emails) }
        const run = async () => ({ result: await flows().changeUserEmail(input) })
        return planOf('account-management', 'changeUserEmail', [touch(User, 'may-update', { id }, true)], input, run, { steps: flowSteps })
      }
      case 'delete':
        return flow('deleteUser', touch(User, 'remove', { id }, true), { id }, id)
    }
  }

  const places = (): Plan => {
    const id = one(pool.projects)
    const building = one(pool.buildings)
    const at = { client_id, id }
    switch (one(['project', 'project', 'update', 'delete', 'building', 'building', 'move'] as const)) {
      case 'project':
        return flow('createProject', touch(Project, 'create', at, true), { ...at, name: marker() }, id)
      case 'update':
        return flow('updateProject', touch(Project, 'update', at, true), { id, name: marker() }, id)
      case 'delete':
        return flow('deleteProject', touch(Project, 'remove', at, true), { id }, id)
      case 'building': {
        const input = { id: building, project_id: id, name: marker() }
        return flow('createBuilding', touch(Building, 'create', { ...input, client_id }), input, building)
      }
      case 'move': {
        const to = one(pool.projects)
        // It goes from wherever it is by then; to where it is already, nothing is written.
        const touches = pool.projects.map((place) =>
          touch(Building, place === to ? 'may-create' : 'may-remove', { id: building, project_id: place, client_id }),
        )
        const input = { id: building, project_id: to }
        const run = async () => ({ result: await flows().moveBuilding(input) })
        return planOf('account-management', 'moveBuilding', touches, input, run, { steps: flowSteps, waits: true })
      }
    }
  }

  const catalogue = (): Plan => {
    const id = one(pool.permissions)
    switch (one(['create', 'create', 'update', 'remove'] as const)) {
      case 'create': {
        const values = { id, module: one(pool.modules), action: 'read', resource: 'all', description: marker() }
        return direct(Permission, 'create', values, () => table.Permission.create(values))
      }
      case 'update':
        return direct(Permission, 'update', { id }, () => table.Permission.update({ id }, { description: marker() }))
      case 'remove':
        return direct(Permission, 'remove', { id }, () => table.Permission.remove({ id }))
    }
  }

  const client = (): Plan =>
    flow('updateClient', touch(Client, 'update', { id: client_id }, true), { id: client_id, address: marker() }, client_id)

  return [
    { weight: 16, plan: roles },
    { weight: 12, plan: systemRoles },
    { weight: 10, plan: assignments },
    { weight: 14, plan: consume },
    { weight: 14, plan: users },
    { weight: 14, plan: places },
    { weight: 10, plan: catalogue },
    { weight: 6, plan: client },
  ]
}

export const accountFixtures = { client_id, members, subscriptionPlace: placeOf(ServiceSubscription, subscription) } as const
