import {
  type ActingUser,
  changeRecorder,
  type FlowContext,
  type FlowHost,
  type Foreseen,
  flowsFor,
  liveItem,
  stateConflict,
} from '@freehold/frame/flow'
import { access } from '../access.ts'
import { Account, Change, Group, Role, User } from '../design.ts'
import type { PlatformTable } from '../platform-table.ts'

/** The scope of a flow: an account. */
export interface AtAccount {
  readonly accountId: string
}

/** A calling user: of one account, active, and not past its end. */
interface PlatformUser extends ActingUser, AtAccount {
  readonly endDate: string | undefined
}

/** The context of a flow of platform. */
export interface PlatformContext extends FlowContext<PlatformTable, PlatformUser, AtAccount> {}

export async function atAccount(context: PlatformContext, { accountId }: AtAccount): Promise<AtAccount> {
  await liveItem(context, Account, { id: accountId })
  return { accountId }
}

/** The scope of an item of an account. */
export const scopeOf = ({ accountId }: { readonly accountId?: string | undefined }): AtAccount | 'system' =>
  accountId === undefined ? 'system' : { accountId }

/** The account of an item. */
export const accountOf = async (item: Promise<AtAccount>): Promise<AtAccount> => ({ accountId: (await item).accountId })

/** Throws `CheckFailed` for a user that another program keeps in no account. */
export async function atUser(context: PlatformContext, id: string): Promise<AtAccount> {
  const { accountId } = await liveItem(context, User, { id })
  if (accountId === undefined) throw stateConflict(User, 'NoAccount', `The user ${id} is of no account: its index keys name none.`)
  return { accountId }
}

/** A group that another program keeps in no account is the system's, until an operator gives it one. */
export const atGroup = async (context: PlatformContext, id: string): Promise<AtAccount | 'system'> =>
  scopeOf(await liveItem(context, Group, { id }))
/** A role of no account is the system's. */
export const atRole = async (context: PlatformContext, id: string): Promise<AtAccount | 'system'> =>
  scopeOf(await liveItem(context, Role, { id }))

/** The account that a caller means: of a user its own unless it names one; of an operator none. */
export const accountMeant = ({ user }: PlatformContext, accountId: string | null | undefined): string | undefined =>
  accountId ?? user?.accountId

/** The scope of what is of an account, or of none. */
export async function atAccountMeant(context: PlatformContext, { accountId }: { readonly accountId?: string | null | undefined }) {
  const meant = accountMeant(context, accountId)
  return meant === undefined ? ('system' as const) : atAccount(context, { accountId: meant })
}

/** What a flow has by which operators give an item a status. */
export const operatorsSet = <const S extends string>(status: S) => ({ needs: 'operator', change: () => ({ status }) }) as const

export const inSystem = async () => 'system' as const

const ofAccess = access.host<PlatformTable, AtAccount, PlatformUser>(({ accountId }) => accountId)

/** The items of a chain that allows, without user and account. */
export const { basisOf } = ofAccess

export const platformHost: FlowHost<PlatformTable, PlatformUser, AtAccount> = Object.freeze({
  ...ofAccess,
  reads: ({ accountId, groupId }: Readonly<Record<string, unknown>>): Foreseen => [
    [Account, { id: accountId }],
    [Group, { id: groupId }],
  ],
  ...changeRecorder(Change),
})

/** Each flow and durable job of platform is written with these. */
export const { flow, itemFlows, job, listFlow } = flowsFor<PlatformContext>(platformHost)
