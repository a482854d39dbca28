import { platform } from '../../src/platform/design.ts'
import { flowMenus, offeredPlatformFlows } from '../../src/platform/flows/flows.ts'
import type { PlatformTable } from '../../src/platform/platform-table.ts'
import { WatchedSender } from '../isolation/watched-sender.ts'
import { engineSender, ownTableOf } from '../own-table.ts'
import { settingOf } from '../platform-flows.ts'
import { recordedMails } from '../recorded-mails.ts'

// Two accounts alike. Every id, text and address of an account holds its mark, which is nowhere else.

export const sides = ['aa', 'bb'] as const
export type Side = (typeof sides)[number]
export const markOf = (side: string): string => `mark-${side}`
export const accountOf = (side: Side): string => `acc-${markOf(side)}`
export const userOf = (side: Side, name: (typeof people)[number]): string => `${name}-${markOf(side)}`

/** Everything, some of the flows, one that nobody else has, nothing, and everything for a user who is inactive. */
export const people = ['lead', 'clerk', 'keeper', 'idle', 'ended'] as const

/** A menu of no flow, which `keeper` alone may view. */
export const vault = 'vault'
export const menus: readonly string[] = [...new Set(Object.values(flowMenus).map(({ menu }) => menu)), vault]

const clerks = ['group-members', 'group-roles', 'role-permissions', 'users', 'roles', 'groups']

/** A table with both accounts, whose made ids hold the mark of the side that acts. */
export interface World {
  readonly table: PlatformTable
  readonly sender: WatchedSender
  readonly offered: ReturnType<typeof offeredPlatformFlows>
  /** The side for which ids are made, and the number of the step. */
  turnTo(mark: string, number: number): void
}

export async function newWorld(): Promise<World> {
  let [mark, count] = ['', 0]
  const offered = offeredPlatformFlows().mailedBy(recordedMails())
  const sender = new WatchedSender(engineSender())
  const table = await ownTableOf(platform, {
    sender,
    jobHandlers: offered.jobHandlers,
    secret: new Uint8Array(32),
    now: () => new Date('2026-02-01T12:00:00.000Z'),
    ids: { uuid: () => `made-${count++}-${mark}`, ulid: () => `02J${String(count++).padStart(23, '0')}` },
  })
  const world: World = {
    table,
    sender,
    offered,
    turnTo: (of, number) => {
      mark = of
      count = 1_000_000 + 1000 * number
    },
  }
  world.turnTo('system', -1)
  const flows = offered.of(table, { actor: { kind: 'operator', name: 'planter' } })
  await flows.createEnterprise({ id: 'enterprise', name: 'Enterprise' })
  await flows.createRole({ id: 'shared-role', name: 'Shared' })
  await flows.setMenuPermission({ roleId: 'shared-role', menuKey: 'workstreams', canView: true })
  for (const [index, side] of sides.entries()) {
    world.turnTo(markOf(side), -500 * (index + 1))
    await plant(world, side)
  }
  return world
}

async function plant({ table, offered }: World, side: Side): Promise<void> {
  const flows = offered.of(table, { actor: { kind: 'operator', name: 'planter' } })
  const accountId = accountOf(side)
  const marked = (name: string) => `${name}-${markOf(side)}`
  await flows.createAccount({ id: accountId, name: marked('Account') })
  const grantedTo = {
    lead: menus.filter((menu) => menu !== vault).map((menu) => settingOf(menu, 'view', 'create', 'edit', 'delete')),
    clerk: clerks.map((menu) => settingOf(menu, 'view', 'create', 'edit', 'delete')),
    keeper: [settingOf(vault, 'view')],
    idle: [],
    ended: [settingOf(vault, 'edit'), settingOf('workstreams', 'create')],
  }
  for (const name of people) {
    const id = userOf(side, name)
    await flows.createUser({ accountId, id, email: `${id}@example.org`, firstName: marked('First'), lastName: marked('Last') })
    const [roleId, groupId] = [marked(`role-${name}`), marked(`group-${name}`)]
    await flows.createRole({ accountId, id: roleId, name: marked('Role') })
    await flows.replaceMenuPermissions({ roleId, permissions: grantedTo[name] })
    await flows.createGroup({ accountId, id: groupId, name: marked('Group') })
    await flows.giveRole({ groupId, roleId })
    await flows.addToGroup({ groupId, userId: id })
    await flows.linkIdentity({ provider: 'acme', subject: marked(name), userId: id })
  }
  await flows.deactivateUser({ id: userOf(side, 'ended') })
  for (const name of ['one', 'two']) {
    const id = marked(`ws-${name}`)
    await flows.createWorkstream({ accountId, id, name: marked('Workstream') })
    await flows.addTool({ accountId, workstreamId: id, id: marked(`tool-${name}`), name: marked('Tool') })
    await flows.addToWorkstream({ accountId, workstreamId: id, userId: userOf(side, 'lead') })
    await flows.addAddress({ accountId, id: marked(`address-${name}`), line1: marked('Street'), city: marked('City'), country: 'DE' })
    await flows.issueLicense({ accountId, id: marked(`license-${name}`), enterpriseId: 'enterprise', seats: 3, endDate: '2026-03-01' })
    await flows.assignSeat({ accountId, licenseId: marked(`license-${name}`), userId: userOf(side, 'keeper') })
  }
  await flows.issueLicense({ accountId, id: marked('license-old'), enterpriseId: 'enterprise', seats: 1, endDate: '2026-02-20' })
  await flows.expireLicense({ accountId, id: marked('license-old') })
  await flows.sendCredentials({ userId: userOf(side, 'keeper') })
  await flows.sendCredentials({ userId: userOf(side, 'ended') })
}
