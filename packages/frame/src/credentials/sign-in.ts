import { randomUUID } from 'node:crypto'
import { email } from '@freehold/table'
import { parallel } from '@freehold/table/runtime'
import type { CredentialStore, Person, SessionName, SignInChange, SignInOrigin } from './credential-store.ts'
import type { DataKeys } from './data-keys.ts'
import { type Factor, factorAddress, newFactor, newFactorSecret, usedFactor } from './factor.ts'
import { digestOf, guessedOf, mailsOf } from './guessed-of.ts'
import { type PasswordHashing, passwordHashing } from './password-hash.ts'
import { passwordLength, refusedPassword } from './password-rules.ts'
import type { Asking, CurrentSession, LinkKind, NotSignedIn, SignedIn } from './sign-in-answers.ts'
import { minute_ms, signInBounds } from './sign-in-bounds.ts'
import type { Guessed, Throttle } from './throttle.ts'

export interface SignInOptions {
  readonly store: CredentialStore
  readonly keys: DataKeys
  readonly throttle: Throttle
  readonly now: () => Date
  /** The product's name: of authenticators, mails and pages. A password is not made of it. */
  readonly product: string
  /** Sends a link to a person. It may take its time: nobody waits for it. */
  readonly sendLink: (kind: LinkKind, person: Person, link: string) => void
  /** By default argon2id. Tests count. */
  readonly hashing?: PasswordHashing
}

const addressKind = email().schema

interface Signed {
  readonly until: number
  readonly user?: string
  readonly mark?: string
  readonly account?: string
  readonly device?: string
  readonly password?: string
  readonly session?: SessionName
  readonly ends?: number
}

