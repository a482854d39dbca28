import {
  changeItem,
  createItem,
  foresee,
  type InputOf,
  idOfItem,
  itemOf,
  liveItem,
  readErrors,
  removeItem,
  requireLive,
  retryOnConflict,
  stateConflict,
} from '@freehold/frame/flow'
import {
  type Change,
  checking,
  type Entity,
  type FlowJob,
  type Id,
  type Item,
  isFreeholdError,
  type New,
  type QueryOf,
  type Step,
  type Steps,
  uuid,
} from '@freehold/table'
import { consistent, invalidInput } from '@freehold/table/runtime'
import { Client, type LoginSession, User } from '../../design.ts'
import { type AccountContext, type AccountTable, type AccountWithin, flow, listFlow } from '../account-host.ts'
import { ownOr } from '../needs.ts'
import { revokingAll } from '../revocation.ts'
import { ownerScope } from '../scope.ts'

const byId = { id: uuid(), user_id: uuid().optional() }
type ById = InputOf<typeof byId>
export interface OfUser {
  readonly user_id: string
}

type LookupItem = Readonly<Pick<Item<typeof LoginSession>, 'id' | 'user_id' | 'deleting'>>
/** A new one: its user, and perhaps its end. */
export type Given<E extends Entity> = New<E> & OfUser & { readonly expires_at?: string | undefined }

/** Items by which somebody acts as a user: sessions, or tokens. */
export interface Credentials<E extends Entity> {
  readonly entity: E
  readonly resource: 'session' | 'token'
  /** The flow that lists them. */
  readonly list: { readonly name: string; readonly summary: string }
  /** The flow that revokes one, and the flow that revokes all of a user's. */
  readonly revoke: string
  readonly revokeAll: 'revokeSessions' | 'revokeTokens'
  ofUser(table: AccountTable): QueryOf<OfUser, Item<E>>
  /** The entity of the lookup item, and that item by the id alone. */
  readonly byId: Entity
  lookUp(table: AccountTable, id: string): Promise<LookupItem | undefined>
  isLive(item: Item<E>): boolean
  /** An ISO instant. */
  givenAt(item: Item<E>): string
  /** The change that revokes a live one. */
  revoked(context: AccountContext): Change<E>
}

/**
 * A user who is active, as its client is, and the step that holds a write to the client; the write itself is to be of, or to check, the user as
 * it was read. Throws `NotFound`, `BeingDeleted`, and `CheckFailed`: `UserNotActive`, `ClientNotActive`.
 */
async function activeUser(context: AccountContext, id: string): Promise<{ readonly user: Item<typeof User>; readonly steps: Steps }> {
  const user = await liveItem(context, User, { id })
  if (user.status !== 'active') throw stateConflict(User, 'UserNotActive', `This user is ${user.status ?? 'not known to be active'}.`)
  const { client_id } = user
  if (client_id === undefined) return { user, steps: {} }
  const { status } = await liveItem(context, Client, { id: client_id })
  if (status !== 'active') throw stateConflict(Client, 'ClientNotActive', `The client of this user is ${status}.`)
  return { user, steps: { client: checking(Client, { id: client_id }, { where: { status: 'active' } }) } }
}

/** Why a user's credentials are refused at use: it, or its client, is not active. Undefined if they are not. */
export async function refusedUser({ table }: AccountContext, id: string): Promise<'UserNotActive' | 'ClientNotActive' | undefined> {
  const user = await table.User.get({ id }, consistent)
  if (user?.status !== 'active' || user.deleting !== undefined) return 'UserNotActive'
  const { client_id } = user
  const client = client_id === undefined ? undefined : await table.Client.get({ id: client_id }, consistent)
  return client_id === undefined || (client?.status === 'active' && client.deleting === undefined) ? undefined : 'ClientNotActive'
}

/** One that expired meanwhile needs nothing any more, nor does one whose user is on the way out and takes it along. */
export function unlessGone(error: unknown): void {
  if (!isFreeholdError(error, 'NotFound') && !isFreeholdError(error, 'BeingDeleted')) throw error
}

const scopeOfUser = async (context: AccountContext, { user_id }: OfUser): Promise<AccountWithin> => ownerScope(context, user_id)

