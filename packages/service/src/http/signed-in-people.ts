import { administrationOf, credentialsOf } from '@freehold/frame'
import type { CurrentSession, Person, SignInOrigin } from '@freehold/frame/credentials'
import { cleanText } from '@freehold/frame/flow'
import type { Issuer, VerifiedPerson, VerifiedToken } from '@freehold/frame/issuers'
import { FreeholdError, isFreeholdError } from '@freehold/table'
import { type Awaitable, parallel } from '@freehold/table/runtime'
import type { ApiKeys } from '../keys/api-keys.ts'
import { type StoredSession, sessionBounds, unlessGone } from '../keys/browser-sessions.ts'
import { formatBoundText, parseBoundText } from '../keys/key-text.ts'
import { heldBy, holderOf, type PersonSessionItem, type SignedInBy } from '../keys/person-items.ts'
import type { Served } from '../served.ts'
import type { RequestCaller, SignedInPerson } from './caller.ts'
import { sessionCookie, sessionText } from './console-cookie.ts'
import type { Asked } from './route.ts'

/** By what a person signs in: a token of an issuer that was verified, or a session of this product's own pages. */
export type SigningIn = VerifiedToken | CurrentSession

type FromBrowser = Pick<Asked, 'headers' | 'origin'>

/** The sessions of people who signed in to the console. */
export interface SignedInPeople {
  /**
   * Begins a session of a person of a served design: the headers that give it to the browser. The session that the browser had ends, whosever it is.
   * @param former the text of another session that it had: a strict cookie stays behind where an issuer sends the browser back
   * @throws Denied for one who is no user, or may not act, or whose tenant is not active
   */
  enter(asked: FromBrowser, design: string, by: SigningIn, former?: string): Promise<Readonly<Record<string, string>>>
  /**
   * The person of a session, read at each request. Undefined if the session has ended, or if the user, its tenant, its identity or its issuer is not there
   * any more, or not active.
   */
  identify(text: string): Awaitable<RequestCaller | undefined>
  /** The live sessions of a person, the oldest first. */
  list(person: SignedInPerson): Promise<readonly StoredSession[]>
  /** The names of some of its tenant who administer it, whom a person may ask. None where nobody does, or nobody can list them. */
  administratorsOf(person: SignedInPerson): Promise<readonly string[]>
  /** Ends a session of a person: this process refuses it at once, others within `maxStalenessMs`. Throws `NotFound`. */
  end(person: Pick<SignedInPerson, 'design' | 'user'>, sessionId: string, origin: SignInOrigin): Promise<void>
  /** Ends the session that a browser has, of a key or a person, if there is one. */
  leave(asked: FromBrowser): Promise<void>
}

const nameOf = ({ words, address }: Person) => words.filter((word) => word !== undefined).join(' ') || address

const mayNot = () => new FreeholdError('Denied', 'This person may not sign in here.', { reason: 'UnknownUser' })

