import { type AnyDesign, type ConnectedTable, type ConnectOptions, connect, type Runtime, type Table } from '@freehold/table'
import type { Access } from '../access/access-of.ts'
import type { AuthzenMapping, AuthzenServed } from '../authzen/mapping.ts'
import type { PolicyEngine } from '../cedar/policy-engine.ts'
import type { CredentialStore } from '../credentials/credential-store.ts'
import type { Decider, DeciderOptions } from '../decision/decision.ts'
import type { Caller } from '../flow/actor.ts'
import type { FlowFunctions } from '../flow/flow.ts'
import type { FlowSamples } from '../flow/flow-costs.ts'
import type { ChangeLog } from '../flow/flow-host.ts'
import type { UserAt } from '../flow/identities/people-finder.ts'
import type { OfferedFlows } from '../flow/offered-flows.ts'
import type { PlannedCall } from '../flow/permission/permitted-calls.ts'
import type { VerifiedToken } from '../issuers/verified-token.ts'
import type { Mailing } from '../mail/mailer.ts'

type NoFlows = Readonly<Record<never, never>>

/** What a module has from the files of a folder. */
export interface FromFolder {
  readonly module: DesignModule
  /** Goes on with other files: a question that has begun keeps its own. Throws `InvalidInput` for files that it refuses, and keeps the former. */
  replace(files: ReadonlyMap<string, string>): Promise<void>
}

/** A folder that a deployer keeps, without which a module does not decide: its policies, say. The command reads it, and a server again when it changes. */
export interface ModuleFolder {
  /** One word of small letters: of `policies` the option is `--policies DIR`, and the variable `FREEHOLD_POLICIES`. */
  readonly name: string
  /** What it holds, in a few words: `the Cedar policies of authorization`. */
  readonly holds: string
  /** True for the names of files that the module reads. */
  takes(file: string): boolean
  /** The module that decides by these texts, by the names of their files. Throws `InvalidInput` for files that it refuses. */
  open(files: ReadonlyMap<string, string>): Promise<FromFolder>
  /** The module that decides by a policy store in place of the folder. A module without this function is given none. */
  byEngine?(policies: PolicyEngine): DesignModule
}

/** A design with its decisions and flows: what command and service serve, and a program opens. */
export interface DesignModule<D extends AnyDesign = AnyDesign, K extends Decider = Decider, F = NoFlows> {
  readonly design: D
  /** One sentence: who it is for. */
  readonly summary: string
  decider?(runtime: Runtime, options?: DeciderOptions): K
  /** Its access declaration, or what a design that decides otherwise tells of who has what. */
  readonly access?: Pick<Access, 'findings' | 'outline'>
  /** What is done with its items as a whole, by a caller who acts as someone. */
  readonly flows?: OfferedFlows<F>
  /** How AuthZEN's subjects, actions and resources are named in its questions. */
  authzen?(served: AuthzenServed): AuthzenMapping
}

/** A module that decides and has flows. */
export type DecidingModule<D extends AnyDesign, K extends Decider, F> = DesignModule<D, K, F> &
  Required<Pick<DesignModule<D, K, F>, 'decider' | 'flows'>>

/** What ids of operations and names of schemas begin with in the document of the API: `accounts` and `Account`. */
export interface ApiName {
  readonly operations: string
  readonly schemas: string
}

/** Sentences by the name of an attribute or input, or by that and what has it: `Client.status`. */
export type Words = Readonly<Record<string, string>>

/** Who administers a tenant. */
export interface Administration {
  /** The call of a flow whose permission makes a user an administrator of its tenant: one that reads all that is there. */
  call(tenant: string): PlannedCall
  /** What `who` tells of the name of a user, and in place of a name its address. */
  readonly names: readonly string[]
  readonly address: string
  /** False of one whom the tenant does not know by name, though it administers the tenant: of somebody who runs the product. */
  isOwn?(holder: Readonly<Record<string, unknown>>): boolean
}

/** A module that decides by a folder. */
export interface FolderModule extends DesignModule {
  readonly folder: ModuleFolder
}

