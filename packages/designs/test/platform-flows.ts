import type { ConnectOptions } from '@freehold/table'
import { type Caller, operator } from '../../frame/src/flow/actor.ts'
import type { ChangeLine } from '../../frame/src/flow/flow-host.ts'
import type { OfferedFlows } from '../../frame/src/flow/offered-flows.ts'
import type { Mailing } from '../../frame/src/mail/mailer.ts'
import { decidePlatform } from '../src/platform/decide.ts'
import type { Action } from '../src/platform/deciding/menu-flags.ts'
import type { PlatformAccessQuestion } from '../src/platform/deciding/question.ts'
import { platform } from '../src/platform/design.ts'
import { flowMenus, offeredPlatformFlows, type PlatformFlows, type PlatformFlowTable, platformFlows } from '../src/platform/flows/flows.ts'
import type { PlatformTable } from '../src/platform/platform-table.ts'
import { withDeclaredErrors } from './declared-errors.ts'
import { type Interruption, interruptible } from './interruptible.ts'
import { ownTableOf } from './own-table.ts'

/** A table on which the flows of platform are at work, and what they logged. An error that its flow does not declare fails the test that meets it. */
export interface PlatformWork extends Interruption {
  readonly table: PlatformTable
  readonly offered: OfferedFlows<PlatformFlowTable>
  /** An operator's. */
  readonly flows: PlatformFlows
  as(user_id: string): PlatformFlows
  decide(question: PlatformAccessQuestion): Promise<{ readonly allowed: boolean }>
  by(caller: Caller): PlatformFlows
  /** The lines that were logged since the last call. */
  lines(): readonly ChangeLine[]
}

export async function platformWork({ mailing, ...options }: ConnectOptions & { readonly mailing?: Mailing } = {}): Promise<PlatformWork> {
  const logged: ChangeLine[] = []
  const offered = withDeclaredErrors(
    platformFlows,
    (mailing === undefined ? offeredPlatformFlows() : offeredPlatformFlows().mailedBy(mailing)).loggedBy((line) => logged.push(line)),
  )
  const interruption: Interruption = { meanwhile: undefined }
  const table = await ownTableOf(platform, {
    jobHandlers: offered.jobHandlers,
    ...interruptible(options, interruption),
  })
  const by = (caller: Caller) => offered.of(table, caller)
  return Object.assign<Interruption, Omit<PlatformWork, keyof Interruption>>(interruption, {
    table,
    offered,
    flows: by({ actor: { ...operator, name: 'test' } }),
    decide: (question) => decidePlatform(table.runtime).can(question, { consistency: 'strong' }),
    as: (user_id) => by({ actor: { kind: 'user', user_id }, via: 'a key' }),
    by,
    lines: () => logged.splice(0),
  })
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
