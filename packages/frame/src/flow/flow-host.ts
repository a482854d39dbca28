import { type AnyDesign, type ConnectedTable, type Entity, FreeholdError, type Json, type Runtime, type Steps } from '@freehold/table'
import { callReads, type TableKey, tableOn } from '@freehold/table/runtime'
import type { Decider, Evidence } from '../decision/decision.ts'
import type { Mailing } from '../mail/mailer.ts'
import { type Actor, type Caller, checkActor } from './actor.ts'
import type { Foreseen, NeededPermission } from './flow.ts'
import type { BasisItem, PermissionBasis } from './permission/permission-basis.ts'
import type { RecordedChanges, View } from './records/recorded-changes.ts'

/** The part of a connected table that the engine works on. */
export type FlowTable = Omit<ConnectedTable, 'forTenant'> & { forTenant(tenant: string): FlowTable }

/** A calling user, as the engine knows it. */
export interface ActingUser {
  readonly id: string
}

/** A flow is at work at a scope of its design; at `system`, which is of no tenant and for operators; or at `own`, which is the calling user's own. */
export type Within<S> = S | 'system' | 'own'

/** Every record has these. */
export interface RecordEntry {
  /** Undefined for a record of no tenant. */
  readonly tenant: string | undefined
  /** `warning` for a dangerous change. */
  readonly severity?: 'info' | 'warning' | 'critical'
  readonly status?: 'success' | 'failure' | 'error'
  /** The id of the user that the caller has shown to be: it is no user who may act yet. */
  readonly user?: string
  /** Ids of other items that this is about, by their role in it. */
  readonly related?: Readonly<Record<string, Json | undefined>>
  readonly more?: Readonly<Record<string, Json>>
}

/** A change, as a flow tells it to its design's record. */
export interface ChangeEntry extends RecordEntry {
  readonly entity: Entity
  /** The item's id; undefined for an item that its key alone names. */
  readonly id: string | undefined
  /** The item as it was; undefined for a new one. */
  readonly before?: View | undefined
  /** The item as it is; undefined for one that goes. */
  readonly after?: View | undefined
}

/** A change, or a denied call, as a structured log line: who, what, where, before and after, without secrets (spec rule 24). */
export interface ChangeLine {
  /** When the line was made: an ISO instant. */
  readonly time: string
  readonly design: string
  readonly flow: string
  readonly actor: Actor
  /** What else is known of the caller: `via`, `ip_address`, `user_agent`, `session_id`. */
  readonly from?: Readonly<Record<string, string>>
  /** The scope at which the flow was at work; absent for the whole table's. */
  readonly scope?: Json
  readonly entity?: string
  readonly id?: string
  readonly changes?: RecordedChanges
  /** Ids of other items that the change is about. */
  readonly related?: Readonly<Record<string, Json>>
  readonly more?: Readonly<Record<string, Json>>
  readonly severity: 'info' | 'warning' | 'critical'
  /** `error`: the answer of the table was lost, so that nobody knows whether the change was made. */
  readonly status: 'success' | 'failure' | 'error'
}

/** Takes each line once the change is written. It must not throw. */
export type ChangeLog = (line: ChangeLine) => void

/** A call of a flow of one design: the flow runs in it. */
export interface FlowContext<T extends FlowTable = FlowTable, U extends ActingUser = ActingUser, S = unknown> {
  readonly host: FlowHost<T, U, S>
  /** The table that the flow reads and writes: within the tenant that it is for, where the caller is a user. */
  readonly table: T
  /** The table as it was handed in, for decisions and durable jobs. */
  readonly unscoped: T
  readonly caller: Caller
  /** The caller, where it is a user. */
  readonly user?: U | undefined
  /** The basis of the caller's permission, as far as the flow has decided: checked with each write. */
  readonly basis?: PermissionBasis | undefined
  /** Where the work is, once that is known. */
  readonly within?: Within<S> | undefined
  /** The flow's name, for its record and its errors. */
  readonly flow: string
  /** The key under which the caller made the call. */
  readonly idempotencyKey?: string | undefined
  /** Told with each record of this work. */
  readonly told?: Readonly<Record<string, Json>> | undefined
  decider(): Decider
}

