import { adaptiveLimit, type LoopSample } from './adaptive-limit.ts'
import { type FairQueue, fairQueue, type Lane, type Waiter } from './fair-queue.ts'
import type { AdmissionLimits } from './limits.ts'

/** Why a request is refused: its key takes more than its share, or the server has too much to do. */
export type Refusal = 'share' | 'overload'

/** A place that a running request has. */
export interface Place {
  /**
   * Tells the weight of a request, once it is known. A heavier one waits for the places that it lacks.
   * @returns undefined at once if it may go on
   */
  grow(weight: number): Promise<Refusal | undefined> | undefined
  /** The request has ended. It may be called again. */
  leave(): void
}

/** A request that asks for a place. */
export interface Asking {
  /** The verified caller; undefined for one that this process has not verified lately. */
  readonly caller: string | undefined
  readonly address: string
}

export interface Load {
  /** The weight that runs, and the most that may. */
  readonly running: number
  readonly limit: number
  readonly waiting: number
}

export interface Admission {
  /** The reason why such a request would be refused at once. It costs next to nothing. */
  wouldRefuse(asking: Asking): Refusal | undefined
  /**
   * Gives a place of weight 1, now or later, or refuses.
   * @returns a function by which a request that waits goes away, since its client did
   */
  enter(asking: Asking, goes: (place: Place) => void, refuses: (why: Refusal) => void): () => void
  /** To be called every few milliseconds while anything runs or waits: refuses those that have waited too long, and adapts the limit. */
  tick(sample: LoopSample): void
  load(): Load
}

interface Request extends Waiter {
  readonly goes: (places: number) => void
  readonly refuses: (why: Refusal) => void
}

/** The name of no caller. All callers that are not known share this lane: made-up keys are many, and must not be many shares. */
const strangers = ''
const strangersShare = 1 / 4
/** The part of the places that one lane may have. The rest lets another begin at once, though the requests of the first be slow. */
const laneMax = 7 / 8
/** The part of the places that one request may have. */
const heaviestMax = 1 / 4
/** No request weighs more, whatever it says: a greater number would spend its lane's turns for ever. */
const weightMax = 1_000
/** The way out of one that does not wait. */
const goesNowhere = () => undefined
/** How long requests are counted to tell how many can be served, in milliseconds. */
const counted_ms = 200

/**
 * Decides which requests run, which wait and which are refused, by weight. The places are shared among callers, and by address among those that are
 * not known. A queue that stands is served from its newest end, and its patience is short, so that requests are answered in time or refused in time.
 * @param now_ms a monotonic clock
 */