export function signedInPeople(
  { people: sessions, sessions: ofKeys }: Pick<ApiKeys, 'people' | 'sessions'>,
  tables: ReadonlyMap<string, Served>,
  { issuers, trustedProxies }: { readonly issuers: readonly Issuer[]; readonly trustedProxies: number },
): SignedInPeople {
  const accepted = new Map(issuers.flatMap((issuer) => [issuer.issuer].flat().map((name) => [name, issuer] as const)))
  const storeOf = ({ module, table }: Served) => {
    const store = credentialsOf(module)?.(table)
    return store?.keepsSessions === true ? store : undefined
  }
  const stores = new Map([...tables].map(([name, served]) => [name, storeOf(served)]))

  const endAt = async (holder: string, { sessionId, login }: PersonSessionItem, origin: SignInOrigin, kept?: string) => {
    const [design] = heldBy(holder)
    // It ends first: after a failure the session that names it is still there, and who signs out again ends both.
    if (login !== undefined && login.id !== kept) await stores.get(design)?.end(login, origin)
    await sessions.end(holder, sessionId)
  }
  const leave = async ({ headers, origin }: FromBrowser, kept?: string, text = sessionText(headers, trustedProxies)) => {
    if (text === undefined) return
    const key = await ofKeys.identify(text)
    if (key !== undefined) await ofKeys.end(key.keyId, key.session.sessionId).catch(unlessGone)
    const named = parseBoundText('fhp', text)
    const session = named && (await sessions.find(named.keyId, named.id, named.secret, (found) => found))
    if (named !== undefined && session !== undefined) await endAt(named.keyId, session, origin, kept).catch(unlessGone)
  }

  /** Whether the issuer of a session still counts for a design, under the name by which the design knows its people. */
  const isAccepted = ({ issuer, identity }: SignedInBy, design: string) => {
    if (issuer === undefined) return true
    const { designs, user } = accepted.get(issuer) ?? {}
    const provider = user !== undefined && 'provider' in user ? user.provider : undefined
    return user !== undefined && provider === identity?.provider && designs?.includes(design) !== false
  }
  const asNow = async (holder: string, session: PersonSessionItem): Promise<RequestCaller | undefined> => {
    const [design, user] = heldBy(holder)
    const { issuer, identity, login, sessionId, expiresAt: endsAt } = session
    const served = tables.get(design)
    const { module, table } = served ?? {}
    const flows = module?.flows
    if (module === undefined || table === undefined || flows === undefined || !isAccepted(session, design)) return undefined
    const [found, identified] = await parallel(
      () => (login === undefined ? flows.signedInAt(table, user) : stores.get(design)?.inSession(login)),
      () => (identity === undefined ? user : flows.userIdentified(table, identity.provider, identity.subject)),
    )
    if (found === undefined || identified !== user) return undefined
    const { tenant } = found
    const name = cleanText('words' in found ? nameOf(found) : found.name, 200)
    const call = tenant === undefined ? undefined : administrationOf(module)?.call(tenant)
    const actor = { kind: 'user', user_id: user } as const
    const [answer] = call === undefined ? [] : await flows.permitted(table, [call], { actor }, { tenant })
    const isAdministrator = answer?.allowed === true
    const person = { design, user, tenant, name, issuer, administers: isAdministrator, sessionId, loginId: login?.id, endsAt }
    return { purpose: isAdministrator ? 'administrator' : 'person', designs: [design], person }
  }

  const byPages = ({ person: { id }, name: login, endsAt }: CurrentSession) => ({ user: id, login, until: endsAt })
  /** The user that a token names, and a new session of its design, where that has sessions. */
  const byToken = async (design: string, { module: { flows }, table }: Served, token: VerifiedToken, origin: SignInOrigin) => {
    if (flows === undefined) throw mayNot()
    const { issuer, user: named } = token
    const { id: user } = await flows.userOf(table, token)
    await flows.signedInAt(table, user)
    const { provider, subject } = 'id' in named ? ({} as Partial<VerifiedPerson>) : named
    const identity = provider === undefined || subject === undefined ? undefined : { provider, subject }
    const store = stores.get(design)
    const person = await store?.person(user)
    const expiresAt = new Date(table.runtime.now().getTime() + sessionBounds.whole_ms).toISOString()
    const login = person && (await store?.begin(person, { ...origin, expiresAt, hasFactor: false, provider: provider ?? issuer }, {}))
    if (person !== undefined && login === undefined) throw mayNot()
    return { user, issuer, identity, login, until: undefined }
  }

  return {
    enter: async (asked, design, by, former) => {
      const served = tables.get(design)
      if (served === undefined) throw mayNot()
      const { user, until, ...session } = 'person' in by ? byPages(by) : await byToken(design, served, by, asked.origin)
      const holder = holderOf(design, user)
      const { id, secret } = await sessions.open(holder, { ...session, agent: asked.origin.user_agent }, until)
      await leave(asked, session.login?.id)
      if (former !== undefined) await leave(asked, session.login?.id, former)
      return sessionCookie(asked.headers, trustedProxies, formatBoundText('fhp', { keyId: holder, id, secret }))
    },
    identify: (text) => {
      const named = parseBoundText('fhp', text)
      if (named === undefined) return undefined
      return sessions.find(named.keyId, named.id, named.secret, (session) =>
        asNow(named.keyId, session).catch((error: unknown) => {
          if (isFreeholdError(error, 'Denied')) return undefined
          throw error
        }),
      )
    },
    administratorsOf: async ({ design, tenant }) => {
      const { module, table } = tables.get(design) ?? {}
      const administration = module && administrationOf(module)
      if (module?.flows === undefined || table === undefined || administration === undefined || tenant === undefined) return []
      const { call, names, address, isOwn = () => true } = administration
      const found = (await module.flows.holdersOf(table, call(tenant), tenant, 25)).filter(isOwn).slice(0, 5)
      const textsOf = (item: Readonly<Record<string, unknown>>, of: readonly string[]) =>
        of.flatMap((name) => (typeof item[name] === 'string' ? [item[name]] : [])).join(' ')
      return found.map((item) => textsOf(item, names) || textsOf(item, [address])).filter((name) => name !== '')
    },
    list: ({ design, user }) => sessions.list(holderOf(design, user)),
    end: async ({ design, user }, sessionId, origin) => {
      const holder = holderOf(design, user)
      const session = (await sessions.list(holder)).find((each) => each.sessionId === sessionId)
      if (session === undefined) throw new FreeholdError('NotFound', 'There is no such session.', { entity: 'PersonSession' })
      await endAt(holder, session, origin)
    },
    leave,
  }
}
