import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { type Entity, FreeholdError, flag, isFreeholdError, list, type Runtime, text } from '@freehold/table'
import {
  consistent,
  finishRemoval,
  forgetCall,
  isScanned,
  keyText,
  readItem,
  recordCall,
  recordedCall,
  rewriteItem,
  type Stored,
  scanPage,
  type TableKey,
  tableKey,
} from '@freehold/table/runtime'
import { nothing } from '../decision/returns.ts'
import { durableJob } from '../flow/durable-job.ts'
import { denied, type FlowContext, type HostOf } from '../flow/flow-host.ts'
import { waiting } from '../flow/items/item-flows.ts'
import { removeItem } from '../flow/items/write-item.ts'
import { logChange } from '../flow/records/change-records.ts'
import { recordAlone, tenantOfItem } from '../flow/records/recorded-write.ts'
import { flow } from '../flow/written-flow.ts'
import { free, joined, knownOf, namesOf } from './known.ts'
import { personForm, personNamed } from './person-form.ts'
import { type Told, type Traces, tracesOf } from './traces.ts'

export interface ErasingPerson<C> {
  /** Removes the person with all that goes along, where a design does more than that. */
  readonly remove?: ((context: C, id: string) => Promise<unknown>) | undefined
  readonly inUse?: 'cascade' | undefined
}

/** A bound for the case that other writers are faster each time. */
const attemptsMax = 10
const callsPrefix = 'FREEHOLD_CALLS#'

const keyOf = ({ PK, SK }: Stored): TableKey => ({ PK: String(PK), SK: String(SK) })

/** Throws `Denied` where this process has no right to look at every item. */
export function checkScanned(runtime: Runtime, flow: string): void {
  if (isScanned(runtime)) return
  throw denied(
    flow,
    'MayNotScan',
    'The rights of a deployed function end at the access patterns: call this from the command, or a server that may scan.',
  )
}

/** The entity of an item that may tell of a person; `call` for the record of a call, which names what it made; undefined for what the design does not know. */
function kindOf({ design }: Runtime, item: Stored): Entity | 'call' | undefined {
  const entity = design.form.entities.get(String(item.Type))
  if (entity !== undefined) return entity
  return item.Type === 'Job' && String(item.PK).startsWith(callsPrefix) ? 'call' : undefined
}

/** The item without the person; undefined if it says nothing of it. */
function rewritten(
  runtime: Runtime,
  traces: Traces,
  item: Stored,
): { readonly entity: Entity | undefined; readonly next: Stored } | undefined {
  const kind = kindOf(runtime, item)
  if (kind === undefined) return undefined
  const entity = kind === 'call' ? undefined : kind
  const next = traces.erased(entity, item)
  return isDeepStrictEqual(next, item) ? undefined : { entity, next }
}

/** Rewrites an item as it is now, which another writer may have changed since it was read. */
async function rewrite(runtime: Runtime, traces: Traces, read: Stored): Promise<void> {
  let item: Stored | undefined = read
  for (let attempt = 0; item !== undefined && attempt < attemptsMax; attempt++) {
    const change = rewritten(runtime, traces, item)
    if (change === undefined || (await rewriteItem(runtime, change.entity, item, change.next))) return
    item = await readItem(runtime, keyOf(item), consistent)
  }
  if (item !== undefined) throw new FreeholdError('Busy', 'Others keep changing an item that tells of the person.')
}

/** Every page of the table. */
async function* pages(runtime: Runtime): AsyncGenerator<readonly Stored[], void, void> {
  let start: Awaited<ReturnType<typeof scanPage>>['next']
  do {
    const { items, next } = await scanPage(runtime, { start })
    yield items
    start = next
  } while (start !== undefined)
}

/** The record of the job has what is known of the person, and goes when the job is done. */
const jobInput = { id: text(), pseudonym: text(), addresses: list(text()), names: list(text()), subjects: list(text()), wasThere: flag() }

type Step = 'remove' | 'look' | { readonly record: string } | { readonly item: Stored; readonly traces: Traces }

/**
 * The flow by which a person is erased, and its durable job. The person goes with all that hangs on it. Then every item of the table is looked at, since
 * an audit is found by the time of its entries, and not by whom they tell of: where an entry names the person, it has a pseudonym from then on.
 * The entries of the person itself come last. So a job that another process begins again finds in them what the person was once called.
 */
