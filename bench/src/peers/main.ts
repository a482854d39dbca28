import { openEngine } from '@freehold/engine'
import { connect } from '@freehold/table'
import { ensureTable } from '@freehold/table/runtime'
import { startBenchEngine } from '../engine.js'
import { type Contender, measure } from '../measure.js'
import { bundleSize } from './bundle-size.js'
import { compare, type Difference, fill } from './compare.js'
import { dynamooseOf } from './dynamoose.js'
import { electrodb } from './electrodb.js'
import { onetable } from './onetable.js'
import { freehold, wayTo, workstreams } from './ours.js'
import type { Peer, Place } from './peer.js'
import { toolbox } from './toolbox.js'
import { account, each, enterprise, newWorkstream } from './workstream.js'

// The same entity through this project and through four other libraries. With `--in-process` all of them work on an engine in this process, whose CPU
// counts, too.

const peers: readonly { readonly name: string; readonly file: string; readonly open: (place: Place) => Peer }[] = [
  { name: 'freehold', file: 'ours.js', open: freehold },
  { name: 'ElectroDB', file: 'electrodb.js', open: electrodb },
  { name: 'Toolbox', file: 'toolbox.js', open: toolbox },
  { name: 'OneTable', file: 'onetable.js', open: onetable },
  { name: 'Dynamoose', file: 'dynamoose.js', open: dynamooseOf },
]

/** Accounts, and enterprises, of 25 workstreams each. */
const groups = 20
const created = 1_000_000
const compared = 2_000_000

interface Line {
  readonly what: string
  readonly count: number
  readonly run: (peer: Peer) => Contender['run']
}

const idOf = (index: number) => {
  const { accountId, id } = newWorkstream(index % (groups * each))
  return { accountId, id }
}

const lines: readonly Line[] = [
  { what: 'get', count: 800, run: (peer) => (index) => peer.get(idOf(index)) },
  { what: 'create', count: 500, run: (peer) => (index) => peer.create(newWorkstream(created + index)) },
  { what: 'query of 25, table', count: 250, run: (peer) => (index) => peer.ofAccount(account(index % groups), each) },
  { what: 'query of 25, index', count: 250, run: (peer) => (index) => peer.ofEnterprise(enterprise(index % groups), each) },
  // Last, since it takes workstreams away from the enterprises that are queried.
  { what: 'update of an index key', count: 500, run: (peer) => (index) => peer.join(idOf(index), enterprise(groups + (index % 997))) },
  { what: 'planning a create', count: 3000, run: (peer) => async (index) => peer.plan(newWorkstream(created + index)) },
]

function cells(first: string, others: readonly string[]): string {
  return first.padEnd(26) + others.map((cell) => cell.padStart(13)).join('')
}

/** The first value with its unit, and how many times as much each of the others is. */
function ratios(what: string, values: readonly number[], print: (value: number) => string): string {
  const [ours = Number.NaN, ...theirs] = values
  return cells(what, [print(ours), ...theirs.map((value) => `${(value / ours).toFixed(2)} x`)])
}

function described({ name, adds, stale }: Difference): string {
  return `${name.padEnd(12)}adds ${adds.join(', ')}; without the attribute it names, ${stale.length === 0 ? 'no index key stays' : `${stale.join(' and ')} stay`}`
}

async function main(): Promise<void> {
  const isInProcess = process.argv.includes('--in-process')
  const own = isInProcess ? await openEngine({ memory: true }) : undefined
  const engine = own === undefined ? await startBenchEngine() : { endpoint: 'http://in-process.invalid', stop: () => own.close() }
  try {
    const open: { name: string; peer: Peer }[] = []
    for (const { name, open: opened } of peers) {
      const place: Place = { endpoint: engine.endpoint, table: `bench_${name.toLowerCase()}`, engine: own }
      const table = connect(workstreams, { table: place.table, ...wayTo(place) })
      await ensureTable(table.runtime)
      table.close()
      const peer = opened(place)
      console.log(described(await compare(name, peer, place, compared)))
      await fill(name, peer, groups)
      open.push({ name, peer })
    }

    console.log(`\n${cells('CPU of the client', ['freehold', ...open.slice(1).map(({ name }) => name)])}`)
    for (const { what, count, run } of lines) {
      const measured = await measure(
        open.map(({ name, peer }) => ({ name, run: run(peer) })),
        count,
      )
      console.log(
        ratios(
          what,
          measured.map(({ cpu_us }) => cpu_us),
          (us) => `${us.toFixed(0)} us`,
        ),
      )
    }
    const kilobytes = (bytes: number) => `${(bytes / 1024).toFixed(1)} KB`
    for (const counted of ['without the SDK', 'with the SDK'] as const) {
      const sizes = await Promise.all(peers.map(({ file }) => bundleSize(file, counted)))
      console.log(ratios(`bundle ${counted}`, sizes, kilobytes))
    }
  } finally {
    await engine.stop()
  }
}

await main()
process.exit(0)
