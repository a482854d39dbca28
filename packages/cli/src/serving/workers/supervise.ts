import { type CountedMetrics, keptMetrics } from '@freehold/service'
import { FreeholdError } from '@freehold/table'
import { type Answering, type HandedConnections, handedConnections } from './handed-connections.ts'
import type { HandedFolder, OfWorker, Orders, ToWorker } from './messages.ts'

/** A process that serves. */
export interface WorkerProcess extends Answering {
  readonly pid: number | undefined
  send(message: ToWorker): void
  kill(): void
  onMessage(take: (message: OfWorker) => void): void
  onExit(take: (how: string) => void): void
}

/** How long things may take, and how many workers may die. */
export interface SupervisingBounds {
  /** How long a worker may take to end, in milliseconds. It is killed after that. */
  readonly end_ms: number
  /** A worker that lived for so long began well. */
  readonly steady_ms: number
  /** The longest pause before the next worker, after some that died early. It begins with 100 ms, and doubles with each. */
  readonly pause_ms_max: number
  /** So many early deaths in a row, with no worker left that listens, are no accident. */
  readonly deaths_max: number
  /** How long a worker may take to tell what it has counted. */
  readonly count_ms: number
}

export interface Supervising extends SupervisingBounds {
  readonly count: number
  /** What the next worker is told. */
  readonly orders: () => Orders
  readonly fork: () => WorkerProcess
  readonly say: (sentence: string, level?: 'warn') => void
  readonly now_ms?: () => number
  /** Calls after so many milliseconds, unless the returned function is called before. */
  readonly later?: (ms: number, call: () => void) => () => void
}

/** Workers that answer the connections of one port. */
export interface Workers extends Pick<HandedConnections, 'take'> {
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

/** The pause before the next worker after the first of some that died early. */
const pause_ms = 100

function systemLater(ms: number, call: () => void): () => void {
  const timer = setTimeout(call, ms)
  return () => clearTimeout(timer)
}

/**
 * Starts workers, and replaces each that dies: at once if it had served for a while, otherwise after a pause that grows.
 */
export function supervise(supervising: Supervising): Workers {
  const { count, orders, fork, say, now_ms = () => performance.now(), later = systemLater } = supervising
  const { end_ms, steady_ms, pause_ms_max, deaths_max, count_ms } = supervising
  const alive = new Map<WorkerProcess, { readonly gone: Promise<void> }>()
  const ordered = new Set<WorkerProcess>()
  const listening = new Set<WorkerProcess>()
  const connections = handedConnections()
  /** Those that want to end, once another one listens. */
  const leaving = new Set<WorkerProcess>()
  const pauses = new Set<() => void>()
  const asked = new Map<number, () => void>()
  /** What each living worker told last. */
  const lastCounts = new Map<WorkerProcess, CountedMetrics>()
  let countsOfDead: Promise<readonly CountedMetrics[]> = Promise.resolve([])
  let lastId = 0
  let earlyDeaths = 0
  let isEnding = false
  /** One goes first: if it cannot listen, no other can. */
  let hasBegun = false
  let fail: (error: FreeholdError) => void = () => {}
  const failed = new Promise<never>((_, reject) => {
    fail = reject
  })
  // Its caller may be busy with something else that failed.
  failed.catch(() => {})

  const pauseThen = (ms: number, call: () => void) => {
    const cancel = later(ms, () => {
      pauses.delete(cancel)
      call()
    })
    pauses.add(cancel)
  }
  const letGo = (worker: WorkerProcess) => {
    listening.delete(worker)
    leaving.delete(worker)
    connections.leave(worker)
    worker.send({ does: 'end' })
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
    pauseThen(wait_ms, () => start(() => {}))
  }
  const start = (tell: (message: OfWorker) => void) => {
    const began_ms = now_ms()
    const worker = fork()
    let ended = () => {}
    const gone = new Promise<void>((resolve) => {
      ended = resolve
    })
    alive.set(worker, { gone })
    worker.onMessage((message) => {
      // A library of a worker may send messages of its own.
      if (typeof message !== 'object' || message === null) return
      if (message.is === 'counted') {
        if (alive.has(worker)) lastCounts.set(worker, message.metrics)
        return asked.get(message.id)?.()
      }
      if (message.is === 'waiting') {
        if (isEnding) return worker.send({ does: 'end' })
        ordered.add(worker)
        return worker.send(orders())
      }
      if (message.is === 'listening') {
        listening.add(worker)
        connections.join(worker)
        letLeave()
        say(`The worker ${worker.pid} listens at ${message.address}.`)
      } else if (message.is === 'ending') {
        if (message.atOnce) return letGo(worker)
        leaving.add(worker)
        return letLeave()
      } else if (message.is === 'failed') say(`The worker ${worker.pid} could not begin: ${message.message}`, 'warn')
      else return
      tell(message)
    })
    worker.onExit((how) => {
      alive.delete(worker)
      ordered.delete(worker)
      listening.delete(worker)
      leaving.delete(worker)
      connections.died(worker)
      const counts = lastCounts.get(worker)
      lastCounts.delete(worker)
      if (counts !== undefined)
        countsOfDead = countsOfDead.then((before) =>
          keptMetrics([...before, counts]).then(
            (kept) => [kept],
            // What cannot be added up is left out.
            () => before,
          ),
        )
      ended()
      if (isEnding) return
      tell({ is: 'failed', code: 'Unavailable', message: `A worker ended before it listened (${how}).` })
      if (hasBegun) replace(now_ms() - began_ms, how, worker.pid)
    })
  }
  const counted = async () => {
    const told = [...listening].map(
      (worker) =>
        new Promise<void>((resolve) => {
          const id = lastId++
          const done = () => {
            cancel()
            asked.delete(id)
            resolve()
          }
          const cancel = later(count_ms, done)
          asked.set(id, done)
          worker.send({ does: 'count', id })
        }),
    )
    await Promise.all(told)
    const ofLiving = [...lastCounts.values()]
    return [...(await countsOfDead), ...ofLiving]
  }
  const close = async () => {
    isEnding = true
    for (const cancel of pauses) cancel()
    connections.end()
    const all = [...alive]
    for (const [worker] of all) worker.send({ does: 'end' })
    const cancel = later(end_ms, () => {
      for (const worker of alive.keys()) worker.kill()
    })
    await Promise.all(all.map(([, { gone }]) => gone))
    cancel()
  }

  const begun = new Promise<void>((resolve, reject) =>
    start((message) => {
      if (hasBegun) return
      if (message.is === 'failed') return reject(new FreeholdError(message.code, message.message, {}))
      if (message.is !== 'listening') return
      hasBegun = true
      for (let index = 1; index < count && !isEnding; index++) start(() => {})
      resolve()
    }),
  )
  const handOn = (folder: HandedFolder) => {
    for (const worker of ordered) worker.send({ does: 'take', folder })
  }
  return { begun, take: connections.take, failed, counted, handOn, close }
}
