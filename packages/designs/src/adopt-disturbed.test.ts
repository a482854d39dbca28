import { type AnyDesign, type ConnectedTable, connect, isFreeholdError } from '@freehold/table'
import { adoptJob, keyText, type Sender, type Stored, scanItems, senderOf, surveyTable } from '@freehold/table/runtime'
import { restoreItems } from '@freehold/table/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endpoint } from '../../../test/engine/endpoint.ts'
import { type FaultRule, startFaultProxy } from '../../../test/faults/fault-proxy.ts'
import { idOf as accountId, permission, role as roleItems } from '../test/account-items.ts'
import { acme, adaAtHarbour, camera } from '../test/account-organisation.ts'
import { dyingSender } from '../test/dying-sender.ts'
import { adaInBerlin, furtherTeachers } from '../test/organisation.ts'
import { engineSender, ownTableOf } from '../test/own-table.ts'
import { accountManagement } from './account-management/design.ts'
import { rebac } from './rebac/design.ts'

// An adoption that is disturbed anywhere, and repeated until it is done, leaves what one undisturbed run leaves.

const at_ms = Date.parse('2026-03-01T12:00:00.000Z')
const lease_ms = 5000

/** Items as another program has written them: without guards, lookup items and sides of edges that are additions. */
function byDocument({ form }: AnyDesign, items: Iterable<object>): readonly Stored[] {
  return [...(items as Iterable<Stored>)].filter(({ Type }) => {
    const entity = form.entities.get(String(Type))
    const { kind } = entity?.form.part ?? {}
    return kind !== 'guard' && kind !== 'mirror' && !(kind === 'edge' && entity?.form.addition !== undefined)
  })
}

const designs = [
  ['rebac', rebac, byDocument(rebac, [...adaInBerlin, ...furtherTeachers([2, 3])])],
  [
    'account-management',
    accountManagement,
    byDocument(accountManagement, [
      ...adaAtHarbour,
      ...permission(accountId('permission', 1), camera.module, camera.action, camera.resource),
      ...roleItems(acme, accountId('role', 8), 'child', { parent: accountId('role', 1) }),
    ]),
  ],
] as const satisfies readonly (readonly [string, AnyDesign, readonly Stored[]])[]

async function itemsOf({ runtime }: ConnectedTable): Promise<readonly Stored[]> {
  const items: Stored[] = []
  for await (const page of scanItems(runtime)) items.push(...page.map(({ writeId: _, ...item }) => item))
  return items.sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
}
const placeOf = ({ PK, SK }: Stored) => keyText({ PK: String(PK), SK: String(SK) })

/** A table by the document alone, and how processes connect to it: each is a lease later than the one before. */
async function prepared(design: AnyDesign, items: readonly Stored[]) {
  const { runtime } = await ownTableOf(design)
  await restoreItems(runtime, [...items])
  let processes = 0
  return (sender: Sender): ConnectedTable => {
    const now_ms = at_ms + processes++ * 2 * lease_ms
    return connect(design, { table: runtime.table, sender, now: () => new Date(now_ms), sleep: async () => {}, patience_ms: 2000 })
  }
}

const adopt = ({ jobs, design }: ConnectedTable) => jobs.start(adoptJob, { subject: design.name, input: null })
/** True if it was done. A process that is disturbed fails by an error of this project, or has ended. */
const isAdopted = (table: ConnectedTable): Promise<boolean> =>
  adopt(table).then(
    () => true,
    (error: unknown) => {
      if (isFreeholdError(error) || (error instanceof Error && error.message === 'this process has ended')) return false
      throw error
    },
  )

async function finish(later: (sender: Sender) => ConnectedTable): Promise<readonly Stored[]> {
  for (let runs = 0; !(await isAdopted(later(engineSender()))); runs++) expect(runs).toBeLessThan(10)
  const table = later(engineSender())
  expect(await table.jobs.resume()).toMatchObject({ held: [], failed: [] })
  expect(await surveyTable(table.runtime)).toMatchObject({ missing: {}, problems: [], isWhole: true })
  return itemsOf(table)
}

const undisturbed = new Map<string, readonly Stored[]>()
beforeAll(async () => {
  for (const [name, design, items] of designs) undisturbed.set(name, await finish(await prepared(design, items)))
})

const faults = ['lose-answer', 'lose-request', 'fail', 'throttle', 'conflict'] as const
const disturbances = designs.flatMap(([name, design, items]) => faults.map((kind) => ({ name, design, items, kind })))

test.each(disturbances)('$name: $kind of any write, and of some reads', { timeout: 60_000 }, async ({ name, design, items, kind }) => {
  const expected = undisturbed.get(name)
  for (const after of [0, 1, 2, 3, 5, 8, 13]) {
    const later = await prepared(design, items)
    const writes = ['TransactWriteItems', 'PutItem', 'UpdateItem', 'DeleteItem'].map(
      (operation): FaultRule => ({ operation, after, times: 2, fault: { kind } }),
    )
    // Reads meet no transaction.
    const reads = ['Scan', 'Query', 'BatchGetItem'].map(
      (operation): FaultRule => ({ operation, after, fault: { kind: kind === 'conflict' ? 'throttle' : kind } }),
    )
    const proxy = await startFaultProxy(endpoint, [...writes, ...reads])
    const sender = senderOf({ endpoint: proxy.endpoint })
    await isAdopted(later(sender))
    sender.close()
    const met = proxy.log.some(({ fault }) => fault !== undefined)
    await proxy.close()
    expect({ after, met, items: await finish(later) }).toEqual({ after, met: after > 5 ? met : true, items: expected })
  }
})

test.each(designs)('%s: a process that ends at any write, and another after it', { timeout: 60_000 }, async (name, design, items) => {
  const expected = undisturbed.get(name)
  for (let writes = 0, isDead = true; isDead; writes++) {
    expect(writes).toBeLessThan(200)
    const later = await prepared(design, items)
    const first = dyingSender(engineSender(), writes)
    await isAdopted(later(first.sender))
    isDead = first.isDead()
    await isAdopted(later(dyingSender(engineSender(), 2).sender))
    expect({ writes, items: await finish(later) }).toEqual({ writes, items: expected })
  }
})

afterAll(() => undisturbed.clear())
