import type { Attributes, ConnectedTable } from '@freehold/table'
import { collectPending, type Pendable, tableOn } from '@freehold/table/runtime'
import { recordDenial } from './denials.ts'
import type { Flow, FlowDeclaration } from './flow.ts'
import { denied, type FlowContext, type ScopeOf, type Within, withinTenant } from './flow-host.ts'
import { type InputOf, idsIn, readInput } from './input-attributes.ts'
import { permit, runPermitted } from './permitted.ts'

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
  /** Called once the caller is permitted; within the scope's tenant if the caller is a user. */
  run(context: C, input: InputOf<I>, scope: W): Promise<NoInfer<R>>
}

/** Makes a flow: its input is validated, its scope found and its caller held to its permission, before it runs. */
export function flow<C extends FlowContext, const N extends string, I extends Attributes, const W extends Within<ScopeOf<C>>, R>({
  scope: scopeOf,
  run,
  ...declared
}: WrittenFlow<C, I, W, R> & { readonly name: N }): Flow<C, I, R> & { readonly name: N } {
  const { name, input, needs } = declared
  return Object.freeze({
    ...declared,
    run: async (context: C, raw: InputOf<I>) => {
      const read = readInput(name, input, raw)
      try {
        // A caller who may not do this anywhere is not told whether a scope is there.
        if (context.user === undefined || needs === 'operator' || needs === 'identity-provider') await permit(context, needs, 'system')
        const within: W = await scopeOf(context, read)
        const isInTenant = within !== 'system' && within !== 'own'
        const changing = () => denied(name, 'BasisChanged', 'The basis of your permission for this keeps changing.')
        return await withPending(context.unscoped, (collecting) => {
          const told = { ...context, within, table: collecting(context.table), unscoped: collecting(context.unscoped) }
          const scoped = isInTenant ? withinTenant(told, context.host.tenants?.of(within)) : told
          return runPermitted(scoped, needs, within, (acting) => run(acting, read, within), changing)
        })
      } catch (error) {
        // In the caller's own tenant: a denied call writes nothing at the scope that it asked for.
        await recordDenial(context, error, idsIn(input, read))
        throw error
      }
    },
  })
}
