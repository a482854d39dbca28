import { type Entity, isFreeholdError, type Malformed, type Page } from '@freehold/table'
import { type CursorBinding, isExpired, openCursor, type Stored, scanPage, sealCursor } from '@freehold/table/runtime'
import { type ExportedItem, exportedAs, exportedItem } from '../exchange/export-items.ts'
import { exportInput, exporting } from '../exchange/export-tenant.ts'
import type { FlowContext, HostOf } from '../flow/flow-host.ts'
import { tenantOfItem, writeRecorded } from '../flow/records/recorded-write.ts'
import { flow } from '../flow/written-flow.ts'
import { checkScanned } from './erase-person.ts'
import { knownOf } from './known.ts'
import { personForm, personNamed } from './person-form.ts'
import { tracesOf } from './traces.ts'

/** Pages of the table that a call reads, at most, until it has found something: then it gives a cursor (spec rule 14). */
const pagesMax = 10
const limitDefault = 1000

/** The flow that gives everything about one person, a page at a time: its own items, and those that name it. */
export function exportingPerson<C extends FlowContext>(host: HostOf<C>, person: Entity) {
  const { design } = host
  const form = personForm(design, person)
  const { idName } = form
  const exportUser = flow({
    name: 'exportUser',
    summary: 'Everything about one user, a page at a time, without secrets: what is its own, and the records that tell of it.',
    input: { ...personNamed(form), ...exportInput },
    needs: 'operator',
    ...exporting,
    scope: async () => 'system' as const,
    run: async (context: C, input): Promise<Page<ExportedItem>> => {
      const { runtime } = context.unscoped
      checkScanned(runtime, 'exportUser')
      // The input has the id of a person.
      const { [idName]: named, limit, cursor } = input as unknown as Readonly<Record<string, unknown>>
      const id = String(named)
      const { item: itself, ...known } = await knownOf(runtime, form, id, 'all')
      if (typeof cursor !== 'string')
        await writeRecorded(
          context,
          {},
          { entity: person, id, tenant: itself === undefined ? undefined : tenantOfItem(context, person, itself) },
        )
      const binding: CursorBinding = { kind: 'question', name: context.flow, parameters: { id } }
      const traces = tracesOf(design, form, host.records, { id, pseudonym: '-', ...known })
      const items: ExportedItem[] = []
      const malformed: Malformed[] = []
      const take = (item: Stored): void => {
        const entity = design.form.entities.get(String(item.Type))
        if (entity === undefined || entity.form.part.kind === 'guard' || entity.form.part.kind === 'mirror') return
        const isLeftOut = exportedAs(entity) !== entity || item.deleting !== undefined || isExpired(entity, item, runtime.now())
        if (isLeftOut || !traces.isOf(entity, item)) return
        try {
          items.push(exportedItem(entity, traces.shown(entity, item)))
        } catch (error) {
          if (!isFreeholdError(error, 'MalformedItem')) throw error
          malformed.push({ key: { PK: String(item.PK), SK: String(item.SK) }, reason: error.message })
        }
      }
      // Only this flow seals these: the key after which the table is read on.
      let next =
        typeof cursor === 'string' ? (openCursor(runtime, binding, cursor) as Awaited<ReturnType<typeof scanPage>>['next']) : undefined
      for (let pages = 0; pages < pagesMax && items.length + malformed.length === 0; pages++) {
        const page = await scanPage(runtime, { start: next, limit: Number(limit ?? limitDefault) })
        page.items.forEach(take)
        next = page.next
        if (next === undefined) break
      }
      return {
        items,
        ...(next === undefined ? {} : { cursor: sealCursor(runtime, binding, { ...next }) }),
        ...(malformed.length === 0 ? {} : { malformed }),
      }
    },
  })
  return { exportUser }
}
