import { randomUUID } from 'node:crypto'
import { hashOf, sealed } from '../../packages/designs/test/account-secrets.ts'
import type { Values } from '../faces/face.ts'
import type { World } from './world.ts'

/** Values of inputs of flows whose kind does not tell what they must be. */
export const hints: Values = {
  usage_quota: { calls: 5 },
  value: '"dark"',
  value_type: 'json',
  from: '2026-01-01T00:00:00.000Z',
  to: '2026-12-31T00:00:00.000Z',
  password_hash: hashOf('word'),
  mfa_secret: sealed('factor'),
}

type Recipe = (world: World) => Promise<Values>

/** An item that is made for a request: active, and not invited. */
async function item(world: World, design: string, entity: string): Promise<Values> {
  const { item: made = {} } = await world.make(design, entity, true, () => 0)
  return made
}

const ofUser: Recipe = async (world) => ({ user_id: (await item(world, 'account-management', 'User')).id })

const subscription: Recipe = async (world) => {
  const { scope_type, scope_id, module_id } = await item(world, 'account-management', 'ServiceSubscription')
  return { scope_type, scope_id, module_id }
}

/** Inputs of flows that no item of one entity tells. By design and flow. */
export const recipes: Readonly<Record<string, Recipe>> = {
  'account-management.acceptInvitation': async (world) => {
    const { id: client_id } = await item(world, 'account-management', 'Client')
    const email = `${randomUUID()}@example.org`
    const { id } = await world.flow('account-management', 'inviteUser', { client_id, email, user_type: 'client_admin' })
    return { id, password_hash: hints.password_hash }
  },
  'account-management.activateSubscription': async (world) => {
    const { id } = await item(world, 'account-management', 'Building')
    const at = { scope_type: 'building', scope_id: id, module_id: randomUUID() }
    await world.flow('account-management', 'startTrial', at)
    return at
  },
  'account-management.changeRolePermissions': async (world) => {
    const { id, client_id } = await item(world, 'account-management', 'Role')
    const { module, action, resource } = await world.flow('account-management', 'createPermission', {
      ...{ module: 'm', action: 'a', resource: randomUUID() },
    })
    return { id, client_id, add: [{ module, action, resource }] }
  },
  'account-management.consumeQuota': async (world) => {
    const at = await subscription(world)
    await world.flow('account-management', 'renewSubscription', { ...at, end_date: null, usage_quota: { calls: 5 } })
    return { ...at, counter: 'calls' }
  },
  'account-management.createToken': async (world) => ({ ...(await ofUser(world)), token_type: 'api' }),
  'account-management.renewSubscription': async (world) => ({ ...(await subscription(world)), end_date: null }),
  'account-management.revokeAllRoles': ofUser,
  'account-management.revokeSessions': ofUser,
  'account-management.revokeTokens': ofUser,
  'account-management.setSetting': async (world) => ({
    ...{ scope_type: 'client', scope_id: (await item(world, 'account-management', 'Client')).id, key: `theme ${randomUUID()}` },
    ...{ value: '"dark"', value_type: 'json' },
  }),
  'account-management.verifySession': async (world) => {
    const { id, user_id } = await item(world, 'account-management', 'LoginSession')
    return { id, user_id }
  },
  'platform.copyRole': async (world) => ({ id: (await item(world, 'platform', 'Role')).id }),
  'platform.notifications': async (world) => ({ accountId: (await item(world, 'platform', 'Account')).id }),
  'platform.provisionAccount': async () => {
    const accountId = `acc-${randomUUID()}`
    return { accountId, name: 'Harbour', technicalUser: { email: `t@${accountId}.example`, firstName: 'Tech', lastName: 'User' } }
  },
  'platform.renewLicense': async (world) => {
    const { accountId, id } = await item(world, 'platform', 'License')
    return { accountId, id, endDate: '2099-12-31' }
  },
  'platform.seatHolders': async (world) => {
    const { accountId, id } = await item(world, 'platform', 'License')
    return { accountId, licenseId: id }
  },
  'platform.sendCredentials': async (world) => ({ userId: (await item(world, 'platform', 'User')).id }),
  'platform.resendNotification': async (world) => {
    const { id } = await item(world, 'platform', 'User')
    world.refuseNextMail()
    const { auditId } = await world.flow('platform', 'sendCredentials', { userId: id })
    return { auditId }
  },
}
