/** How much a server does at once. Both hold for one process. */
export interface PlaceBounds {
  /** The most requests that run. */
  readonly running_max: number
  /** The most requests that wait for a place. */
  readonly waiting_max: number
}

export interface Places {
  /** True if the next request of this caller would be refused. */
  isFull(caller: string): boolean
  /**
   * Gives a place, now or later. Each request goes on once or is refused once.
   * @param goes called with the function that gives the place back
   * @returns takes a request out of the line, since its client has gone. It may be called again
   */
  enter(caller: string, goes: (leave: () => void) => void, refuses: () => void): () => void
  readonly running: number
  readonly waiting: number
}

interface Waiter {
  readonly goes: (leave: () => void) => void
  readonly refuses: () => void
}

/** The requests of one caller. */
interface Lane {
  running: number
  readonly waiting: Waiter[]
}

/** The part of the places that one caller may have. The rest lets another begin at once, though the requests of the first be slow. */
const laneMax = 7 / 8

/**
 * Requests that run, and requests that wait. Callers take turns: a caller with many requests would make those of all others wait for its own. Where the line is
 * full, it gives up the newest request of the caller who has most, for one of a caller with fewer.
 */
export function places({ running_max, waiting_max }: PlaceBounds): Places {
  /** In the order of their turns: the next first. Those without a request are not there. */
  const lanes = new Map<string, Lane>()
  const mostOfOne = Math.ceil(running_max * laneMax)
  let [running, waiting] = [0, 0]

  const hasPlace = (lane: Lane | undefined) => running < running_max && (lane?.running ?? 0) < mostOfOne
  const longest = () => [...lanes.values()].reduce<Lane | undefined>((most, lane) => (isLonger(lane, most) ? lane : most), undefined)
  const isFull = (caller: string) => {
    const lane = lanes.get(caller)
    const own = lane?.waiting.length ?? 0
    if (waiting < waiting_max || (own === 0 && hasPlace(lane))) return false
    return own + 1 >= (longest()?.waiting.length ?? 0)
  }
  const begin = (caller: string, lane: Lane, goes: (leave: () => void) => void) => {
    running++
    lane.running++
    // Its next turn is after those of all others.
    lanes.delete(caller)
    lanes.set(caller, lane)
    let isOver = false
    goes(() => {
      if (isOver) return
      isOver = true
      running--
      lane.running--
      forgetIdle(caller, lane)
      drain()
    })
  }
  const forgetIdle = (caller: string, { running: own, waiting: { length } }: Lane) => {
    if (own === 0 && length === 0) lanes.delete(caller)
  }
  const drain = () => {
    if (waiting === 0) return
    // A Map gives an entry again that was put to its end meanwhile: callers take turns until no place is left, or nobody who may have one.
    for (const [caller, lane] of lanes) {
      if (running >= running_max) return
      const next = hasPlace(lane) ? lane.waiting.shift() : undefined
      if (next === undefined) continue
      waiting--
      begin(caller, lane, next.goes)
    }
  }
  return {
    isFull,
    get running() {
      return running
    },
    get waiting() {
      return waiting
    },
    enter: (caller, goes, refuses) => {
      if (isFull(caller)) {
        refuses()
        return () => undefined
      }
      const lane = lanes.get(caller) ?? { running: 0, waiting: [] }
      if (lane.waiting.length === 0 && hasPlace(lane)) {
        begin(caller, lane, goes)
        return () => undefined
      }
      const given = waiting < waiting_max ? undefined : longest()?.waiting.pop()
      if (given === undefined) waiting++
      const waiter: Waiter = { goes, refuses }
      lane.waiting.push(waiter)
      lanes.set(caller, lane)
      given?.refuses()
      return () => {
        const at = lane.waiting.indexOf(waiter)
        if (at < 0) return
        lane.waiting.splice(at, 1)
        waiting--
        forgetIdle(caller, lane)
      }
    },
  }
}

const isLonger = ({ waiting: { length } }: Lane, than: Lane | undefined) => than === undefined || length > than.waiting.length
