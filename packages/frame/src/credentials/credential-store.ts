/** A person as sign-in knows it. The secrets in it leave the process for nobody. */
export interface Person {
  readonly id: string
  /** Empty for a person without one, who signs in by a provider alone. */
  readonly address: string
  /** Names that a password must not be made of. */
  readonly words: readonly (string | undefined)[]
  readonly passwordHash: string | undefined
  /** The second factor, encrypted. */
  readonly factor: string | undefined
  /** `invited`: an open invitation lets the person in, once it is accepted. `none`: nothing does. */
  readonly state: 'active' | 'invited' | 'none'
  /** Its tenant, if it has one. */
  readonly tenant: string | undefined
  /** Another text after each change of what links and half a sign-in rest on: password, factor, address, invitation. */
  readonly mark: string
  /** Counts the changes of any kind. */
  readonly version: number
}

/** The name of a session in its store. */
export interface SessionName {
  readonly user: string
  /** The person's tenant, if it has one. */
  readonly tenant?: string | undefined
  readonly id: string
  /** When it began: an ISO instant. */
  readonly start: string
}

/** The origin of a request, for records. */
export interface SignInOrigin {
  readonly ip_address?: string | undefined
  readonly user_agent?: string | undefined
}

export interface NewSession extends SignInOrigin {
  readonly expiresAt: string
  /** True if a second factor was shown. */
  readonly hasFactor: boolean
  /** The provider by which the person signed in, if it was not by a password. */
  readonly provider?: string | undefined
}

/** A session as its person is shown it. */
export interface ShownSession extends SessionName, SignInOrigin {}

/** The changes of a person that a sign-in makes: a hash that is made anew, a factor whose code was used. */
export interface SignInChange {
  readonly passwordHash?: string
  readonly factor?: string
}

/**
 * The people of a design, for sign-in. What it changes is recorded as the design records its changes. Each change names the person as it was read:
 * where it has changed since, `undefined` or false is returned, and nothing is changed.
 */
export interface CredentialStore {
  /** False where the deployer left sessions out. */
  readonly keepsSessions: boolean
  /** By its address. For an address of nobody it reads as much. */
  find(address: string): Promise<Person | undefined>
  person(id: string): Promise<Person | undefined>
  /** Begins a session together with a change. Undefined, too, for a person who, or whose tenant, is not active. */
  begin(person: Person, session: NewSession, change: SignInChange): Promise<SessionName | undefined>
  /** The person of a session that goes on: neither ended nor revoked, and both person and tenant active. */
  inSession(session: SessionName): Promise<Person | undefined>
  /** All sessions of a person that go on, the newest first. */
  sessions(person: Person): Promise<readonly ShownSession[]>
  end(session: SessionName, from: SignInOrigin): Promise<void>
  /** Sets a password, and ends every session of the person. */
  setPassword(person: Person, hash: string, from: SignInOrigin): Promise<boolean>
  /** Accepts an invitation. */
  accept(person: Person, hash: string, from: SignInOrigin): Promise<boolean>
  /** Sets a second factor, or takes it away, and ends every session of the person. */
  setFactor(person: Person, factor: string | undefined, from: SignInOrigin): Promise<boolean>
  /** Everybody with a second factor, for a new data key. */
  withFactor(): AsyncIterable<Person>
  /** Stores a factor whose code was used, or that is encrypted anew. The person afterwards. */
  reseal(person: Person, factor: string): Promise<Person | undefined>
}