/** People of a design sign in with a password and perhaps a second factor. Routes and pages stand around it; no text of it is for a program to read. */
export function signInOf({ store, keys, throttle, now, product, sendLink, hashing = passwordHashing }: SignInOptions) {
  const after = (ms: number) => now().getTime() + ms
  const sign = (purpose: string, ms: number, content: Omit<Signed, 'until'>) => keys.sign(purpose, { ...content, until: after(ms) })
  /** The content of a text that was signed for this purpose, and is still good. */
  const signed = (purpose: string, text: string | undefined): Signed | undefined => {
    // Only `sign` writes what has our signature.
    const content = text === undefined ? undefined : (keys.signed(purpose, text) as Signed | undefined)
    return content !== undefined && content.until > now().getTime() ? content : undefined
  }
  const sealing = ({ id }: Pick<Person, 'id'>) => ({ user: id, kind: 'totp' })
  const seal = (person: Person, factor: Factor) => keys.seal(JSON.stringify(factor), sealing(person))
  const factorOf = (person: Person): Factor | undefined => {
    const text = person.factor === undefined ? undefined : keys.open(person.factor, sealing(person))
    // Only `seal` encrypts for this kind.
    return text === undefined ? undefined : (JSON.parse(text) as Factor)
  }
  const rules = (person: Person) => ({ words: [...person.words, person.address, product], hasFactor: person.factor !== undefined })

  /** All spellings of an address are one account: otherwise each would have its own count. */
  const accountOf = (address: string) => digestOf(addressKind.safeParse(address).data ?? address)
  /** The device that has signed in to this account before. */
  const deviceOf = (account: string, { device: text }: Asking) => {
    const device = signed('device', text)
    return device?.account === account ? device : undefined
  }
  const passwordMark = (hash = '') => digestOf(hash)
  /** Only the present password makes a device known: the knower of a former one has no free guesses of the next. */
  const isKnown = (device: Signed | undefined, person: Person | undefined) => device?.password === passwordMark(person?.passwordHash)
  /** The account of a person who was read, and the device if it is known. */
  const knownTo = (person: Person, asking: Asking) => {
    const account = accountOf(person.address)
    const device = deviceOf(account, asking)
    return [account, asking, isKnown(device, person) ? device?.device : undefined] as const
  }

  const sessionText = (session: SessionName, ends: number) =>
    keys.sign('session', { session, ends, until: Math.min(ends, after(signInBounds.idle_ms)) })

  const begin = async (
    person: Person,
    asking: Asking,
    guessed: readonly Guessed[],
    change: SignInChange,
  ): Promise<SignedIn | NotSignedIn> => {
    const ends = after(signInBounds.session_ms)
    const { ip_address, user_agent } = asking
    const expiresAt = new Date(ends).toISOString()
    const [session] = await parallel(
      () => store.begin(person, { ip_address, user_agent, expiresAt, hasFactor: change.factor !== undefined }, change),
      () => throttle.right(guessed),
    )
    if (session === undefined) return { no: 'wrong' }
    const account = accountOf(person.address)
    const { device = randomUUID() } = deviceOf(account, asking) ?? {}
    const password = passwordMark(change.passwordHash ?? person.passwordHash)
    return { session: sessionText(session, ends), device: sign('device', signInBounds.device_ms, { account, device, password }) }
  }

  /** Judges a password once it is counted: always one hash. */
  const judged = async (person: Person | undefined, password: string): Promise<Person | undefined> => {
    const isRight = await hashing.verify(password, person?.passwordHash)
    return isRight && person?.state === 'active' ? person : undefined
  }

  const madeAnew = async ({ passwordHash }: Person, password: string): Promise<SignInChange> =>
    passwordHash !== undefined && hashing.isOutdated(passwordHash) ? { passwordHash: await hashing.hash(password) } : {}

  const linked = async (kind: LinkKind, link: string | undefined): Promise<Person | undefined> => {
    const { user, mark } = signed(kind, link) ?? {}
    const person = user === undefined ? undefined : await store.person(user)
    return person !== undefined && person.mark === mark && person.state === (kind === 'reset' ? 'active' : 'invited') ? person : undefined
  }
  const linkFor = (kind: LinkKind, { id: user, mark }: Person) =>
    sign(kind, kind === 'reset' ? signInBounds.reset_ms : signInBounds.invitation_ms, { user, mark })

  /** Signs in again, within a session: password, and a code where there is a factor, which is used up. The person afterwards, or why not. */
  const again = async (
    of: Person,
    given: { readonly password: string; readonly code: string },
    asking: Asking,
  ): Promise<{ readonly person: Person } | NotSignedIn> => {
    const known = knownTo(of, asking)
    const guessed = [...guessedOf('account', ...known), ...(of.factor === undefined ? [] : guessedOf('factor', ...known).slice(0, 1))]
    const wait_ms = await throttle.take(guessed)
    if (wait_ms > 0) return { no: 'wait', wait_ms }
    const factor = factorOf(of)
    const used = factor && usedFactor(factor, given.code, now())
    const isRight = await hashing.verify(given.password, of.passwordHash)
    // It does not tell which of the two was wrong.
    if (!isRight || (of.factor !== undefined && used === undefined)) return { no: 'wrong' }
    const person = used === undefined ? of : await store.reseal(of, seal(of, used))
    if (person === undefined) return { no: 'changed' }
    await throttle.right(guessed)
    return { person }
  }

  return Object.freeze({
    /** Part of what is opened, so that pages tell it without importing the hash functions, which are native. */
    passwordLength,
    /** A password, and for a person with a second factor `half`: a text that a code completes. */
    password: async (
      { address, password }: { readonly address: string; readonly password: string },
      asking: Asking,
    ): Promise<SignedIn | { readonly half: string } | NotSignedIn> => {
      const account = accountOf(address)
      const device = deviceOf(account, asking)
      const first = guessedOf('account', account, asking, device?.device)
      const [first_ms, found] = await parallel(
        () => throttle.take(first),
        () => store.find(address),
      )
      const more = device === undefined || isKnown(device, found) ? [] : guessedOf('account', account, asking)
      const guessed = [...first, ...more]
      const wait_ms = first_ms > 0 ? first_ms : await throttle.take(more)
      if (wait_ms > 0) return { no: 'wait', wait_ms }
      const person = await judged(found, password)
      if (person === undefined) return { no: 'wrong' }
      if (person.factor !== undefined) {
        await throttle.right(guessed)
        return { half: sign('half', signInBounds.code_ms, { user: person.id, mark: person.mark }) }
      }
      return begin(person, asking, guessed, await madeAnew(person, password))
    },

    /** A code of the second factor, or a recovery code, completes a sign-in. `changed`: it began too long ago, or the person has changed since. */
    code: async (half: string | undefined, code: string, asking: Asking): Promise<SignedIn | NotSignedIn> => {
      const { user = '', mark } = signed('half', half) ?? {}
      const person = user === '' ? undefined : await store.person(user)
      if (person === undefined || person.mark !== mark) return { no: 'changed' }
      const guessed = guessedOf('factor', ...knownTo(person, asking))
      const wait_ms = await throttle.take(guessed)
      if (wait_ms > 0) return { no: 'wait', wait_ms }
      const factor = factorOf(person)
      const used = factor && usedFactor(factor, code, now())
      if (used === undefined) return { no: 'wrong' }
      return begin(person, asking, guessed, { factor: seal(person, used) })
    },

    /** Sends a link to the person with this address, if it may have one. The answer is the same in any case. */
    forgotten: async (address: string, asking: Asking): Promise<NotSignedIn | undefined> => {
      const account = accountOf(address)
      // Who floods an address leaves a device of its person its own mails.
      const [wait_ms, person] = await parallel(
        () => throttle.take(mailsOf(account, asking, deviceOf(account, asking)?.device)),
        () => store.find(address),
      )
      if (wait_ms > 0) return { no: 'wait', wait_ms }
      if (person !== undefined && person.state !== 'none') {
        const kind = person.state === 'active' ? 'reset' : 'invitation'
        sendLink(kind, person, linkFor(kind, person))
      }
      return undefined
    },

    /** Sends an invited person its link. */
    invite: async (user: string): Promise<void> => {
      const person = await store.person(user)
      if (person?.state === 'invited') sendLink('invitation', person, linkFor('invitation', person))
    },

    /** True while the link would be taken. */
    isLink: async (kind: LinkKind, link: string | undefined): Promise<boolean> => (await linked(kind, link)) !== undefined,

    /** Chooses a password by a link, which is used up. It signs nobody in: a second factor is still needed. */
    choose: async (kind: LinkKind, link: string | undefined, password: string, from: SignInOrigin): Promise<NotSignedIn | undefined> => {
      const person = await linked(kind, link)
      if (person === undefined) return { no: 'link' }
      const words = refusedPassword(password, rules(person))
      if (words !== undefined) return { no: 'rule', words }
      const hash = await hashing.hash(password)
      const isSet = kind === 'reset' ? await store.setPassword(person, hash, from) : await store.accept(person, hash, from)
      return isSet ? undefined : { no: 'link' }
    },

    /** The session of a browser's text, at each request: undefined once it is idle, over, ended or revoked. */
    session: async (text: string | undefined): Promise<CurrentSession | undefined> => {
      const { session: name, ends = 0, until = 0 } = signed('session', text) ?? {}
      const person = name === undefined ? undefined : await store.inSession(name)
      if (name === undefined || person === undefined) return undefined
      const isUsed = until - now().getTime() < signInBounds.idle_ms - minute_ms
      return { name, person, endsAt: new Date(ends).toISOString(), renewed: isUsed && until < ends ? sessionText(name, ends) : undefined }
    },

    end: (name: SessionName, from: SignInOrigin): Promise<void> => store.end(name, from),

    sessions: (of: Person) => store.sessions(of),

    /** Ends a session of a person who signs in again, or all but the current one. */
    endSessions: async (
      { name, person: of }: CurrentSession,
      { session, ...given }: { readonly password: string; readonly code: string; readonly session: string },
      asking: Asking,
    ): Promise<NotSignedIn | undefined> => {
      const signedIn = await again(of, given, asking)
      if ('no' in signedIn) return signedIn
      const others = (await store.sessions(of)).filter(({ id }) => id !== name.id && (session === 'others' || session === id))
      for (const each of others) await store.end(each, asking)
      return undefined
    },

    /** Changes the password of a person who signs in again with it. Every session ends. */
    changePassword: async (
      of: Person,
      { next, ...given }: { readonly password: string; readonly code: string; readonly next: string },
      asking: Asking,
    ): Promise<NotSignedIn | undefined> => {
      const words = refusedPassword(next, rules(of))
      if (words !== undefined) return { no: 'rule', words }
      const signedIn = await again(of, given, asking)
      if ('no' in signedIn) return signedIn
      return (await store.setPassword(signedIn.person, await hashing.hash(next), asking)) ? undefined : { no: 'changed' }
    },

    /** A secret for an authenticator. It is nobody's factor until a code of it comes back with `proposal`. */
    proposeFactor: (of: Person) => {
      const secret = newFactorSecret()
      const proposal = keys.seal(JSON.stringify({ secret, until: after(signInBounds.code_ms) }), { user: of.id, kind: 'totp-proposal' })
      return { secret, address: factorAddress(secret, product, of.address), proposal }
    },

    /** Sets the second factor of a person who signs in again, and shows a code of it. Every session ends. */
    setFactor: async (
      of: Person,
      given: { readonly password: string; readonly code: string; readonly proposal: string; readonly first: string },
      asking: Asking,
    ): Promise<{ readonly recoveryCodes: readonly string[] } | NotSignedIn> => {
      const text = keys.open(given.proposal, { user: of.id, kind: 'totp-proposal' })
      // Only `proposeFactor` encrypts for this kind.
      const { secret, until } = text === undefined ? { secret: '', until: 0 } : (JSON.parse(text) as { secret: string; until: number })
      if (until <= now().getTime()) return { no: 'changed' }
      const signedIn = await again(of, given, asking)
      if ('no' in signedIn) return signedIn
      const made = newFactor(secret, given.first, now())
      if (made === undefined) return { no: 'wrong' }
      const isSet = await store.setFactor(signedIn.person, seal(of, made.factor), asking)
      return isSet ? { recoveryCodes: made.recoveryCodes } : { no: 'changed' }
    },

    /** Takes the second factor away from a person who signs in again with it. Its password must then be long enough alone. */
    unsetFactor: async (
      of: Person,
      given: { readonly password: string; readonly code: string },
      asking: Asking,
    ): Promise<NotSignedIn | undefined> => {
      const words = refusedPassword(given.password, { ...rules(of), hasFactor: false })
      const signedIn = await again(of, given, asking)
      if ('no' in signedIn) return signedIn
      if (words !== undefined) return { no: 'rule', words: `${words} Change it before you take the second factor away.` }
      return (await store.setFactor(signedIn.person, undefined, asking)) ? undefined : { no: 'changed' }
    },
  })
}

export type SignIn = ReturnType<typeof signInOf>
