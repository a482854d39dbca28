import { type Attributes, type ConnectedTable, isFreeholdError } from '@freehold/table'
import { collectPending, type KeyedCall, type Pendable, type RecordedCall, tableOn } from '@freehold/table/runtime'
import { asJson } from './as-json.ts'
import { callOnce, checkIdempotencyKey } from './calls/call-once.ts'
import { answerAgain, madeOf, namesOf, scopeToldIn } from './calls/replay.ts'
import { type Flow, type FlowDeclaration, type Foreseen, isClosedToUsers } from './flow.ts'
import { denied, type FlowContext, type ScopeOf, tenantAt, type Within, withinTenant } from './flow-host.ts'
import { type InputOf, idsIn, readInput, textsIn } from './input/input-attributes.ts'
import { neededFor } from './permission/permission-table.ts'
import { permit, runPermitted } from './permission/permitted.ts'
import { recordDenial } from './records/denials.ts'

/** The same table, which collects. */
type CollectingTable = <T extends Pick<ConnectedTable, 'runtime'>>(table: T) => T

/**
 * Gives the result of a flow with the durable jobs that the flow left: beside the attributes of the result, or alone. A list has no place for them;
 * flows that give one only read.
 * @param run does all its work with tables that collect
 */
export async function withPending<R>(
  { runtime }: Pick<ConnectedTable, 'runtime'>,
  run: (collecting: CollectingTable) => Promise<R>,
): Promise<R> {
  // A table of the same design, over the same connection, has the type of the table that it was made of.
  const { result, pending } = await collectPending(runtime, (collecting) =>
    run((table) => tableOn(collecting(table.runtime)) as typeof table & ConnectedTable),
  )
  const hasPlace = result === undefined || (typeof result === 'object' && !Array.isArray(result))
  if (pending.length === 0 || !hasPlace) return result
  // A flow that gives nothing gives a `Pendable` instead, which its callers may leave alone.
  return { ...result, pending } satisfies Pendable as R
}

/** A flow as a design writes it. */
export interface WrittenFlow<C extends FlowContext, I extends Attributes, W extends Within<ScopeOf<C>>, R> extends FlowDeclaration<I, R> {
  /**
   * The scope at which the caller must be permitted, read consistently; `system` for what belongs to no tenant, `own` for the calling user's own.
   * Throws `NotFound` for a scope that is not there.
   */
  scope(context: C, input: InputOf<I>): Promise<W>
  /**
   * It writes several times, and run again it does what is left. So it is recorded under an idempotency key only when it is done: its repeat after a
   * crash runs it again. Any other flow is done with its first write, or with the durable job of its own that it starts.
   */
  readonly isIdempotent?: true
  /** Items that each call reads. Those that the host names for such an input are read, too. */
  reads?(input: InputOf<I>): Foreseen
  /** What a record of a denied call tells of its input, besides the ids. */
  readonly tells?: readonly (keyof I & string)[]
  /** Reads for a calling user, begun with the decision on its permission and not after it. `run` gets them by `onceFor`, and they tell nobody anything before. */
  ahead?(context: C, input: InputOf<I>, scope: W): Promise<unknown>
  /** Called once the caller is permitted; within the scope's tenant if the caller is a user. */
  run(context: C, input: InputOf<I>, scope: W): Promise<NoInfer<R>>
}

/** The same table, with the call that its first write records. */
function recording<C extends FlowContext>(context: C, call: KeyedCall | undefined): C {
  if (call === undefined) return context
  // A table of the same design, over the same connection, has the type of the table that it was made of.
  const carrying = (table: C['table']) => tableOn({ ...table.runtime, call }) as C['table']
  return { ...context, table: carrying(context.table), unscoped: carrying(context.unscoped) }
}

/** Makes a flow: its input is validated, its scope found and its caller held to its permission, before it runs. */
export function flow<C extends FlowContext, const N extends string, I extends Attributes, const W extends Within<ScopeOf<C>>, R>({
  scope: scopeOf,
  run,
  isIdempotent,
  ahead,
  tells = [],
  ...declared
}: WrittenFlow<C, I, W, R> & { readonly name: N }): Flow<C, I, R> & { readonly name: N } {
  const { name, input, effect, returns } = declared
  const needsOf = ({ host }: C) => neededFor(host, name, declared.needs)
  const changing = () => denied(name, 'BasisChanged', 'The basis of your permission for this keeps changing.')

  const runAt = async (context: C, read: InputOf<I>, within: W, call?: KeyedCall): Promise<R> =>
    withPending(context.unscoped, (collecting) => {
      const told = { ...context, within, table: collecting(context.table), unscoped: collecting(context.unscoped) }
      const scoped = withinTenant(recording(told, call), tenantAt(context, within))
      const reading = (acting: C) => ahead?.(acting, read, within)
      return runPermitted(scoped, needsOf(context), within, (acting) => run(acting, read, within), changing, reading)
    })

  /** The same call again: permitted as the first was, or within the whole tenant if its scope is gone. */
  const replay = async (context: C, recorded: RecordedCall): Promise<R> => {
    const within = scopeToldIn<C>(recorded)
    const tenant = tenantAt(context, within)
    const scoped = withinTenant(context, tenant)
    const at = (scope: Within<ScopeOf<C>>) =>
      runPermitted(scoped, needsOf(context), scope, (acting) => answerAgain(acting, declared, recorded), changing)
    const answer = await at(within).catch((error: unknown) => {
      const whole = tenant === undefined ? undefined : context.host.tenants?.scope(tenant)
      if (!isFreeholdError(error, 'Denied') || whole === undefined) throw error
      // The host's scopes are those of its contexts.
      return at(whole as ScopeOf<C>)
    })
    // The caller gave an idempotency key, and is told by `FlowFunctions` that the answer may be that of a repeat.
    return answer as R
  }

  return Object.freeze({
    ...declared,
    scope: scopeOf,
    run: async (context: C, raw: InputOf<I>) => {
      const read = readInput(name, input, raw)
      const { idempotencyKey: key, caller, unscoped } = context
      const needs = needsOf(context)
      try {
        if (key !== undefined) checkIdempotencyKey(key)
        // A caller who may not do this anywhere is not told whether a scope is there.
        if (context.user === undefined || isClosedToUsers(needs)) await permit(context, needs, 'system')
        if (key === undefined || effect === 'read' || returns.kind === 'page')
          return await runAt(context, read, await scopeOf(context, read))
        return await callOnce(
          unscoped.runtime,
          { key, caller, operation: name, input: read },
          {
            first: async (begin) => {
              const within = await scopeOf(context, read)
              const call = begin({ told: asJson(within), names: namesOf(declared) })
              return runAt(context, read, within, isIdempotent === true ? undefined : call)
            },
            again: (recorded) => replay(context, recorded),
            atEnd: isIdempotent === true ? (result) => madeOf(declared, result) : undefined,
          },
        )
      } catch (error) {
        // In the caller's own tenant: a denied call writes nothing at the scope that it asked for.
        await recordDenial(context, error, { ...idsIn(input, read), ...textsIn(tells, read) })
        throw error
      }
    },
  })
}
