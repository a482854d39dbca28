import { randomUUID } from 'node:crypto'
import { type FlowSample, type FlowSamples, operator, sampleOf as row } from '@freehold/frame/flow'
import type { ConnectedTable } from '@freehold/table'
import {
  AuthToken,
  Building,
  Client,
  Device,
  LoginSession,
  Permission,
  Project,
  Role,
  ServiceSubscription,
  Setting,
  User,
  UserRoleAssignment,
  Zone,
} from '../design.ts'
import type { AccountTable } from './account-host.ts'
import { type AccountFlows, offeredAccountFlows } from './flows.ts'
import { identitySamples } from './users/identity-samples.ts'

interface AccountWork {
  readonly table: AccountTable
  /** An operator's. */
  readonly flows: AccountFlows
}

/** The hash of a password as a library for passwords writes it. `word` tells one from another. */
export const hashOf = (word: string) =>
  `$argon2id$v=19$m=65536,t=3,p=4$c2FsdHNhbHRzYWx0$${Buffer.from(word.padEnd(24, '.')).toString('base64url')}`

/** The encrypted secret of a second factor. `word` tells one from another. */
export const sealed = (word: string) => `kms:${Buffer.from(word.padEnd(40, '.')).toString('base64url')}`

/** Two clients; the user may do all at the first one. */
async function accountScene({ table, flows }: AccountWork) {
  const [ours, theirs] = [(await flows.createClient({ name: 'Ours' })).id, (await flows.createClient({ name: 'Theirs' })).id]
  let count = 0
  const name = (word: string) => `${word} ${++count}`
  const newUser = async (more: object = {}) =>
    (await table.User.create({ client_id: ours, email: `u${++count}@ours.example`, user_type: 'client_admin', ...more } as never)).id
  const permission = () => ({ module: 'lamp', action: 'switch', resource: `lamp-${++count}` })
  const newRole = async (more: object = {}) =>
    (await flows.createRole({ client_id: ours, name: name('Role'), permissions: [permission()], ...more })).id
  const atOurs = { scope_type: 'client', scope_id: ours } as const
  const user = await newUser()
  const everything = [{ module: '*', action: '*', resource: '*' }]
  const root = await newRole({ permissions: everything, confirm_dangerous: true })
  await flows.assignRole({ user_id: user, role_id: root, ...atOurs, confirm_dangerous: true })
  const newProject = async () => (await flows.createProject({ client_id: ours, name: name('Project') })).id
  const newBuilding = async (project_id?: string) =>
    (await flows.createBuilding({ project_id: project_id ?? (await newProject()), name: name('Building') })).id
  const newZone = async (more: object = {}) => {
    const building_id = await newBuilding()
    const { id } = await flows.createZone({ building_id, name: name('Zone'), type: 'office', ...more } as never)
    return { building_id, id }
  }
  const newDevice = async () => {
    const building_id = await newBuilding()
    return { building_id, id: (await flows.createDevice({ building_id, name: name('Device'), type: 'camera' } as never)).id }
  }
  const entitlement = async () => ({ scope_type: 'project', scope_id: await newProject(), module_id: randomUUID() }) as const
  const newSubscription = async () => {
    const id = await entitlement()
    await flows.activateSubscription({ ...id, usage_quota: { reports: 10 } })
    return id
  }
  const newSetting = async () => {
    const id = { ...atOurs, key: name('key') }
    await flows.setSetting({ ...id, value: 'dark' })
    return id
  }
  const newAssignment = async (role_id?: string) => {
    const id = { user_id: await newUser(), role_id: role_id ?? (await newRole()), ...atOurs }
    await flows.assignRole(id)
    return id
  }
  const signedIn = async (of?: string) => {
    const user_id = of ?? (await newUser())
    const session = await flows.createSession({ user_id, user_agent: 'a browser' })
    const { text, token } = await flows.createToken({ user_id, token_type: 'api' })
    return { user_id, session: session.id, token: token.id, text }
  }
  const invited = async () => (await flows.inviteUser({ client_id: ours, email: `i${++count}@ours.example`, user_type: 'client_admin' })).id
  return {
    ...{ ours, theirs, user, atOurs, name, newUser, permission, newRole, newProject, newBuilding, newZone, newDevice, entitlement },
    ...{ newSubscription, newSetting, newAssignment, signedIn, invited },
  }
}

