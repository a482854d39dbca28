import { type FlowSamples, operator, sampleOf as row } from '@freehold/frame/flow'
import type { ConnectedTable } from '@freehold/table'
import * as own from '../design.ts'
import type { Action } from '../snapshot/menu-flags.ts'
import { flowMenus, offeredPlatformFlows, type PlatformFlows } from './flows.ts'

export interface PlatformWork {
  /** An operator's. */
  readonly flows: PlatformFlows
}

export type PlatformScene = Awaited<ReturnType<typeof platformScene>>

/** The flags of a menu, all false but these. */
export const settingOf = (menuKey: string, ...actions: readonly Action[]) => ({
  menuKey,
  canView: actions.includes('view'),
  canCreate: actions.includes('create'),
  canEdit: actions.includes('edit'),
  canDelete: actions.includes('delete'),
})

/** Two accounts. Lead may do in `ours` all that flows ask for, and view and edit `own`; friend, of the same account, may do nothing. */
export async function platformScene({ flows }: Pick<PlatformWork, 'flows'>, name = 'one') {
  const user = async (accountId: string, id: string) =>
    (await flows.createUser({ accountId, id, email: `${id}@example.org`, firstName: id, lastName: 'Test' })).id
  const { id: ours } = await flows.createAccount({ id: `ours-${name}`, name: 'Ours' })
  const { id: theirs } = await flows.createAccount({ id: `theirs-${name}`, name: 'Theirs' })
  const lead = await user(ours, `lead-${name}`)
  const friend = await user(ours, `friend-${name}`)
  const stranger = await user(theirs, `stranger-${name}`)
  const menus = [...new Set(Object.values(flowMenus).map(({ menu }) => menu))]
  const { id: leading } = await flows.createRole({ accountId: ours, id: `leading-${name}`, name: 'Leading' })
  const all = menus.map((menu) => settingOf(menu, 'view', 'create', 'edit', 'delete'))
  await flows.replaceMenuPermissions({ roleId: leading, permissions: [...all, settingOf('own', 'view', 'edit')] })
  const { id: leads } = await flows.createGroup({ accountId: ours, id: `leads-${name}`, name: 'Leads' })
  await flows.giveRole({ groupId: leads, roleId: leading })
  await flows.addToGroup({ groupId: leads, userId: lead })
  const { id: group } = await flows.createGroup({ accountId: ours, id: `group-${name}`, name: 'Group' })
  const { id: foreign } = await flows.createGroup({ accountId: theirs, id: `foreign-${name}`, name: 'Foreign' })
  /** A role of our account with these permissions. */
  const role = async (id: string, ...permissions: readonly ReturnType<typeof settingOf>[]) => {
    const made = await flows.createRole({ accountId: ours, id: `${id}-${name}`, name: id })
    for (const { menuKey, ...flags } of permissions) await flows.setMenuPermission({ roleId: made.id, menuKey, ...flags })
    return made.id
  }
  return { name, ours, theirs, lead, friend, stranger, leading, leads, group, foreign, role, user }
}

const at = { line1: '1 High Street', city: 'York', country: 'GB' }