/** The tenants of a design, as its flows know them. */
export interface HostTenants<T extends FlowTable, U extends ActingUser, S> {
  /** The tenant that a user belongs to; undefined for one of none, who works at the tenant of each flow's scope. */
  ofUser(user: U): string | undefined
  of(scope: S): string
  /** A whole tenant, as a scope. */
  scope(tenant: string): S
  /** Checks that the tenant is active. */
  basis(tenant: string): BasisItem
  /** Throws `Denied` unless the user's tenant is active: a user's own is its own only then. */
  check(context: FlowContext<T, U, S>, tenant: string): Promise<void>
}

/** Where the records of a design tell what: by the names of their attributes, or by paths into their maps. */
export interface RecordForm {
  readonly entity: Entity
  /** The id of the user who did it. */
  readonly actor: string
  /** The entity, and the id, of the item that it is about. */
  readonly subject: string
  readonly id: string
  readonly changes: string
  readonly related: string
  /** What is told of where the user was: address, agent, session. */
  readonly from: readonly string[]
  /** Words of the design: the name of a flow, say. */
  readonly fixed: readonly string[]
}

/** All that the engine needs to know of a design: written once for each. */
export interface FlowHost<T extends FlowTable = FlowTable, U extends ActingUser = ActingUser, S = unknown> {
  readonly design: AnyDesign
  /** The design's own decisions. */
  decide(runtime: Runtime): Decider
  /** Items that each flow of a user reads which is given such an input, its decision among it: by the names of what it names. */
  reads?(input: Readonly<Record<string, unknown>>): Foreseen
  /** The calling user as it is now, read consistently. Throws `Denied` unless it is there and active. */
  actingUser(table: T, id: string): Promise<U>
  /** The question, in the design's terms, whether a user has a permission at a scope; and the level of that scope, in a word. */
  questionOf(user: U, needs: NeededPermission, scope: S): { readonly question: unknown; readonly level: string }
  /** Checks that the user is active and belongs to the tenant that it belonged to. */
  basisOfUser(user: U): BasisItem
  /** Left out by a design without tenants. */
  readonly tenants?: HostTenants<T, U, S>
  /** A check of one item of the chain that allows; undefined for evidence that needs none. */
  basisOf(evidence: Evidence, chain: readonly Evidence[]): BasisItem | undefined
  /** The steps that record a change, in the change's own transaction; none where a deployer left the record out. */
  record?(context: FlowContext<T, U, S>, entry: ChangeEntry, step: string): Steps
  /** The steps that record something else than a change of one item: a denied call, an import. */
  recordEvent?(context: FlowContext<T, U, S>, entry: RecordEntry, step: string): Steps
  /** What the items are that `record` writes: left out by a design that records nothing in its table. */
  readonly records?: RecordForm
  /** True of an audit, which tells of imports, too. A table without it is the same after an import as the table that was exported. */
  readonly recordsImports?: true
  /** Takes each change once it is written, and each denied call. Left out by a design that logs nothing; a deployer gives its own. */
  readonly log?: ChangeLog
  /** The mails of a design that sends some. Left out by a deployer who sends none. */
  readonly mailing?: Mailing
  /** Permissions that a deployer names in place of those of the flows, by flow. */
  readonly needs?: Readonly<Record<string, NeededPermission>> | undefined
  /** The attributes of its scopes by which changes are listed. */
  readonly scopes?: readonly string[]
}

export interface FlowOptions {
  /**
   * Decides instead of the design's own decisions, for the caller's calls. A durable job asks the design's own as it goes on, since another process
   * may do it: so this decider decides whether a job starts, and no more. A decider that tells by what it allows, as `why` and `access` with
   * evidence do, has that checked with each write; otherwise only user and tenant are checked.
   */
  readonly decider?: Decider | undefined
}

/** Options of one call of a flow. */
export interface CallOptions extends FlowOptions {
  /**
   * A key of the caller's own for one request: 1 to 255 visible ASCII characters. A flow that writes has one effect, however often it is called with
   * it within a day, and the answer to a repeat is `replayed`. A flow that reads, or returns a page, takes no notice of it.
   */
  readonly idempotencyKey?: string | undefined
  /** The tenant whose users alone may act in this call. To it, a user of another one does not exist. */
  readonly tenant?: string | undefined
}

/** A call of a flow that writes keeps what it reads until its first write. */
export interface KeptReads {
  /** Items that it reads in any case, by what is known apart from its input. */
  foreseen(known?: Readonly<Record<string, unknown>>): readonly TableKey[]
}

