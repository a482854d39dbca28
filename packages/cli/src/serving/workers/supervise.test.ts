import { Socket } from 'node:net'
import type { CountedMetrics } from '@freehold/service'
import { describe, expect, test } from 'vitest'
import type { OfWorker, Orders, ToWorker } from './messages.ts'
import { supervise, type WorkerProcess, type Workers } from './supervise.ts'

const orders: Orders = {
  does: 'serve',
  secret: 'c2VjcmV0',
  mailFolder: '/nowhere',
  folders: [],
  bound: { address: 'http://127.0.0.1:3000', port: 3_000 },
}
const address = 'http://127.0.0.1:3000'

/** A worker whose life the test decides. */
interface Played extends WorkerProcess {
  readonly got: ToWorker['does'][]
  readonly handed: { readonly connection: Socket; readonly sent: () => void }[]
  isKilled: boolean
  says(message: OfWorker): void
  dies(how?: string): void
}

function stage(count: number) {
  let now_ms = 0
  const played: Played[] = []
  const pauses: { readonly ms: number; readonly call: () => void }[] = []
  const said: string[] = []
  const fork = (): Played => {
    let [take, exits] = [(_: OfWorker) => {}, (_: string) => {}]
    const worker: Played = {
      pid: played.length + 1,
      got: [],
      handed: [],
      isKilled: false,
      send: ({ does }) => worker.got.push(does),
      hand: (connection, sent) => {
        worker.got.push('connection')
        worker.handed.push({ connection, sent })
      },
      kill: () => {
        worker.isKilled = true
        exits('SIGKILL')
      },
      onMessage: (call) => {
        take = call
      },
      onExit: (call) => {
        exits = call
      },
      says: (message) => take(message),
      dies: (how = 'SIGSEGV') => exits(how),
    }
    played.push(worker)
    return worker
  }
  const later = (ms: number, call: () => void) => {
    const pause = { ms, call }
    pauses.push(pause)
    return () => void pauses.splice(pauses.indexOf(pause), 1)
  }
  const workers: Workers = supervise({
    count,
    end_ms: 12_000,
    orders: () => orders,
    fork,
    say: (text) => said.push(text),
    now_ms: () => now_ms,
    later,
  })
  const nth = (at: number): Played => {
    const worker = played.at(at)
    if (worker === undefined) throw new Error('There is no such worker.')
    return worker
  }
  return {
    workers,
    played,
    said,
    nth,
    pauses,
    /** All workers that wait for orders begin to listen. */
    begin: () => {
      for (const worker of [...played])
        if (worker.got.length === 0) {
          worker.says({ is: 'waiting' })
          worker.says({ is: 'listening', address })
        }
    },
    pass: (ms: number) => {
      now_ms += ms
    },
    /** The pause that is waited for, which then is over. */
    pauseOver: () => {
      const pause = pauses.shift()
      pause?.call()
      return pause?.ms
    },
  }
}

async function serving(count: number) {
  const on = stage(count)
  on.begin()
  await on.workers.begun
  on.begin()
  return on
}

describe('workers', () => {
  test('begin one after the first, and each has the same orders', async () => {
    const on = stage(3)
    expect(on.played).toHaveLength(1)
    on.begin()
    await on.workers.begun
    on.begin()
    expect(on.played.map(({ got }) => got)).toEqual([['serve'], ['serve'], ['serve']])
  })

  test('are told of a later state of a folder, once they have orders', async () => {
    const on = await serving(2)
    on.pass(10_000)
    on.nth(0).dies()
    on.pauseOver()
    on.workers.handOn({ name: 'policies', texts: [] })
    expect(on.played.map(({ got }) => got)).toEqual([['serve'], ['serve', 'take'], []])
    on.begin()
    on.workers.handOn({ name: 'policies', texts: [] })
    expect(on.played.map(({ got }) => got)).toEqual([['serve'], ['serve', 'take', 'take'], ['serve', 'take']])
  })

  test('of which the first cannot begin are none', async () => {
    const on = stage(3)
    on.nth(0).says({ is: 'waiting' })
    on.nth(0).says({ is: 'failed', code: 'Unavailable', message: 'Port 3000 is in use.' })
    await expect(on.workers.begun).rejects.toMatchObject({ code: 'Unavailable', message: 'Port 3000 is in use.' })
    on.nth(0).dies('exit code 2')
    expect([on.played.length, on.pauses.length]).toEqual([1, 0])
  })

  test('that die after they have served are replaced at once, and others after a pause that grows', async () => {
    const on = await serving(2)
    on.pass(10_000)
    on.nth(0).dies()
    expect(on.pauseOver()).toBe(0)
    expect(on.said.at(-1)).toBe('The worker 1 died (SIGSEGV). Another one begins.')
    const waited = Array.from({ length: 8 }, () => {
      on.nth(-1).dies()
      return on.pauseOver()
    })
    expect(waited).toEqual([100, 200, 400, 800, 1_600, 3_200, 6_400, 10_000])
    on.pass(10_000)
    on.nth(-1).dies()
    expect(on.pauseOver()).toBe(0)
  })

  test('that all die as soon as they begin end the server, and not while another listens', async () => {
    const on = await serving(2)
    for (let deaths = 0; deaths < 12; deaths++) {
      on.nth(-1).dies()
      on.pauseOver()
    }
    expect(on.nth(0).isKilled).toBe(false)
    on.nth(0).dies()
    await expect(on.workers.failed).rejects.toMatchObject({ code: 'Unavailable' })
  })
})

