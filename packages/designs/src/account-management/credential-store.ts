import { createHash } from 'node:crypto'
import type { CredentialStore, Person, ShownSession, SignInOrigin } from '@freehold/frame/credentials'
import { type Caller, type FlowFunctions, offerFlows } from '@freehold/frame/flow'
import { type ConnectedTable, email, type Id, type Item, isFreeholdError } from '@freehold/table'
import { parallel } from '@freehold/table/runtime'
import type { LoginSession, User } from './design.ts'
import { type AccountContext, type AccountTable, accountHost } from './flows/account-host.ts'
import { sessionFlows, signIn } from './flows/credentials/sessions.ts'
import { offeredAccountFlows } from './flows/flows.ts'
import { credentialFlows, setMfaSigningOut, storeFactor } from './flows/users/credentials.ts'
import { userFlows } from './flows/users/users.ts'

const { setPassword, unsetMfa } = credentialFlows
const flows = {
  signIn,
  storeFactor,
  endSession: sessionFlows.endSession,
  setPassword,
  setMfa: setMfaSigningOut,
  unsetMfa,
  acceptInvitation: userFlows.acceptInvitation,
}
const offered = offerFlows<AccountContext, typeof flows>(accountHost, flows, { actorNamed: offeredAccountFlows.actorNamed })

const addressKind = email().schema
/** Read in place of a text that is no address. */
const nobodys = 'nobody@example.invalid'

type UserWithSecrets = Item<typeof User> & { readonly password_hash?: string | undefined; readonly mfa_secret?: string | undefined }

function stateOf({ status, deleting, email: address, invitation_status, invitation_expires_at: end }: UserWithSecrets, now: Date) {
  if (deleting !== undefined || (end !== undefined && address === undefined)) return 'none'
  if (end !== undefined) return invitation_status === 'open' && Date.parse(end) > now.getTime() ? 'invited' : 'none'
  return status === 'active' ? 'active' : 'none'
}

function personOf(user: UserWithSecrets | undefined, now: Date): Person | undefined {
  if (user === undefined) return undefined
  const { id, version, email: address = '', first_name, last_name, password_hash, mfa_enabled, mfa_secret, invitation_expires_at } = user
  const marked = [password_hash, mfa_secret, address, invitation_expires_at].map((each) => each ?? null)
  return {
    ...{ id, version, address, words: [first_name, last_name], tenant: user.client_id },
    passwordHash: password_hash,
    // One that is turned on without a secret is asked for, and never right: a lost secret lets nobody in.
    factor: mfa_enabled ? (mfa_secret ?? '') : undefined,
    state: stateOf(user, now),
    mark: createHash('sha256').update(JSON.stringify(marked)).digest('base64url'),
  }
}

/** What another writer, or another state of the user, has made impossible. */
const lost = ['VersionConflict', 'CheckFailed', 'NotFound', 'BeingDeleted', 'Denied'] as const
const isLost = (error: unknown) => lost.some((code) => isFreeholdError(error, code))

async function unlessLost<R>(work: Promise<R>): Promise<R | undefined> {
  try {
    return await work
  } catch (error) {
    if (isLost(error)) return undefined
    throw error
  }
}

