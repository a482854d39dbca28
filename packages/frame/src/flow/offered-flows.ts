import {
  type AnyDesign,
  type ConnectedTable,
  type Entity,
  type ErrorCode,
  FreeholdError,
  isFreeholdError,
  type JobHandlers,
} from '@freehold/table'
import { recordRemoval } from '@freehold/table/runtime'
import type { VerifiedPerson, VerifiedToken } from '../issuers/verified-token.ts'
import type { Mailing } from '../mail/mailer.ts'
import type { Actor, Caller } from './actor.ts'
import { type ActorForm, providerNamed, providerPattern } from './actor-named.ts'
import { type ByFlows, byFlowsOf } from './by-flows.ts'
import { describeFlow, type FlowDescription } from './describe-flow.ts'
import { type DurableJob, handlersOf } from './durable-job.ts'
import type { Flow, FlowDeclaration, FlowFunctions, Flows } from './flow.ts'
import {
  beginFlow,
  type CallOptions,
  type ChangeLog,
  deciderFor,
  denied,
  type FlowContext,
  type FlowHost,
  type FlowOptions,
  type HostOf,
} from './flow-host.ts'
import { foreseenBy } from './foreseen.ts'
import { type Identities, peopleFinder, type UserAt } from './identities/people-finder.ts'
import { nameOfPerson } from './identities/person-name.ts'
import { neededFor } from './permission/permission-table.ts'
import { type Permitted, type PlannedCall, permittedCalls, readPart } from './permission/permitted-calls.ts'
import { recordCounts, recordDenial } from './records/denials.ts'
import { importRecorder } from './records/import-record.ts'
import { removalRecorder } from './records/removal-record.ts'

/** The flows of a design: typed for programs, by name for the command and for HTTP. */
export interface OfferedFlows<F = Readonly<Record<never, never>>> {
  /**
   * The flows for one caller of a table. A caller who is nobody is refused by the first call: `Denied`. A flow of a feature that the deployer left
   * out answers `UnknownName`.
   */
  of(table: ConnectedTable, caller: Caller, options?: FlowOptions): FlowFunctions<F>
  /**
   * The same for one request under an idempotency key: called again within a day, it has no second effect, and its result is `replayed`. The key is 1 to
   * 255 visible ASCII characters of the caller's own. Throws `KeyReused` for another request with it.
   */
  keyed(table: ConnectedTable, caller: Caller, idempotencyKey: string, options?: FlowOptions): FlowFunctions<F, 'keyed'>
  /** The flows that a design has, with the features that were left to it, in the order of their names: as they are declared, and in words. */
  declared(design: AnyDesign): readonly FlowDeclaration[]
  describe(design: AnyDesign): readonly FlowDescription[]
  /** Runs one. Throws `UnknownName` for a name that none has, and every error of the flow. */
  run(table: ConnectedTable, name: string, input: unknown, caller: Caller, options?: CallOptions): Promise<unknown>
  /**
   * Which of these calls the caller may make, in their order, with what is known of their inputs. Nothing is written. Throws `Denied` for a caller who may not
   * act, and `Unavailable`.
   */
  permitted(
    table: ConnectedTable,
    calls: readonly PlannedCall[],
    caller: Caller,
    options?: Omit<CallOptions, 'idempotencyKey'>,
  ): Promise<readonly Permitted[]>
  /**
   * The user that a person names, as the design finds one: by id or e-mail, say. Of a design with sign-in also an identity provider:
   * `identity-provider:google`. Throws `InvalidInput`, and `Denied` for nobody.
   */
  actorNamed(table: ConnectedTable, name: string): Promise<Actor>
  /** The texts that `actorNamed` takes. Undefined where a program's own says nothing of them. */
  readonly actorForm: ActorForm | undefined
  /** The user with this id, and its tenant, if it may act now. Throws `Denied`, also for text that is no id: nobody is found by another name here. */
  userAt(table: ConnectedTable, id: string): Promise<UserAt>
  /** The same with its name, if its tenant is active, too: for a person who signs in, and at each request after that. */
  signedInAt(table: ConnectedTable, id: string): Promise<UserAt & { readonly name: string | undefined }>
  /**
   * The id of the user whose identity this is. Undefined for nobody, and of a design without identities. Nobody is signed in: an authorizer only
   * reads.
   */
  userIdentified(table: ConnectedTable, provider: string, subject: string): Promise<string | undefined>
  /**
   * The user that a person is, if it may act now: by its identity. A person who is not known yet is signed in, as the design and the person's tenant
   * have it. Throws `Denied`; a record of the denied sign-in tells why.
   */
  personAt(table: ConnectedTable, person: VerifiedPerson): Promise<UserAt>
  /** The user that a token names, by its id or as a person. Throws `Denied`, also if the issuer's users may not use this design. */
  userOf(table: ConnectedTable, token: VerifiedToken): Promise<UserAt>
  /** The first users who hold the permission of a call at a whole tenant, as `who` lists them. */
  holdersOf(table: ConnectedTable, call: PlannedCall, tenant: string, limit: number): Promise<readonly Readonly<Record<string, unknown>>[]>
  /** The same flows, with each change and each denied call given to a log. Of a design that logs nothing: the same. */
  loggedBy(log: ChangeLog): OfferedFlows<F>
  /** The same flows, with mails that go out in this way. */
  mailedBy(mailing: Mailing): OfferedFlows<F>
  /** Records an operator's import, which writes past the flows: for `importItems`. */
  importRecorder(table: ConnectedTable, caller: Caller): ReturnType<typeof importRecorder>
  /** Records the numbers of denied calls that were counted in minutes that have ended: for a server, from time to time. */
  recordCounts(table: ConnectedTable): Promise<void>
  /** The handlers of their durable jobs, for `connect`: every program that runs flows or resumes jobs hands them in. */
  readonly jobHandlers: JobHandlers
  /** The entities that only flows write: command and HTTP refuse to write them otherwise. */
  readonly byFlows: ByFlows
}

