import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb'
import { connectionOf, type Peer, type Place } from './peer.js'
import { account, each, enterprise, type NewWorkstream, newWorkstream, storedKeys } from './workstream.js'

export type Stored = Readonly<Record<string, string | undefined>>

/** What lies in the table, read with the AWS SDK alone. All attributes of a workstream are text. */
async function storedAt(place: Place, { PK = '', SK = '' }: Stored): Promise<Stored> {
  const client = new DynamoDBClient(connectionOf(place))
  const { Item = {} } = await client.send(
    new GetItemCommand({ TableName: place.table, Key: { PK: { S: PK }, SK: { S: SK } }, ConsistentRead: true }),
  )
  client.destroy()
  return Object.fromEntries(Object.entries(Item).map(([name, value]) => [name, value.S ?? JSON.stringify(value)]))
}

function expectSame(name: string, what: string, stored: Stored, expected: Stored): void {
  for (const [attribute, value] of Object.entries(expected)) {
    if (stored[attribute] !== value)
      throw new Error(`${name}, ${what}: ${attribute} is stored as ${stored[attribute] ?? 'nothing'}, not as ${value ?? 'nothing'}.`)
  }
}

async function isRefused(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    return false
  } catch {
    return true
  }
}

const expected = (item: NewWorkstream): Stored => ({ ...storedKeys(item), ...item })

/** What one peer does that is not the same for all; what must be the same throws where it is not. */
export interface Difference {
  readonly name: string
  /** Attributes that it stores beyond the entity's own. */
  readonly adds: readonly string[]
  /** Index keys that are still there though the attribute that they name was taken away. */
  readonly stale: readonly string[]
}

const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

/**
 * Has a peer write one workstream, and compares what lies in its table with what all must store.
 *
 * @throws Error where it stores another item, overwrites one, changes one that is not there, or leaves an index key stale after a change.
 */
export async function compare(name: string, peer: Peer, place: Place, index: number): Promise<Difference> {
  const item = newWorkstream(index)
  const id = { accountId: item.accountId, id: item.id }
  await peer.create(item)
  const created = await storedAt(place, storedKeys(item))
  expectSame(name, 'created', created, expected(item))
  for (const stamp of ['createdAt', 'updatedAt'])
    if (!instant.test(created[stamp] ?? '')) throw new Error(`${name}: ${stamp} is stored as ${created[stamp] ?? 'nothing'}.`)
  if (!(await isRefused(() => peer.create(item)))) throw new Error(`${name} overwrites.`)
  if (!(await isRefused(() => peer.join({ ...id, id: 'absent' }, enterprise(0))))) throw new Error(`${name} changes what is not there.`)

  const enterpriseId = enterprise(1)
  await peer.join(id, enterpriseId)
  expectSame(name, 'updated', await storedAt(place, storedKeys(item)), expected({ ...item, enterpriseId }))

  await peer.leave(id)
  const left = await storedAt(place, storedKeys(item))
  expectSame(name, 'without an enterprise', left, { enterpriseId: undefined })
  const own = new Set([...Object.keys(expected(item)), 'createdAt', 'updatedAt'])
  return {
    name,
    adds: Object.keys(created)
      .filter((attribute) => !own.has(attribute))
      .sort(),
    stale: ['GSI2PK', 'GSI2SK'].filter((key) => left[key] !== undefined),
  }
}

/** Fills groups of 25, and sees that a peer finds each of them, by its account and by its enterprise. */
export async function fill(name: string, peer: Peer, groups: number): Promise<void> {
  for (let index = 0; index < groups * each; index++) await peer.create(newWorkstream(index))
  for (const found of [await peer.ofAccount(account(0), each), await peer.ofEnterprise(enterprise(groups - 1), each)])
    if (found.length !== each) throw new Error(`${name} finds ${found.length} of ${each}.`)
}