/** The flows that sessions and tokens have in common, and what other flows do with either. */
export function credentialFlows<E extends Entity>(kind: Credentials<E>) {
  const { entity, resource, ofUser, lookUp, isLive, givenAt, revoked } = kind
  const feature = `${resource}s`
  const needs = ownOr('client', 'revoke', resource)
  /** False where the deployer left the feature out: then nobody has any. */
  const isThere = ({ table }: AccountContext) => table.runtime.design.form.entities.has(entity.name)
  async function* allOf(context: AccountContext, user_id: string): AsyncGenerator<Item<E>> {
    if (isThere(context)) yield* ofUser(context.table).all({ user_id }, consistent)
  }

  /** By its id; of a named user it is found also where another program wrote it. Undefined, too, for one of another user than the named one. */
  const findAny = async (context: AccountContext, { id, user_id }: ById): Promise<LookupItem | undefined> => {
    if (user_id === undefined || user_id === null) return lookUp(context.table, id)
    const ofUser = async () => {
      // Each has an id and a user.
      for await (const each of allOf(context, user_id)) if ((each as unknown as LookupItem).id === id) return each as unknown as LookupItem
    }
    const found = await lookUp(context.table, id).catch((error: unknown) => {
      if (isFreeholdError(error, 'NotAdopted')) return ofUser()
      throw error
    })
    return found?.user_id === user_id ? found : undefined
  }
  /** Throws `NotFound`. */
  const find = async (context: AccountContext, of: ById) => requireLive(entity.name, of.id, await findAny(context, of))
  /** One that has ended stays as it ended. */
  const changeLive = (context: AccountContext, id: Id<E>, change: Change<E>) =>
    // A change of nothing is one of every entity.
    changeItem(context, entity, id, (before) => (isLive(before) ? change : ({} as Change<E>)))

  /** True for a user who has one; `live`: one that has not ended. */
  const has = async (context: AccountContext, user_id: string, which: 'all' | 'live'): Promise<boolean> => {
    for await (const each of allOf(context, user_id)) if (which === 'all' || isLive(each)) return true
    return false
  }

  const revokingAllOfUser = revokingAll<Item<E>>({
    name: kind.revokeAll,
    summary: `Revokes all ${resource}s of a user, by a durable job.`,
    feature,
    needs,
    scope: ownerScope,
    left: async function* (context, user_id) {
      for await (const each of allOf(context, user_id)) if (isLive(each)) yield each
    },
    givenAt,
    revoke: async (acting, item) => changeLive(acting, idOfItem(entity, item), revoked(acting)),
  })

  /** A flow that ends one, which it names by its id alone. */
  const ending = (name: string, summary: string, change: (context: AccountContext) => Change<E>) =>
    flow({
      name,
      summary,
      feature,
      input: byId,
      needs,
      effect: 'write',
      returns: itemOf(entity),
      errors: readErrors,
      reads: ({ id }) => [[kind.byId, { id }]],
      scope: async (context, asked) => {
        const found = await find(context, asked)
        foresee(context, [[entity, found]])
        return scopeOfUser(context, found)
      },
      run: async (context, asked) => changeLive(context, idOfItem(entity, await find(context, asked)), change(context)),
    })

  return Object.freeze({
    entity,
    ending,
    findAny,
    /**
     * Creates one for a user who is active, as its client is. `userStep` changes or checks that user as it was read. Throws `NotFound`,
     * `BeingDeleted`, `InvalidInput` for an end that is past, and `CheckFailed`: `UserNotActive`, `ClientNotActive`.
     */
    create: async (context: AccountContext, input: Given<E>, userStep: (user: Item<typeof User>) => Step): Promise<Item<E>> => {
      const { runtime } = context.table
      if (input.expires_at !== undefined && input.expires_at <= runtime.now().toISOString())
        throw invalidInput(context.flow, [{ path: ['expires_at'], message: 'is past' }], { flow: context.flow })
      return retryOnConflict(runtime, async () => {
        const { user, steps } = await activeUser(context, input.user_id)
        const entry = { related: { user: user.id } }
        return createItem(context, entity, input, { tenant: user.client_id, steps: { ...steps, user: userStep(user) }, entry })
      })
    },
    has,
    /** Revokes all of a user's that were given until then, an ISO instant, as a part of a durable job. */
    revokeDue: async (context: AccountContext, user_id: string, until: string, { advance }: FlowJob): Promise<void> => {
      for await (const each of allOf(context, user_id)) {
        if (!isLive(each) || givenAt(each) > until) continue
        await changeLive(context, idOfItem(entity, each), revoked(context)).catch(unlessGone)
        await advance(1)
      }
    },
    /** Removes those that have ended. */
    clearEnded: async (context: AccountContext, user_id: string, { advance }: FlowJob): Promise<void> => {
      for await (const each of allOf(context, user_id)) {
        if (!isLive(each)) await removeItem(context, entity, idOfItem(entity, each)).catch(unlessGone)
        await advance(1)
      }
    },
    list: listFlow(entity, {
      ...kind.list,
      feature,
      input: { user_id: uuid() },
      needs: ownOr('client', 'read', resource),
      scope: scopeOfUser,
      read: ({ table }, { user_id }, how) => ofUser(table)({ user_id }, how),
    }),
    revoke: ending(kind.revoke, `Revokes a ${resource}, by its id alone.`, revoked),
    revokingAll: revokingAllOfUser,
    /** Revokes all of a user's before it returns, for a flow that was permitted. */
    revokeAllOf: async (context: AccountContext, user_id: string, owner: AccountWithin): Promise<void> => {
      if (await has(context, user_id, 'live')) await revokingAllOfUser.start(context, user_id, owner, true, true)
    },
    revokeAll: revokingAllOfUser.flow,
  })
}