describe('what workers count', () => {
  const metrics = (requests: number) => {
    const each = { help: 'h', aggregator: 'sum', values: [{ value: requests, labels: {} }] }
    const counted = [
      { ...each, name: 'requests', type: 'counter' },
      { ...each, name: 'running', type: 'gauge' },
    ]
    // This is the form of a registry, whose type has numbers for the names of types.
    return counted as unknown as CountedMetrics
  }
  const sumsOf = (counted: readonly CountedMetrics[]) =>
    ['requests', 'running'].map((name) =>
      counted.flat().reduce((sum, each) => sum + (each.name === name ? Number(each.values[0]?.value) : 0), 0),
    )

  test('never falls when one is late or dies, but for the state of now', async () => {
    const on = await serving(2)
    const tell = (worker: Played, requests: number) => worker.says({ is: 'counted', metrics: metrics(requests) })
    const first = on.workers.counted()
    tell(on.nth(0), 10)
    tell(on.nth(1), 5)
    expect(sumsOf(await first)).toEqual([15, 15])
    const second = on.workers.counted()
    tell(on.nth(0), 12)
    // The other is late.
    expect(on.pauseOver()).toBe(2_000)
    expect(sumsOf(await second)).toEqual([17, 17])
    on.nth(1).dies()
    on.nth(0).dies()
    expect(sumsOf(await on.workers.counted())).toEqual([17, 0])
  })
})

describe('connections', () => {
  const connections = (count: number) => Array.from({ length: count }, () => new Socket())

  test('are given in turn, to a busy worker when it has the one before, and those that a dead one has not got to another', async () => {
    const on = await serving(2)
    const [a, b, c, d] = connections(4)
    for (const each of [a, b, c, d]) if (each !== undefined) on.workers.take(each)
    const handed = () => on.played.map((worker) => worker.handed.map(({ connection }) => connection))
    expect(handed()).toEqual([[a], [b]])
    on.nth(1).handed[0]?.sent()
    expect(handed()).toEqual([[a], [b, c]])
    on.nth(0).dies()
    on.nth(1).handed[1]?.sent()
    expect(handed()).toEqual([[a], [b, c, d]])
    on.nth(1).handed[2]?.sent()
    expect(handed()).toEqual([[a], [b, c, d, a]])
  })

  test('that wait are all handed over before the end is told, and closed if nobody listens', async () => {
    const on = await serving(2)
    const [a, b, c, d, e] = connections(5)
    for (const each of [a, b, c, d, e]) if (each !== undefined) on.workers.take(each)
    void on.workers.close()
    expect(on.played.map(({ got }) => got)).toEqual([
      ['serve', 'connection', 'connection', 'connection', 'end'],
      ['serve', 'connection', 'connection', 'end'],
    ])
    const none = stage(2)
    const [f] = connections(1)
    if (f !== undefined) none.workers.take(f)
    void none.workers.close()
    expect(f?.destroyed).toBe(true)
  })

  test('are not given to a worker that wants to end, but to the last one that listens', async () => {
    const on = await serving(2)
    for (const at of [0, 1]) on.nth(at).says({ is: 'ending', atOnce: false })
    expect(on.played.map(({ got }) => got)).toEqual([['serve', 'end'], ['serve']])
    const [a] = connections(1)
    if (a !== undefined) on.workers.take(a)
    expect(on.nth(1).got).toEqual(['serve', 'connection'])
    on.nth(0).dies('exit code 0')
    on.pauseOver()
    on.begin()
    expect(on.nth(1).got).toEqual(['serve', 'connection', 'end'])
    on.nth(2).says({ is: 'ending', atOnce: true })
    expect(on.nth(2).got).toEqual(['serve', 'end'])
  })
})

describe('the end', () => {
  test('is told to all, waits for them, and brings no others', async () => {
    const on = await serving(2)
    on.nth(1).dies()
    const closed = on.workers.close()
    expect(on.nth(0).got).toEqual(['serve', 'end'])
    on.nth(0).dies('exit code 0')
    await closed
    // A pause that is over after the end brings none.
    expect(on.pauseOver()).toBe(100)
    expect([on.played.length, on.pauses.length]).toEqual([2, 0])
  })

  test('kills those that do not end', async () => {
    const on = await serving(2)
    const closed = on.workers.close()
    on.nth(0).dies('exit code 0')
    expect(on.pauseOver()).toBe(12_000)
    await closed
    expect(on.played.map(({ isKilled }) => isKilled)).toEqual([false, true])
  })

  test('is the answer to one that asks for orders too late', async () => {
    const on = stage(2)
    const closed = on.workers.close()
    on.nth(0).says({ is: 'waiting' })
    expect(on.nth(0).got).toEqual(['end', 'end'])
    on.nth(0).dies('exit code 0')
    await closed
  })
})