/** Members that few modules have. Within `DesignModule` they would break the type of a list that mixes modules with a program's own. */
interface Further extends FolderModule {
  readonly apiName: ApiName
  readonly words: Words
  samples(table: ConnectedTable): Promise<FlowSamples>
  credentials(table: ConnectedTable): CredentialStore
  readonly administration: Administration
}

const further =
  <K extends keyof Further>(name: K) =>
  (module: DesignModule): Further[K] | undefined =>
    // Nothing else of a module has these names.
    (module as Partial<Further>)[name]

/** The names that a module has for the document of the API; undefined for one whose names are made of its design's. */
export const apiNameOf = further('apiName')
/** What a module's attributes and inputs are, for the document of the API: those that do not describe themselves. */
export const wordsOf = (module: DesignModule): Words => further('words')(module) ?? {}
/** Calls of a module's flows on an empty table, from which its page and `freehold flows --cost` tell what each costs; undefined for a module without. */
export const samplesOf = further('samples')
/** The people of a module with their passwords and second factors; undefined for one whose people do not sign in by these. */
export const credentialsOf = further('credentials')
/** Undefined for a module where nobody administers a tenant. */
export const administrationOf = further('administration')
/** The folder by which a module decides; undefined for one that decides without. */
export const folderOf = further('folder')

export interface OpenOptions extends Omit<ConnectOptions, 'jobHandlers'>, DeciderOptions {
  /** Takes each change that a flow or its durable job has written, and each denied call, of a design that logs them. */
  readonly log?: ChangeLog | undefined
  /** Sends the mails of a design that has some. */
  readonly mailing?: Mailing | undefined
}

/** A design at work for a program: its table, and what its module has. */
export type OpenDesign<M extends DesignModule> = {
  readonly table: Table<M['design']>
  readonly jobs: ConnectedTable['jobs']
  close(): void
} & (M extends { decider(runtime: Runtime, options?: DeciderOptions): infer K } ? { readonly decide: K } : unknown) &
  (M extends { readonly flows: OfferedFlows<infer F> }
    ? {
        flows(caller: Caller): FlowFunctions<F>
        /** The user that a verified token names, if it may act now. A person who is not known yet is signed in. Throws `Denied`. */
        userOf(token: VerifiedToken): Promise<UserAt>
      }
    : unknown)

/**
 * Opens a design: connects to its table, with its durable jobs. Nothing is sent before the first call; jobs that were left are resumed by
 * `jobs.resume()`.
 */
export function openModule<M extends DesignModule>(
  { design, decider, flows: offered }: M,
  { maxStalenessMs, definitionBytesMax, log, mailing, ...options }: OpenOptions = {},
): OpenDesign<M> {
  const logged = log === undefined ? offered : offered?.loggedBy(log)
  const flows = mailing === undefined ? logged : logged?.mailedBy(mailing)
  const table: ConnectedTable = connect(design as AnyDesign, {
    ...options,
    ...(flows === undefined ? {} : { jobHandlers: flows.jobHandlers }),
  })
  const deciding = {
    ...(maxStalenessMs === undefined ? {} : { maxStalenessMs }),
    ...(definitionBytesMax === undefined ? {} : { definitionBytesMax }),
  }
  const open = {
    table,
    jobs: table.jobs,
    close: () => table.close(),
    ...(decider === undefined ? {} : { decide: decider(table.runtime, deciding) }),
    ...(flows === undefined
      ? {}
      : {
          flows: (caller: Caller) => flows.of(table, caller),
          userOf: async (token: VerifiedToken) => flows.userOf(table, token),
        }),
  }
  // The table is of the module's design, and the rest is there where the module has it.
  return open as unknown as OpenDesign<M>
}

/** Opens for a program a module that it may set by options of its own. `moduleWith` takes no notice of the others. */
export const openerOf =
  <O extends object, M extends DesignModule>(moduleWith: (options?: O) => M) =>
  (options?: OpenOptions & O): OpenDesign<M> =>
    openModule(moduleWith(options), options)
