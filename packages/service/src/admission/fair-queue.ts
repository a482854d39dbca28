/** One that waits. */
export interface Waiter {
  /** When it began, in milliseconds of the queue's clock. */
  readonly since_ms: number
  /** In places. */
  readonly weight: number
  /** The address of its client: within a lane each address has its turn. */
  readonly address: string
}

/** The requests of one key, or of all callers that are not known yet. */
export interface Lane<W extends Waiter> {
  readonly name: string
  /** Its part of the places beside others': 1, or less. */
  readonly share: number
  /** The weight that it has been given, by its share: the least is served next. */
  served: number
  /** The weight that runs. */
  running: number
  waitingCount: number
  /** By address, the next first. */
  readonly waiting: Map<string, W[]>
}

/** One whose turn it is. */
export interface Next<W extends Waiter> {
  readonly lane: Lane<W>
  readonly waiter: W
}

export interface FairQueue<W extends Waiter> {
  readonly waitingCount: () => number
  lane(name: string, share: number): Lane<W>
  /** How many lanes wait or run, and how much they do together, without the lane of this name. */
  activeBeside(name: string): { readonly lanes: number; readonly weight: number }
  add(lane: Lane<W>, waiter: W): void
  /** Counts the weight of one that need not wait, since nobody waits. */
  pass(lane: Lane<W>, weight: number): void
  /** Removes one that waits. False if it does not. */
  remove(lane: Lane<W>, waiter: W): boolean
  /** The next of all lanes that may go on. @param newestFirst true to take the newest of an address, and not its oldest */
  peek(mayGo: (lane: Lane<W>, waiter: W) => boolean, newestFirst: boolean): Next<W> | undefined
  /** Removes the next one, and counts its weight. */
  serve(next: Next<W>): void
  /** The lane that waits most, by its share, and within it the address that does. */
  longest(): readonly [Lane<W>, address: string] | undefined
  /** Those that have waited since `until_ms` or before. They stay. */
  expired(until_ms: number): readonly Next<W>[]
  /** The one of an address in a lane that has waited longest. */
  oldestOf(lane: Lane<W>, address: string): W | undefined
  /** Forgets lanes that neither wait nor run, and have had no more than others. */
  forgetIdle(): void
}

/**
 * Start-time fair queueing (Goyal, Vin and Cheng, 1996) over lanes, and each address of a lane in its turn. A lane that has been idle begins
 * where the others are, so that it neither saves up nor pays for that.
 */
export function fairQueue<W extends Waiter>(): FairQueue<W> {
  const lanes = new Map<string, Lane<W>>()
  /** The lanes that wait. */
  const queued = new Set<Lane<W>>()
  let count = 0
  let virtual = 0

  const remove = (lane: Lane<W>, waiter: W): boolean => {
    const line = lane.waiting.get(waiter.address)
    const at = line?.indexOf(waiter) ?? -1
    if (line === undefined || at < 0) return false
    line.splice(at, 1)
    // The address goes to the end of its lane.
    lane.waiting.delete(waiter.address)
    if (line.length > 0) lane.waiting.set(waiter.address, line)
    count--
    lane.waitingCount--
    if (lane.waitingCount === 0) queued.delete(lane)
    return true
  }
  const spend = (lane: Lane<W>, weight: number) => {
    virtual = Math.max(virtual, lane.served)
    lane.served += weight / lane.share
  }
  const first = ({ waiting }: Lane<W>, newestFirst: boolean): W | undefined => {
    for (const line of waiting.values()) return newestFirst ? line.at(-1) : line[0]
    return undefined
  }
  return {
    waitingCount: () => count,
    activeBeside: (beside) => {
      const active = { lanes: 0, weight: 0 }
      for (const { name, running, waitingCount } of lanes.values()) {
        if (name === beside || running + waitingCount === 0) continue
        active.lanes++
        active.weight += running + waitingCount
      }
      return active
    },
    lane: (name, share) => {
      const known = lanes.get(name)
      if (known !== undefined) return known
      const lane: Lane<W> = { name, share, served: virtual, running: 0, waitingCount: 0, waiting: new Map() }
      lanes.set(name, lane)
      return lane
    },
    pass: (lane, weight) => {
      lane.served = Math.max(lane.served, virtual)
      spend(lane, weight)
    },
    add: (lane, waiter) => {
      const line = lane.waiting.get(waiter.address)
      if (line === undefined) lane.waiting.set(waiter.address, [waiter])
      else line.push(waiter)
      if (lane.waitingCount === 0) {
        lane.served = Math.max(lane.served, virtual)
        queued.add(lane)
      }
      lane.waitingCount++
      count++
    },
    remove,
    peek: (mayGo, newestFirst) => {
      let best: Next<W> | undefined
      for (const lane of queued) {
        if (best !== undefined && best.lane.served <= lane.served) continue
        const waiter = first(lane, newestFirst)
        if (waiter !== undefined && mayGo(lane, waiter)) best = { lane, waiter }
      }
      return best
    },
    serve: ({ lane, waiter }) => {
      remove(lane, waiter)
      spend(lane, waiter.weight)
    },
    longest: () => {
      let longest: Lane<W> | undefined
      for (const lane of queued)
        if (longest === undefined || lane.waitingCount / lane.share > longest.waitingCount / longest.share) longest = lane
      if (longest === undefined) return undefined
      let most: readonly [address: string, count: number] = ['', 0]
      for (const [address, { length }] of longest.waiting) if (length > most[1]) most = [address, length]
      return [longest, most[0]]
    },
    oldestOf: (lane, address) => lane.waiting.get(address)?.[0],
    expired: (until_ms) => {
      const all = [...queued].flatMap((lane) => [...lane.waiting.values()].flatMap((line) => line.map((waiter) => ({ lane, waiter }))))
      return all.filter(({ waiter }) => waiter.since_ms <= until_ms)
    },
    forgetIdle: () => {
      for (const [name, lane] of lanes) if (lane.running === 0 && lane.waitingCount === 0 && lane.served <= virtual) lanes.delete(name)
    },
  }
}