const notUsersId: ReadonlySet<string> = new Set<ErrorCode>(['InvalidInput', 'InvalidKey'])

function hasFeature({ features }: AnyDesign, { feature }: Pick<Flow<never>, 'feature'>): boolean {
  return feature === undefined || Object.hasOwn(features, feature)
}

/** A design offers these with its flows. */
export interface Offering extends Pick<OfferedFlows, 'actorNamed'>, Partial<Pick<OfferedFlows, 'actorForm'>> {
  readonly jobs?: readonly Pick<DurableJob<never>, 'name' | 'run'>[]
  /** The entities that flows alone write. Unless given, command and HTTP write every entity directly. */
  readonly governed?: readonly Entity[]
  /** Of a design that people sign in to. */
  readonly identities?: Identities
}

/** Offers the flows of a host's design, with the durable jobs that they start. */
export function offerFlows<C extends FlowContext, F extends Flows<C>>(host: HostOf<C>, flows: F, offering: Offering): OfferedFlows<F> {
  const { jobs = [], governed = [], actorNamed: userNamed, actorForm: userForm, identities } = offering
  const signsIn = Object.values(flows).some(({ needs }) => needs === 'identity-provider')
  const actorForm =
    userForm === undefined || !signsIn
      ? userForm
      : {
          pattern: `${userForm.pattern}|${providerPattern}`,
          words: `${userForm.words}; or an identity provider, such as \`identity-provider:google\``,
        }
  const actorNamed = async (table: ConnectedTable, name: string) => (signsIn ? providerNamed(name) : undefined) ?? userNamed(table, name)
  const flowNamed = (table: ConnectedTable, name: string): Flow<C> => {
    const flow = Object.hasOwn(flows, name) ? flows[name] : undefined
    if (flow !== undefined && hasFeature(table.design, flow)) return flow
    throw new FreeholdError('UnknownName', `The design ${table.design.name} has no flow '${name}'.`, { name })
  }
  const permitted: OfferedFlows['permitted'] = async (table, calls, caller, options) => {
    const named = (name: string) => flowNamed(table, name)
    const all = calls.map(({ flow, input }) => foreseenBy(host, () => named(flow), input, readPart))
    const foreseen = (known?: Readonly<Record<string, unknown>>) => all.flatMap((each) => each(known))
    // A host's contexts are those of its flows.
    return permittedCalls((await beginFlow(host, table, caller, 'permitted', options, { foreseen })) as C, calls, named)
  }
  const run = async (table: ConnectedTable, name: string, input: unknown, caller: Caller, options?: CallOptions) => {
    const flow = flowNamed(table, name)
    // Nobody has been checked yet.
    const { kind }: Partial<Actor> = caller.actor ?? {}
    const kept = flow.effect === 'write' ? { foreseen: foreseenBy(kind === 'user' ? host : {}, () => flow, input) } : undefined
    const context = await beginFlow(host, table, caller, name, options, kept).catch(async (error: unknown) => {
      await recordDenial({ host, table, unscoped: table, caller, flow: name, decider: () => deciderFor(host, table.runtime) }, error)
      throw error
    })
    // A host's contexts are those of its flows, and each flow validates its input itself.
    return flow.run(context as C, input as never)
  }
  const actingAt = async (table: ConnectedTable, text: string) => {
    const { actingUser, tenants } = host as FlowHost
    const user = await actingUser(table, text).catch((error: unknown) => {
      throw isFreeholdError(error) && notUsersId.has(error.code) ? denied(undefined, 'UnknownUser', 'There is no such user here.') : error
    })
    return { user, at: { id: user.id, tenant: tenants?.ofUser(user) } }
  }
  const userAt = async (table: ConnectedTable, text: string): Promise<UserAt> => (await actingAt(table, text)).at
  const signedInAt: OfferedFlows['signedInAt'] = async (table, id) => {
    const { user, at } = await actingAt(table, id)
    const { tenants } = host as FlowHost
    if (at.tenant !== undefined) await tenants?.check({ host, table, unscoped: table, flow: 'signIn' } as unknown as FlowContext, at.tenant)
    return { ...at, name: nameOfPerson(table.design, { ...user }) }
  }
  const holdersOf: OfferedFlows['holdersOf'] = async (table, { flow }, tenant, limit) => {
    const { tenants, questionOf } = host as FlowHost
    const needs = neededFor(host as FlowHost, flow, flowNamed(table, flow).needs)
    if (typeof needs === 'string' || tenants === undefined) return []
    const decider = deciderFor(host, table.runtime)
    const { question } = questionOf({ id: '' }, needs, tenants.scope(tenant))
    const asked = Object.entries(Object(question)).filter(([name]) => decider.fields.who.includes(name))
    return (await decider.who(Object.fromEntries(asked), { limit })).items
  }
  const { userIdentified, personAt } = peopleFinder(identities, userAt, run)
  const userOf = async (table: ConnectedTable, { user, designs }: VerifiedToken): Promise<UserAt> => {
    if (designs?.includes(table.design.name) === false)
      throw denied(undefined, 'UnknownUser', 'The users of this issuer may not use this design.')
    return 'id' in user ? userAt(table, user.id) : personAt(table, user)
  }
  const declared = (design: AnyDesign) =>
    Object.values(flows)
      .filter((flow) => hasFeature(design, flow))
      .map((flow) => ({ ...flow, needs: neededFor(host as FlowHost, flow.name, flow.needs) }))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
  // Each function is of its flow, from which FlowFunctions takes its type; under a key its result may be that of a repeat.
  const bound = <K extends 'keyed' | 'plain'>(table: ConnectedTable, caller: Caller, options?: CallOptions) =>
    Object.freeze(
      Object.fromEntries(Object.keys(flows).map((name) => [name, (input: unknown) => run(table, name, input, caller, options)])),
    ) as FlowFunctions<F, K>
  return Object.freeze({
    of: (table: ConnectedTable, caller: Caller, options?: FlowOptions) => bound<'plain'>(table, caller, options),
    keyed: (table: ConnectedTable, caller: Caller, idempotencyKey: string, options?: FlowOptions) =>
      bound<'keyed'>(table, caller, { ...options, idempotencyKey }),
    declared,
    describe: (design: AnyDesign) => declared(design).map(describeFlow),
    run,
    permitted,
    actorNamed,
    actorForm,
    userAt,
    signedInAt,
    userIdentified,
    personAt,
    userOf,
    holdersOf,
    recordCounts,
    importRecorder: (table: ConnectedTable, caller: Caller) => importRecorder(host as FlowHost, table, caller),
    // The same host with another log, or with mails.
    loggedBy: (log: ChangeLog) => offerFlows<C, F>(host.log === undefined ? host : ({ ...host, log } as HostOf<C>), flows, offering),
    mailedBy: (mailing: Mailing) => offerFlows<C, F>({ ...host, mailing } as HostOf<C>, flows, offering),
    jobHandlers: { ...handlersOf(jobs, host), [recordRemoval]: removalRecorder(host as FlowHost) },
    byFlows: byFlowsOf(Object.values(flows), governed),
  })
}