type Scene = Awaited<ReturnType<typeof accountScene>>
function scopeSamples(work: AccountWork, scene: Scene): readonly FlowSample[] {
  const { ours, name, newUser, newProject, newBuilding, newZone, newDevice } = scene
  const suspended = async () => {
    const { id } = await work.flows.createClient({ name: name('Client') })
    await scene.signedIn(await newUser({ client_id: id }))
    return { id }
  }
  return [
    row('createClient', Client, () => ({ name: name('Client'), timezone: 'Europe/Berlin' })),
    row('updateClient', Client, () => ({ id: ours, phone: '+4930123456' })),
    row('suspendClient', Client, suspended),
    row('reactivateClient', Client, async () => {
      const { id } = await suspended()
      await work.flows.suspendClient({ id })
      return { id }
    }),
    row('deleteClient', Client, async () => {
      const { id } = await suspended()
      await work.flows.createProject({ client_id: id, name: name('Project') })
      return { id }
    }),
    row('createProject', Project, () => ({ client_id: ours, name: name('Project'), region: 'eu' })),
    row('updateProject', Project, async () => ({ id: await newProject(), description: 'changed' })),
    row('deleteProject', Project, async () => {
      const id = await newProject()
      await newBuilding(id)
      return { id }
    }),
    row('createBuilding', Building, async () => ({ project_id: await newProject(), name: name('Building'), floors: 3 })),
    row('updateBuilding', Building, async () => ({ id: await newBuilding(), city: 'Berlin' })),
    row('moveBuilding', Building, async () => ({ id: await newBuilding(), project_id: await newProject() })),
    row('deleteBuilding', Building, async () => ({ id: await newBuilding() })),
    row('createZone', Zone, async () => ({ building_id: await newBuilding(), name: name('Zone'), type: 'office' })),
    row('updateZone', Zone, async () => ({ ...(await newZone()), description: 'changed' })),
    row('moveZone', Zone, async () => {
      const { building_id, id } = await newZone()
      const above = await work.flows.createZone({ building_id, name: name('Zone'), type: 'lobby' } as never)
      return { building_id, id, parent_zone_id: above.id }
    }),
    row('deleteZone', Zone, newZone),
    row('createDevice', Device, async () => ({
      building_id: await newBuilding(),
      name: name('Device'),
      type: 'camera',
      configuration: { a: 1 },
    })),
    row('updateDevice', Device, async () => ({ ...(await newDevice()), model: 'changed' })),
    row('assignDeviceZone', Device, async () => {
      const { building_id, id } = await newDevice()
      const zone = await work.flows.createZone({ building_id, name: name('Zone'), type: 'office' } as never)
      return { building_id, id, zone_id: zone.id }
    }),
    row('deviceSeen', Device, newDevice),
    row('deleteDevice', Device, newDevice),
    row('sweep', ServiceSubscription, async () => {
      const id = await scene.newSubscription()
      await work.table.ServiceSubscription.update(id, { end_date: '2026-01-01T00:00:00.000Z' })
      return { client_id: ours, limit: 100_000 }
    }),
  ]
}

function userSamples(work: AccountWork, scene: Scene): readonly FlowSample[] {
  const { ours, theirs, user, name, newUser, signedIn, invited } = scene
  const withFactor = async () => {
    await work.table.User.update({ id: user }, { mfa_enabled: true, mfa_type: 'totp', mfa_secret: sealed('before') })
    await signedIn(user)
    return { id: user }
  }
  return [
    row('inviteUser', User, () => ({
      client_id: ours,
      email: `${name('x').replace(' ', '')}@ours.example`,
      user_type: 'client_admin',
      first_name: 'Ada',
    })),
    row('renewInvitation', User, async () => ({ id: await invited() })),
    row('acceptInvitation', User, async () => ({ id: await invited(), password_hash: hashOf('first') })),
    row('updateUser', User, async () => ({ id: await newUser(), title: 'Dr.' })),
    row('changeUserEmail', User, async () => ({ id: (await signedIn()).user_id, email: `${name('y').replace(' ', '')}@ours.example` })),
    row('disableUser', User, async () => ({ id: (await signedIn()).user_id })),
    row('enableUser', User, async () => ({ id: await newUser({ status: 'disabled' }) })),
    row('setPassword', User, async () => {
      await signedIn(user)
      return { id: user, password_hash: hashOf('second') }
    }),
    row('setMfa', User, async () => ({ ...(await withFactor()), mfa_type: 'webauthn', mfa_secret: sealed('after') })),
    row('unsetMfa', User, withFactor),
    row('moveUser', User, async () => ({ id: await newUser(), client_id: theirs })),
    row('deleteUser', User, async () => {
      const { user_id } = await scene.newAssignment()
      await signedIn(user_id)
      return { id: user_id }
    }),
    row('eraseUser', User, async () => ({ id: await newUser() })),
    ...identitySamples(work, scene),
    row('createSession', LoginSession, async () => ({ user_id: await newUser(), ip_address: '203.0.113.7' })),
    row('endSession', LoginSession, async () => ({ id: (await signedIn()).session })),
    row('revokeSession', LoginSession, async () => ({ id: (await signedIn()).session })),
    row('revokeSessions', LoginSession, async () => ({ user_id: (await signedIn()).user_id })),
    row('createToken', AuthToken, () => ({ user_id: user, token_type: 'api', payload: { device: 'phone' } })),
    row('revokeToken', AuthToken, async () => ({ id: (await signedIn()).token })),
    row('revokeTokens', AuthToken, async () => ({ user_id: (await signedIn()).user_id })),
    row('setSetting', Setting, () => ({ ...scene.atOurs, key: name('key'), value: 'dark' })),
    row('setSetting', Setting, async () => ({ ...(await scene.newSetting()), value: 'light' })),
    row('lockSetting', Setting, scene.newSetting),
    row('unlockSetting', Setting, async () => {
      const id = await scene.newSetting()
      await work.flows.lockSetting(id)
      return id
    }),
    row('unsetSetting', Setting, scene.newSetting),
  ]
}