/** A call of each flow that writes. The lead of the scene may do all in its own account, `ours`. */
export function platformSamples({ flows }: PlatformWork, scene: PlatformScene): FlowSamples {
  const { name: scened, ours: accountId, friend: userId, role } = scene
  let count = 0
  const name = (word: string) => `${word}-${++count}-${scened}`
  const newAccount = async () => (await flows.createAccount({ id: name('acc'), name: 'Acme' })).id
  const newUser = async (of = accountId) => scene.user(of, name('user'))
  const newAddress = async (isPrimary = false) => {
    const { id } = await flows.addAddress({ accountId, ...at, isPrimary })
    return { accountId, id }
  }
  const newWorkstream = async () => ({ accountId, id: (await flows.createWorkstream({ accountId, name: 'Research' })).id })
  const inWorkstream = async () => ({ accountId, workstreamId: (await newWorkstream()).id })
  const newTool = async () => {
    const { workstreamId, id } = await flows.addTool({ ...(await inWorkstream()), name: 'Lens' })
    return { workstreamId, id }
  }
  const member = async () => {
    const workstream = await inWorkstream()
    await flows.addToWorkstream({ ...workstream, userId })
    return { ...workstream, userId }
  }
  const newRole = async () => role(name('role'), settingOf('own', 'view'))
  const newGroup = async () => (await flows.createGroup({ accountId, name: 'Staff' })).id
  const inGroup = async () => {
    const pair = { groupId: await newGroup(), userId: await newUser() }
    await flows.addToGroup(pair)
    return pair
  }
  const given = async () => {
    const pair = { groupId: await newGroup(), roleId: await newRole() }
    await flows.giveRole(pair)
    return pair
  }
  const newEnterprise = async () => (await flows.createEnterprise({ id: name('ent'), name: 'Nova' })).id
  const newProduct = async () => (await flows.createProduct({ id: name('prd'), name: 'Lens' })).id
  const newService = async () => (await flows.createService({ id: name('srv'), name: 'Support' })).id
  const product = async () => {
    const pair = { enterpriseId: await newEnterprise(), productId: await newProduct() }
    await flows.assignProduct(pair)
    return pair
  }
  const service = async () => {
    const pair = { enterpriseId: await newEnterprise(), serviceId: await newService() }
    await flows.assignService(pair)
    return pair
  }
  const terms = { seats: 3, startDate: '2020-01-01', endDate: '2999-01-01' }
  const newLicense = async () => {
    const { id } = await flows.issueLicense({ accountId, enterpriseId: await newEnterprise(), ...terms })
    return { accountId, id }
  }
  const expired = async () => {
    const license = await newLicense()
    await flows.expireLicense(license)
    return license
  }
  const free = async () => ({ accountId, licenseId: (await newLicense()).id, userId: await newUser() })
  const taken = async () => {
    const seat = await free()
    await flows.assignSeat(seat)
    return seat
  }
  const subject = () => ({ provider: 'google', subject: name('subject') })
  /** One of a provider whose people become users of the account. */
  const person = async () => {
    await flows.setIdentityProviders({ id: accountId, identityProviders: ['google'] })
    return { ...subject(), address: `${name('p')}@example.org` }
  }
  const contact = (of: string) => ({ accountId: of, name: name('Eve'), email: `eve${count}@example.org` })
  const withContact = async () => {
    const of = await newAccount()
    await flows.setTechnicalUser(contact(of))
    return of
  }
  return {
    user: scene.lead,
    samples: [
      row('createAccount', own.Account, () => ({ id: name('acc'), name: 'New' })),
      row('updateAccount', own.Account, () => ({ id: accountId, name: name('Newer') })),
      row('suspendAccount', own.Account, async () => ({ id: await newAccount() })),
      row('activateAccount', own.Account, async () => {
        const id = await newAccount()
        await flows.suspendAccount({ id })
        return { id }
      }),
      row('deleteAccount', own.Account, async () => {
        const id = await newAccount()
        await newUser(id)
        await flows.ensureDefaultWorkstream({ accountId: id })
        return { id }
      }),
      row('addAddress', own.AccountAddress, () => ({ accountId, ...at })),
      row('addAddress', own.AccountAddress, () => ({ accountId, ...at, isPrimary: true })),
      row('updateAddress', own.AccountAddress, async () => ({ ...(await newAddress()), city: 'Leeds' })),
      row('setPrimaryAddress', own.AccountAddress, () => newAddress()),
      row('removeAddress', own.AccountAddress, () => newAddress()),
      row('setTechnicalUser', own.TechnicalUser, () => contact(accountId)),
      row('replaceTechnicalUser', own.TechnicalUser, async () => contact(await withContact()), 'operator'),
      row(
        'replaceTechnicalUser',
        own.TechnicalUser,
        async () => {
          const of = await withContact()
          return { accountId: of, userId: await newUser(of) }
        },
        'operator',
      ),
      row('createEnterprise', own.Enterprise, () => ({ id: name('ent'), name: 'Nova' })),
      row('updateEnterprise', own.Enterprise, async () => ({ id: await newEnterprise(), description: 'x' })),
      row('deleteEnterprise', own.Enterprise, async () => ({ id: (await product()).enterpriseId })),
      row('createProduct', own.Product, () => ({ id: name('prd'), name: 'Lens' })),
      row('updateProduct', own.Product, async () => ({ id: await newProduct(), name: 'x' })),
      row('deleteProduct', own.Product, async () => ({ id: await newProduct() })),
      row('createService', own.Service, () => ({ id: name('srv'), name: 'Support' })),
      row('updateService', own.Service, async () => ({ id: await newService(), name: 'x' })),
      row('deleteService', own.Service, async () => ({ id: await newService() })),
      row('assignProduct', own.EnterpriseProduct, async () => ({ enterpriseId: await newEnterprise(), productId: await newProduct() })),
      row('unassignProduct', own.EnterpriseProduct, product),
      row('assignService', own.EnterpriseService, async () => ({ enterpriseId: await newEnterprise(), serviceId: await newService() })),
      row('unassignService', own.EnterpriseService, service),
      row('issueLicense', own.License, async () => {
        const { enterpriseId, productId } = await product()
        return { accountId, enterpriseId, productId, ...terms }
      }),
      row('renewLicense', own.License, async () => ({ ...(await expired()), endDate: '2999-02-01' })),
      row('changeSeats', own.License, async () => ({ ...(await newLicense()), seats: 5 })),
      row('expireLicense', own.License, newLicense),
      row('reactivateLicense', own.License, expired),
      row('assignSeat', own.LicenseSeat, free),
      row('releaseSeat', own.LicenseSeat, taken),
      row('createWorkstream', own.Workstream, () => ({ accountId, name: 'Sales' })),
      row('ensureDefaultWorkstream', own.Workstream, () => ({ accountId })),
      row('updateWorkstream', own.Workstream, async () => ({ ...(await newWorkstream()), name: 'Newer' })),
      row('deleteWorkstream', own.Workstream, async () => {
        const { workstreamId: id } = await member()
        return { accountId, id }
      }),
      row('addTool', own.WorkstreamTool, async () => ({ ...(await inWorkstream()), name: 'Saw', category: 'wood' })),
      row('updateTool', own.WorkstreamTool, async () => ({ ...(await newTool()), url: 'https://example.org' })),
      row('removeTool', own.WorkstreamTool, newTool),
      row('addToWorkstream', own.UserWorkstream, async () => ({ ...(await inWorkstream()), userId })),
      row('removeFromWorkstream', own.UserWorkstream, async () => {
        const { workstreamId } = await member()
        return { workstreamId, userId }
      }),
      row('createUser', own.User, () => ({ accountId, email: `${name('new')}@example.org`, firstName: 'New', lastName: 'User' })),
      row('updateUser', own.User, async () => ({ id: await newUser(), email: `${name('changed')}@example.org` })),
      row('setEndDate', own.User, async () => ({ id: await newUser(), endDate: '2999-12-31' })),
      row('deactivateUser', own.User, async () => ({ id: await newUser() })),
      row('reactivateUser', own.User, async () => {
        const id = await newUser()
        await flows.deactivateUser({ id })
        return { id }
      }),
      row('deleteUser', own.User, async () => ({ id: (await inGroup()).userId })),
      row('eraseUser', own.User, async () => ({ id: await newUser() })),
      row('signIn', own.SignInIdentity, async () => {
        const one = await person()
        await flows.createUser({ accountId, email: one.address, firstName: 'New', lastName: 'User' })
        return { ...one, unknown: 'link' }
      }),
      row('signIn', own.User, async () => ({ ...(await person()), tenant: accountId, unknown: 'make' })),
      row('linkIdentity', own.SignInIdentity, async () => ({ ...subject(), userId: await newUser() })),
      row('unlinkIdentity', own.SignInIdentity, async () => {
        const identity = subject()
        await flows.linkIdentity({ ...identity, userId: await newUser() })
        return identity
      }),
      row('setIdentityProviders', own.Account, async () => ({ id: await newAccount(), identityProviders: ['google'] })),
      row('sendCredentials', own.NotificationIntent, async () => ({ userId: await newUser() })),
      row('resendNotification', own.NotificationIntent, async () => ({
        auditId: (await flows.sendCredentials({ userId: await newUser() })).auditId,
      })),
      row('sweep', own.User, async () => {
        await flows.setEndDate({ id: await newUser(), endDate: '2000-01-01' })
        return {}
      }),
      row('provisionAccount', own.Account, () => {
        const technicalUser = { email: `${name('tech')}@example.org`, firstName: 'Tea', lastName: 'Ch' }
        return { accountId: name('provisioned'), name: 'Provisioned', technicalUser, menus: ['own'] }
      }),
      row('createRole', own.Role, () => ({ accountId, name: 'Editors' })),
      row('updateRole', own.Role, async () => ({ id: await newRole(), name: 'Newer' })),
      row('copyRole', own.Role, async () => ({ id: await newRole(), name: 'Copy' })),
      row('deleteRole', own.Role, async () => ({ id: (await given()).roleId })),
      row('setMenuPermission', own.RolePermission, async () => ({ roleId: await newRole(), menuKey: 'users', canView: true })),
      row('setMenuPermission', own.RolePermission, async () => ({ roleId: await newRole(), menuKey: 'own', canEdit: true })),
      row('removeMenuPermission', own.RolePermission, async () => ({ roleId: await newRole(), menuKey: 'own' })),
      row('replaceMenuPermissions', own.RolePermission, async () => ({
        roleId: await newRole(),
        permissions: [settingOf('users', 'view', 'edit'), settingOf('roles')],
      })),
      row('createGroup', own.Group, () => ({ accountId, name: 'New' })),
      row('updateGroup', own.Group, async () => ({ id: await newGroup(), name: 'Newer' })),
      row('deleteGroup', own.Group, async () => ({ id: (await inGroup()).groupId })),
      row('addToGroup', own.GroupMember, async () => ({ groupId: (await given()).groupId, userId: await newUser() })),
      row('removeFromGroup', own.GroupMember, inGroup),
      row('giveRole', own.GroupRole, async () => ({ groupId: await newGroup(), roleId: await newRole() })),
      row('takeRole', own.GroupRole, given),
    ],
  }
}

/** The same on an empty table, by an operator. */
export async function samplesOn(table: ConnectedTable): Promise<FlowSamples> {
  const work: PlatformWork = { flows: offeredPlatformFlows().of(table, { actor: operator }) }
  return platformSamples(work, await platformScene(work))
}