/**
 * The error of a call that its caller may not make.
 * @param tenant of an actor who is known and may not act, for the record of this
 */
export function denied(flow: string | undefined, reason: string, message: string, tenant?: string): FreeholdError {
  return new FreeholdError('Denied', message, {
    ...(flow === undefined ? {} : { flow }),
    reason,
    ...(tenant === undefined ? {} : { tenant }),
  })
}

const decidersBy = new WeakMap<FlowHost['decide'], WeakMap<Runtime, Decider>>()

/** The design's own decisions over a table: one decider for each connection to it. A program may give several modules of a design a decider each. */
export function deciderFor({ decide }: Pick<FlowHost, 'decide'>, runtime: Runtime): Decider {
  const deciders = decidersBy.get(decide) ?? new WeakMap<Runtime, Decider>()
  decidersBy.set(decide, deciders)
  const decider = deciders.get(runtime) ?? decide(runtime)
  deciders.set(runtime, decider)
  return decider
}

/** The same within a tenant, if the caller is a user. `tenant`: undefined in a design without tenants. */
export function withinTenant<C extends FlowContext>(context: C, tenant: string | undefined): C {
  return context.user === undefined || tenant === undefined ? context : { ...context, table: context.table.forTenant(tenant) }
}

/** The tenant of a scope; undefined for the system, and in a design without tenants. */
export const tenantAt = ({ host }: Pick<FlowContext, 'host'>, within: unknown): string | undefined =>
  typeof within === 'object' ? host.tenants?.of(within) : undefined

function keepingReads(runtime: Runtime, { foreseen }: KeptReads): Runtime {
  const reads = callReads(runtime)
  reads.foresee(foreseen())
  const sleep = (ms: number) => {
    // Whatever the call waits for, it is different afterwards.
    reads.end()
    return runtime.sleep(ms)
  }
  return { ...runtime, reads, sleep }
}

/** A user works within its tenant from the start; one of none within that of the flow's scope, once it is known. Throws `Denied`, `UnknownName`. */
export async function beginFlow<T extends FlowTable, U extends ActingUser, S>(
  host: FlowHost<T, U, S>,
  table: ConnectedTable,
  caller: Caller,
  flow: string,
  { decider, idempotencyKey, tenant }: CallOptions = {},
  kept?: KeptReads,
): Promise<FlowContext<T, U, S>> {
  if (table.design.name !== host.design.name)
    throw new FreeholdError('UnknownName', `'${flow}' is a flow of ${host.design.name}, not of ${table.design.name}.`, { name: flow })
  // The name says so. Flows of features that were left out are not offered.
  const unscoped = (kept === undefined ? table : tableOn(keepingReads(table.runtime, kept))) as FlowTable as T
  const { actor } = caller
  checkActor(actor)
  const seen = tenant === undefined ? unscoped : (unscoped.forTenant(tenant) as T)
  const user = actor.kind === 'user' ? await host.actingUser(seen, actor.user_id) : undefined
  const isShown = actor.kind === 'identity-provider' && caller.person !== undefined
  // An operator, and a user of no tenant, are of none either. A person whose token is shown is looked for within the tenant.
  if (tenant !== undefined && !isShown && (user === undefined || host.tenants?.ofUser(user) !== tenant))
    throw denied(flow, 'UnknownUser', 'There is no such user here.')
  const context = {
    host,
    table: isShown ? seen : unscoped,
    unscoped,
    caller,
    user,
    decider: () => decider ?? deciderFor(host, unscoped.runtime),
    flow,
    idempotencyKey,
    // There from the beginning, as in the runtime: contexts are copied as the call goes on.
    within: undefined,
    basis: undefined,
    told: undefined,
  }
  const own = user && host.tenants?.ofUser(user)
  const { by } = host.design.tenants ?? {}
  // A user who names no tenant means its own.
  if (own !== undefined && by !== undefined) unscoped.runtime.reads?.foresee(kept?.foreseen({ [by]: own }) ?? [])
  return withinTenant(context, own)
}

/** The scopes of a context's design. */
export type ScopeOf<C> = C extends FlowContext<infer _T, infer _U, infer S> ? S : never
/** The host of a context's design. */
export type HostOf<C> = C extends FlowContext<infer T, infer U, infer S> ? FlowHost<T, U, S> : never
