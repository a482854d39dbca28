import type { Socket } from 'node:net'
import { type CountedMetrics, keptMetrics } from '@freehold/service'
import { FreeholdError } from '@freehold/table'
import type { HandedFolder, OfWorker, Orders, ToWorker } from './messages.ts'

/** A process that serves. */
export interface WorkerProcess {
  readonly pid: number | undefined
  send(message: ToWorker): void
  /** Hands it a connection. @param sent called once the process has those before, and this one is on its way */
  hand(connection: Socket, sent: () => void): void
  kill(): void
  onMessage(take: (message: OfWorker) => void): void
  onExit(take: (how: string) => void): void
}

export interface Supervising {
  readonly count: number
  /** How long a worker may take to end, in milliseconds. It is killed after that. */
  readonly end_ms: number
  /** What the next worker is told. */
  readonly orders: () => Orders
  readonly fork: () => WorkerProcess
  readonly say: (sentence: string, level?: 'warn') => void
  readonly now_ms?: () => number
  /** Calls after so many milliseconds, unless the returned function is called before. */
  readonly later?: (ms: number, call: () => void) => () => void
}

/** Workers that answer the connections of one port. */
export interface Workers {
  /** Gives a connection to the next worker that is free, or to the first that will be. */
  take(connection: Socket): void
  /** Resolves when the first worker answers. Rejects with what it could not do. */
  readonly begun: Promise<void>
  /** Rejects when workers die so fast that none can serve. */
  readonly failed: Promise<never>
  /** What all have counted, the dead as far as they told: sums of counters never fall. Of one that does not answer in time it is what it told before. */
  counted(): Promise<readonly CountedMetrics[]>
  /** Tells all workers that have their orders of a later state of a folder. The orders of others have it. */
  handOn(folder: HandedFolder): void
  /** Lets all answer what they were given, and resolves when they have gone. The port is closed before. */
  close(): Promise<void>
}

interface Worker {
  readonly process: WorkerProcess
  readonly gone: Promise<void>
  isOrdered: boolean
  /** A connection that it has not got yet. */
  underWay?: Socket | undefined
  /** What it told last. */
  counts?: CountedMetrics
  /** Those that wait for what it tells next. */
  readonly asked: Set<() => void>
}

/** A worker that lived for so long began well. */
const steady_ms = 10_000
/** The pause before the next worker after one that died early. It doubles with each in a row. */
const pause_ms = 100
const pause_ms_max = 10_000
/** So many early deaths in a row, with no worker left that listens, are no accident. */
const deaths_max = 8
/** How long a worker may take to tell what it has counted. */
const count_ms = 2_000

function systemLater(ms: number, call: () => void): () => void {
  // The port and the workers keep the process, and nothing else need wait.
  const timer = setTimeout(call, ms).unref()
  return () => clearTimeout(timer)
}

/**
 * Starts workers, and replaces each that dies: at once if it had served for a while, otherwise after a pause that grows. They get connections in turn. A busy
 * one gets the next when it has those before, and none waits behind a dead one.
 */