export function admission(limits: AdmissionLimits, now_ms: () => number): Admission {
  const { running_max, running_min, waiting_max, waiting_ms_max, standing_after_ms, standing_ms_max, delay_ms_max } = limits
  const limit = adaptiveLimit({ min: running_min, max: running_max, delay_ms_max })
  const queue: FairQueue<Request> = fairQueue()
  let running = 0
  let wasRefused = false
  /** Since when the queue has not been empty. */
  let queuedSince_ms: number | undefined
  /** Requests that began since `countedSince_ms`, and how many do in a millisecond. */
  let begun = 0
  let begunEach_ms = 0
  let countedSince_ms = now_ms()

  const isStanding = () => queuedSince_ms !== undefined && now_ms() - queuedSince_ms > standing_after_ms
  const laneOf = ({ caller }: Asking) => (caller === undefined ? queue.lane(strangers, strangersShare) : queue.lane(caller, 1))
  /** The places that a request takes, whole ones, whose sums are exact. Some heavy requests run beside each other, however heavy they are. */
  const placesOf = (weight: number) => Math.ceil(Math.min(weight, Math.max(1, Math.floor(limit.current() * heaviestMax))))
  const fits = (places: number, others: number, most: number) => others === 0 || others + places <= most

  /**
   * A known lane has more than its share, if other known ones are active and it waits and runs with more than its part of all of these. Strangers do
   * not count: they may be the same caller, before its key was verified.
   */
  const reasonFor = (lane: Lane<Request>): Refusal => {
    const known = queue.activeBeside(strangers)
    const isAbove = lane.running + lane.waitingCount > known.weight / known.lanes
    return lane.name !== strangers && known.lanes > 1 && isAbove ? 'share' : 'overload'
  }
  /** True if a request of weight 1 may begin, whoever waits. */
  const hasPlace = (lane: Lane<Request>) => {
    const most = limit.current()
    return fits(1, lane.running, most * laneMax) && fits(1, running, most)
  }
  const taken = (lane: Lane<Request>, places: number) => {
    lane.running += places
    running += places
  }
  const begin = (lane: Lane<Request>, places: number) => {
    begun++
    taken(lane, places)
  }
  const drain = (): void => {
    while (queue.waitingCount() > 0) {
      const most = limit.current()
      const next = queue.peek((lane, { weight }) => fits(placesOf(weight), lane.running, most * laneMax), isStanding())
      // If the next is too heavy now, lighter ones behind it wait, too: they would never let it begin.
      if (next === undefined || !fits(placesOf(next.waiter.weight), running, most)) return
      const { lane, waiter } = next
      queue.serve(next)
      const places = placesOf(waiter.weight)
      begin(lane, places)
      waiter.goes(places)
    }
    queuedSince_ms = undefined
  }
  const wait = (lane: Lane<Request>, request: Request) => {
    queue.add(lane, request)
    queuedSince_ms ??= request.since_ms
    drain()
  }
  /**
   * A queue that stands has no more requests than can be served in half of their patience, or than run. More would hold the connections of clients for
   * nothing, and each of them is answered sooner by a refusal.
   */
  const waitingMax = () => {
    if (!isStanding()) return waiting_max
    return Math.min(waiting_max, Math.max(limit.current(), Math.floor(begunEach_ms * (standing_ms_max / 2))))
  }
  const countBegun = () => {
    const passed_ms = now_ms() - countedSince_ms
    if (passed_ms < counted_ms) return
    begunEach_ms = begun / passed_ms
    begun = 0
    countedSince_ms += passed_ms
  }
  /** True if such a request need not wait, or may: there is room in the queue, or a longer line than its own, of which one then goes. */
  const roomFor = (lane: Lane<Request>, address: string): boolean => {
    if (lane.waitingCount === 0 && hasPlace(lane)) return true
    if (queue.waitingCount() < waitingMax()) return true
    const [longest, itsAddress] = queue.longest() ?? []
    if (longest === undefined || itsAddress === undefined) return false
    const own = (lane.waiting.get(address)?.length ?? 0) + 1
    return longest === lane
      ? itsAddress !== address && own < (lane.waiting.get(itsAddress)?.length ?? 0)
      : (lane.waitingCount + 1) / lane.share < longest.waitingCount / longest.share
  }
  const makeRoom = () => {
    if (queue.waitingCount() <= waitingMax()) return
    const [lane, address] = queue.longest() ?? []
    const oldest = lane && address !== undefined ? queue.oldestOf(lane, address) : undefined
    if (lane === undefined || oldest === undefined) return
    const why = reasonFor(lane)
    queue.remove(lane, oldest)
    wasRefused = true
    oldest.refuses(why)
  }

  const placeOf = (lane: Lane<Request>, address: string): Place => {
    let held = 1
    const giveBack = () => {
      taken(lane, -held)
      held = 0
    }
    let isOver = false
    return {
      grow: (asked) => {
        const weight = Math.min(asked, weightMax)
        if (isOver || !(weight > held)) return undefined
        giveBack()
        return new Promise((resolve) => {
          const goes = (places: number) => {
            held = places
            resolve(undefined)
          }
          // It has been read and its caller is known, so that it may wait although the queue is full.
          wait(lane, { since_ms: now_ms(), weight, address, goes, refuses: resolve })
        })
      },
      leave: () => {
        if (isOver) return
        isOver = true
        giveBack()
        drain()
      },
    }
  }

  return {
    wouldRefuse: (asking) => {
      const lane = laneOf(asking)
      if (roomFor(lane, asking.address)) return undefined
      wasRefused = true
      return reasonFor(lane)
    },
    enter: (asking, goes, refuses) => {
      const lane = laneOf(asking)
      const { address } = asking
      if (queue.waitingCount() === 0 && hasPlace(lane)) {
        queue.pass(lane, 1)
        begin(lane, 1)
        goes(placeOf(lane, address))
        return goesNowhere
      }
      const request: Request = { since_ms: now_ms(), weight: 1, address, goes: () => goes(placeOf(lane, address)), refuses }
      if (!roomFor(lane, address)) {
        wasRefused = true
        refuses(reasonFor(lane))
        return goesNowhere
      }
      wait(lane, request)
      makeRoom()
      return () => {
        if (queue.remove(lane, request)) drain()
      }
    },
    tick: (sample) => {
      countBegun()
      const patience_ms = isStanding() ? standing_ms_max : waiting_ms_max
      const expired = queue.expired(now_ms() - patience_ms)
      // All reasons hold for the queue as it is before any of these goes.
      const reasons = new Map([...new Set(expired.map(({ lane }) => lane))].map((lane) => [lane, reasonFor(lane)]))
      for (const { lane, waiter } of expired) {
        if (!queue.remove(lane, waiter)) continue
        wasRefused = true
        waiter.refuses(reasons.get(lane) ?? 'overload')
      }
      limit.observe(sample, wasRefused || queue.waitingCount() > 0)
      wasRefused = false
      // The limit may have become larger.
      drain()
      queue.forgetIdle()
    },
    load: () => ({ running, limit: limit.current(), waiting: queue.waitingCount() }),
  }
}