/** The users of account-management, for sign-in. Each change is one of its flows, and recorded as theirs. */
export function accountCredentials(connected: ConnectedTable): CredentialStore {
  // The module's design is that of its table.
  const table = connected as unknown as AccountTable
  const now = () => table.runtime.now()
  const consistent = { consistent: true } as const
  const read = (id: string) => table.User.get({ id }, { ...consistent, secrets: ['password_hash', 'mfa_secret'] })
  const person = async (id: string) => personOf(await read(id), now())
  const as = (actor: Caller['actor'], from: SignInOrigin = {}): FlowFunctions<typeof flows> => offered.of(connected, { actor, ...from })
  const pages = { kind: 'operator', name: 'sign-in' } as const
  /** What a user does for itself. */
  const own = ({ id: user_id }: Person, from: SignInOrigin) => as({ kind: 'user', user_id }, from)
  const named = ({ id, version }: Person) => ({ id, version })
  const isDone = async (work: Promise<unknown>) => (await unlessLost(work)) !== undefined
  const sessionId = ({ user: user_id, id, start: session_start }: { readonly user: string; readonly id: string; readonly start: string }) =>
    ({ user_id, id, session_start }) satisfies Id<typeof LoginSession>

  const begin: CredentialStore['begin'] = async (of, session, change) => {
    const { ip_address, user_agent, expiresAt: expires_at, hasFactor: mfa_verified, provider: sso_provider } = session
    const told = {
      expires_at,
      mfa_verified,
      sso_provider,
      ip_address,
      user_agent,
      password_hash: change.passwordHash,
      mfa_secret: change.factor,
    }
    const begun = await unlessLost(
      as(pages, { ip_address, user_agent }).signIn({ user_id: of.id, client_id: of.tenant, version: of.version, ...told }),
    )
    if (begun !== undefined) return { user: of.id, tenant: of.tenant, id: begun.id, start: begun.session_start }
    // Another sign-in, say, has changed the user meanwhile, and nothing that this one rests on.
    const now = await person(of.id)
    return now?.mark === of.mark && now.version !== of.version ? begin(now, session, change) : undefined
  }

  async function* users(): AsyncGenerator<string> {
    for await (const { id } of table.internalUsers.all({}, consistent)) yield id
    for await (const { id: client_id } of table.clients.all({}, consistent))
      for await (const { id } of table.clientUsers.all({ client_id }, consistent)) yield id
  }

  return Object.freeze({
    keepsSessions: Object.hasOwn(connected.design.features, 'sessions'),
    find: async (address: string) => {
      const { data = nobodys } = addressKind.safeParse(address)
      const guard = await table.UserEmail.get({ email: data }, consistent)
      // Where there is no guard, the runtime has looked into GSI3, too: in any case it is two reads, one after the other.
      const user = guard === undefined ? undefined : await read(guard.id)
      return user?.email === data ? personOf(user, now()) : undefined
    },
    person,
    begin,
    inSession: async (name) => {
      const { user, tenant } = name
      const [session, found, client] = await parallel(
        () => table.LoginSession.get(sessionId(name), consistent),
        () => person(user),
        async () => (tenant === undefined ? undefined : table.Client.get({ id: tenant }, consistent)),
      )
      const isThere = session?.status === 'active' && found?.state === 'active' && found.tenant === tenant
      return isThere && (tenant === undefined || (client?.status === 'active' && client.deleting === undefined)) ? found : undefined
    },
    sessions: async ({ id: user_id, tenant }) => {
      const goOn: ShownSession[] = []
      // Any number that have ended may lie before one that goes on.
      for await (const each of table.sessionsOfUser.all({ user_id }, consistent)) {
        const { id, status, deleting, expires_at: end, session_start: start, ip_address, user_agent } = each
        if (status !== 'active' || deleting !== undefined || (end !== undefined && Date.parse(end) <= now().getTime())) continue
        goOn.push({ user: user_id, tenant, id, start, ip_address, user_agent })
      }
      return goOn
    },
    end: async ({ id, user: user_id }, from) => {
      await unlessLost(as(pages, from).endSession({ id, user_id }))
    },
    setPassword: (of, password_hash, from) => isDone(own(of, from).setPassword({ ...named(of), password_hash })),
    accept: (of, password_hash, from) => isDone(as(pages, from).acceptInvitation({ ...named(of), password_hash })),
    setFactor: (of, factor, from) =>
      isDone(
        factor === undefined
          ? own(of, from).unsetMfa(named(of))
          : own(of, from).setMfa({ ...named(of), mfa_type: 'totp', mfa_secret: factor }),
      ),
    withFactor: async function* () {
      for await (const id of users()) {
        const found = await person(id)
        if (found !== undefined && found.factor !== undefined) yield found
      }
    },
    reseal: async (of, mfa_secret) => ((await isDone(as(pages).storeFactor({ ...named(of), mfa_secret }))) ? person(of.id) : undefined),
  } satisfies CredentialStore)
}