export function supervise(supervising: Supervising): Workers {
  const { count, end_ms, orders, fork, say, now_ms = () => performance.now(), later = systemLater } = supervising
  const alive = new Set<Worker>()
  const listening = new Set<Worker>()
  /** Those that have what they were given, in turn. */
  const free = new Set<Worker>()
  /** Those that want to end, once another one listens. */
  const leaving = new Set<Worker>()
  const waiting: Socket[] = []
  let countsOfDead: Promise<readonly CountedMetrics[]> = Promise.resolve([])
  let earlyDeaths = 0
  let isEnding = false
  /** One goes first: if it cannot listen, no other can. */
  let hasBegun = false
  let [begin, cannotBegin, fail] = [() => {}, (_: FreeholdError) => {}, (_: FreeholdError) => {}]
  const begun = new Promise<void>((resolve, reject) => {
    ;[begin, cannotBegin] = [resolve, reject]
  })
  const failed = new Promise<never>((_, reject) => {
    fail = reject
  })
  // Its caller may be busy with something else that failed.
  failed.catch(() => {})

  const handOut = () => {
    for (const worker of free) {
      const connection = waiting.shift()
      if (connection === undefined) return
      free.delete(worker)
      worker.underWay = connection
      worker.process.hand(connection, () => {
        worker.underWay = undefined
        if (!listening.has(worker)) return
        free.add(worker)
        handOut()
      })
    }
  }
  const take = (connection: Socket) => {
    waiting.push(connection)
    handOut()
  }
  const forget = (worker: Worker) => {
    for (const workers of [listening, free, leaving]) workers.delete(worker)
  }
  const letGo = (worker: Worker) => {
    forget(worker)
    worker.process.send({ does: 'end' })
  }
  const letLeave = () => {
    for (const worker of leaving) if (!listening.has(worker) || listening.size > 1) letGo(worker)
  }
  const replace = (lived_ms: number, how: string, pid: number | undefined) => {
    earlyDeaths = lived_ms < steady_ms ? earlyDeaths + 1 : 0
    if (earlyDeaths > deaths_max && listening.size === 0)
      return fail(new FreeholdError('Unavailable', `The workers die as soon as they begin (${how}). The lines above say why.`, {}))
    const wait_ms = earlyDeaths === 0 ? 0 : Math.min(pause_ms_max, pause_ms * 2 ** (earlyDeaths - 1))
    say(`The worker ${pid} died (${how}). Another one begins${wait_ms === 0 ? '' : ` in ${wait_ms} ms`}.`, 'warn')
    later(wait_ms, () => {
      if (!isEnding) start()
    })
  }
  /** What cannot be added up is left out. */
  const keep = (counts: CountedMetrics) => {
    countsOfDead = countsOfDead.then((before) =>
      keptMetrics([...before, counts]).then(
        (kept) => [kept],
        () => before,
      ),
    )
  }
  const listens = (worker: Worker, address: string) => {
    listening.add(worker)
    free.add(worker)
    handOut()
    letLeave()
    say(`The worker ${worker.process.pid} listens at ${address}.`)
    if (hasBegun) return
    hasBegun = true
    for (let index = 1; index < count && !isEnding; index++) start()
    begin()
  }
  const hear = (worker: Worker, message: OfWorker) => {
    const { process, asked } = worker
    if (message.is === 'waiting') {
      if (isEnding) return process.send({ does: 'end' })
      worker.isOrdered = true
      process.send(orders())
    } else if (message.is === 'listening') listens(worker, message.address)
    else if (message.is === 'ending') {
      if (message.atOnce) return letGo(worker)
      leaving.add(worker)
      letLeave()
    } else if (message.is === 'counted') {
      worker.counts = message.metrics
      for (const told of asked) told()
    } else if (message.is === 'failed') {
      // A library of a worker may send messages of its own, of another form.
      say(`The worker ${process.pid} could not begin: ${message.message}`, 'warn')
      if (!hasBegun) cannotBegin(new FreeholdError(message.code, message.message, {}))
    }
  }
  const start = () => {
    const began_ms = now_ms()
    const process = fork()
    let ended = () => {}
    const gone = new Promise<void>((resolve) => {
      ended = resolve
    })
    const worker: Worker = { process, gone, isOrdered: false, asked: new Set() }
    alive.add(worker)
    process.onMessage((message) => hear(worker, message))
    process.onExit((how) => {
      alive.delete(worker)
      forget(worker)
      if (worker.underWay !== undefined) take(worker.underWay)
      if (worker.counts !== undefined) keep(worker.counts)
      ended()
      if (isEnding) return
      if (hasBegun) replace(now_ms() - began_ms, how, process.pid)
      else cannotBegin(new FreeholdError('Unavailable', `A worker ended before it listened (${how}).`, {}))
    })
  }
  const askToCount = ({ process, asked }: Worker) =>
    new Promise<void>((resolve) => {
      const told = () => {
        cancel()
        asked.delete(told)
        resolve()
      }
      const cancel = later(count_ms, told)
      asked.add(told)
      process.send({ does: 'count' })
    })
  const counted = async () => {
    await Promise.all([...listening].map(askToCount))
    const ofLiving = [...alive].flatMap(({ counts }) => (counts === undefined ? [] : [counts]))
    return [...(await countsOfDead), ...ofLiving]
  }
  const close = async () => {
    isEnding = true
    while (waiting.length > 0 && listening.size > 0) {
      for (const worker of listening) free.add(worker)
      handOut()
    }
    for (const connection of waiting) connection.destroy()
    const all = [...alive]
    for (const { process } of all) process.send({ does: 'end' })
    const cancel = later(end_ms, () => {
      for (const { process } of alive) process.kill()
    })
    await Promise.all(all.map(({ gone }) => gone))
    cancel()
  }
  const handOn = (folder: HandedFolder) => {
    for (const { isOrdered, process } of alive) if (isOrdered) process.send({ does: 'take', folder })
  }
  start()
  return { begun, take, failed, counted, handOn, close }
}