function roleSamples(work: AccountWork, scene: Scene): readonly FlowSample[] {
  const { ours, atOurs, name, newUser, newRole, newAssignment, entitlement, newSubscription, permission } = scene
  const inCatalogue = async () => {
    const entry = permission()
    return { entry, id: (await work.flows.createPermission(entry)).id }
  }
  const linkedRole = async () => newRole({ permission_form: 'linked', permissions: [(await inCatalogue()).entry] })
  const tried = async () => {
    const id = await entitlement()
    await work.flows.startTrial(id)
    return id
  }
  return [
    row('createRole', Role, () => ({ client_id: ours, name: name('Role'), permissions: [permission()] })),
    row('createRole', Role, async () => ({
      client_id: ours,
      name: name('Role'),
      permission_form: 'linked',
      permissions: [(await inCatalogue()).entry],
    })),
    row('updateRole', Role, async () => ({ client_id: ours, id: await newRole(), description: 'changed' })),
    row('setParentRole', Role, async () => ({ client_id: ours, id: await newRole(), parent_role_id: await newRole() })),
    row('changeRolePermissions', Role, async () => ({ client_id: ours, id: await newRole(), add: [permission()] })),
    row('changeRoleForm', Role, async () => ({
      client_id: ours,
      id: await newRole({ permissions: [(await inCatalogue()).entry] }),
      permission_form: 'linked',
    })),
    row('deleteRole', Role, async () => {
      const id = await linkedRole()
      await newAssignment(id)
      return { client_id: ours, id, in_use: 'cascade' }
    }),
    row('deleteRole', Role, async () => {
      const id = await newRole()
      await newAssignment(id)
      return { client_id: ours, id, reassign_to: await newRole() }
    }),
    row('createPermission', Permission, () => ({ ...permission(), description: 'switches' })),
    row('updatePermission', Permission, async () => ({ id: (await inCatalogue()).id, description: 'changed' })),
    row('deletePermission', Permission, async () => {
      const { entry, id } = await inCatalogue()
      await newRole({ permission_form: 'linked', permissions: [entry] })
      return { id, in_use: 'cascade' }
    }),
    row('assignRole', UserRoleAssignment, async () => ({ user_id: await newUser(), role_id: await newRole(), ...atOurs })),
    row('extendAssignment', UserRoleAssignment, async () => ({ ...(await newAssignment()), expires_at: '2199-01-01T00:00:00.000Z' })),
    row('revokeRole', UserRoleAssignment, () => newAssignment()),
    row('revokeAllRoles', UserRoleAssignment, async () => ({ user_id: (await newAssignment()).user_id })),
    row('startTrial', ServiceSubscription, entitlement),
    row('activateSubscription', ServiceSubscription, tried),
    row('renewSubscription', ServiceSubscription, async () => {
      const id = await entitlement()
      await work.flows.activateSubscription({ ...id, end_date: '2190-01-01T00:00:00.000Z' })
      return { ...id, end_date: '2199-01-01T00:00:00.000Z' }
    }),
    row('changeSubscriptionTier', ServiceSubscription, async () => ({ ...(await newSubscription()), tier: 'premium' })),
    row('consumeQuota', ServiceSubscription, async () => ({ ...(await newSubscription()), counter: 'reports', amount: 2 })),
    row('cancelSubscription', ServiceSubscription, newSubscription),
    row('expireSubscription', ServiceSubscription, newSubscription),
  ]
}

/** A call of each flow that writes, on a scene of its own. */
export async function accountSamples(work: AccountWork): Promise<FlowSamples> {
  const scene = await accountScene(work)
  return { user: scene.user, samples: [...scopeSamples(work, scene), ...userSamples(work, scene), ...roleSamples(work, scene)] }
}

/** The same on an empty table, by an operator. */
export const samplesOn = (table: ConnectedTable): Promise<FlowSamples> =>
  // The table is of this design.
  accountSamples({ table: table as unknown as AccountTable, flows: offeredAccountFlows.of(table, { actor: operator }) })