export function erasingPerson<C extends FlowContext>(host: HostOf<C>, person: Entity, { remove, inUse }: ErasingPerson<C>) {
  const { design } = host
  const form = personForm(design, person)
  const { idName } = form
  const records = host.records
  const idOf = (id: string) => ({ [idName]: id })
  const claimOf = (id: string) =>
    createHash('sha256')
      .update(JSON.stringify(['erasure', design.name, person.name, id]))
      .digest('hex')

  /** Random, and the same for all calls that erase this person at a time. */
  const pseudonymOf = async (runtime: Runtime, id: string): Promise<string> => {
    const digest = claimOf(id)
    const making = runtime.making()
    const made = String(person.attributes[idName]?.make?.(making) ?? making.uuid())
    const call = { id: making.ulid(), digest, request: digest, told: made, names: () => false, isRecorded: false }
    if ((await recordedCall(runtime, digest)) === undefined && (await recordCall(runtime, call, []))) return made
    return String((await recordedCall(runtime, digest))?.told ?? made)
  }

  const removePerson = async (asked: C, { id, pseudonym }: { readonly id: string; readonly pseudonym: string }): Promise<void> => {
    // A log is not erased, so it is told the pseudonym alone.
    const context: C = { ...asked, host: { ...asked.host, log: () => {} } }
    const { runtime } = context.unscoped
    const key = tableKey(person, idOf(id))
    const there = await readItem(runtime, key, consistent)
    if (there === undefined) return
    try {
      if (there.deleting === undefined) await (remove?.(context, id) ?? removeItem(context, person, idOf(id) as never, { inUse }))
    } catch (error) {
      if (!isFreeholdError(error, 'NotFound') && !isFreeholdError(error, 'BeingDeleted')) throw error
    }
    await finishRemoval(runtime, person, key)
    logChange(asked, { entity: person, id: pseudonym, tenant: tenantOfItem(asked, person, there) })
  }

  const job = durableJob<C, typeof jobInput, Step>(host, {
    name: 'eraseUser',
    input: jobInput,
    subject: ({ id }) => `${person.name.toUpperCase()}#${id}`,
    within: () => 'system',
    stopsOn: ['InUse'],
    each: async function* ({ unscoped }, { id, pseudonym, wasThere, ...given }): AsyncGenerator<Step, void, void> {
      const { runtime } = unscoped
      checkScanned(runtime, 'eraseUser')
      yield 'remove'
      const first = tracesOf(design, form, records, { id, pseudonym, ...given })
      const own = new Map<string, Stored>()
      const told: Told[] = []
      for await (const page of pages(runtime)) {
        for (const item of page) {
          const kind = kindOf(runtime, item)
          if (kind === undefined || kind === 'call' || !first.isAbout(kind, item)) continue
          own.set(keyText(keyOf(item)), item)
          told.push(first.told(item))
        }
        yield 'look'
      }
      const { addresses, ...known } = joined([given, ...told.map((each) => ({ ...each, names: [] }))])
      const items = new Set(told.map(({ item }) => item))
      const names = [...known.names, ...namesOf(told.flatMap(({ parts }) => parts))]
      const traces = tracesOf(design, form, records, {
        id,
        pseudonym,
        ...known,
        names,
        addresses: await free(runtime, form, addresses),
        items,
      })
      let isFound = own.size > 0
      for await (const page of pages(runtime)) {
        for (const item of page) {
          if (own.has(keyText(keyOf(item))) || rewritten(runtime, traces, item) === undefined) continue
          isFound = true
          yield { item, traces }
        }
        yield 'look'
      }
      for (const item of own.values()) yield { item, traces }
      if (isFound && !wasThere) yield { record: pseudonym }
    },
    does: async (context, step, { id, pseudonym }) => {
      if (step === 'look') return undefined
      if (step === 'remove') return removePerson(context, { id, pseudonym })
      if ('item' in step) return rewrite(context.unscoped.runtime, step.traces, step.item)
      return recordAlone(context, { entity: person, id: step.record, tenant: undefined })
    },
    size: (step) => (typeof step === 'object' && 'item' in step ? 1 : 0),
    done: async ({ unscoped: { runtime } }, { id }) => {
      const digest = claimOf(id)
      const claim = await recordedCall(runtime, digest)
      if (claim !== undefined) await forgetCall(runtime, { ...claim, digest, names: () => false, isRecorded: true })
    },
  })

  const eraseUser = flow({
    name: 'eraseUser',
    summary: 'Erases a user for good, also one who was deleted before, by a durable job: in each record that stays it has a pseudonym.',
    input: { ...personNamed(form), ...waiting },
    needs: 'operator',
    effect: 'write',
    returns: nothing,
    writes: { remove: person },
    errors: ['InUse'],
    scope: async () => 'system' as const,
    run: async (context: C, input) => {
      const { runtime } = context.unscoped
      checkScanned(runtime, 'eraseUser')
      // The input has the id of a person.
      const { [idName]: named, wait } = input as unknown as Readonly<Record<string, unknown>>
      const id = String(named)
      const { item, addresses, names, subjects } = await knownOf(runtime, form, id)
      const pseudonym = await pseudonymOf({ ...runtime, call: undefined }, id)
      const asked = { id, pseudonym, addresses: [...addresses], names: [...names], subjects: [...subjects], wasThere: item !== undefined }
      const why = await job.start(context, asked, { wait: wait !== false })
      if (why !== undefined) throw why
    },
  })
  return { eraseUser, job }
}
