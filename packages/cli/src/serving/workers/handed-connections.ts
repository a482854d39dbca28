import type { Socket } from 'node:net'

/** A process that answers connections. */
export interface Answering {
  /** Hands it a connection. @param sent called once the process has those before, and this one is on its way */
  hand(connection: Socket, sent: () => void): void
}

/** Connections that are given to workers in turn. One that is busy gets the next when it has those before, and none waits behind a dead one. */
export interface HandedConnections {
  /** Gives a connection to the next worker that is free, or to the first that will be. */
  take(connection: Socket): void
  join(worker: Answering): void
  /** It gets no more. */
  leave(worker: Answering): void
  /** It gets no more, and what it has not got is another's. */
  died(worker: Answering): void
  /** Gives all that wait to the workers, also to busy ones. Without a worker they are closed. */
  end(): void
}

export function handedConnections(): HandedConnections {
  const joined = new Set<Answering>()
  /** In turn. */
  const free = new Set<Answering>()
  const underWay = new Map<Answering, Socket>()
  const waiting: Socket[] = []
  const hand = () => {
    for (const worker of free) {
      const connection = waiting.shift()
      if (connection === undefined) return
      free.delete(worker)
      underWay.set(worker, connection)
      worker.hand(connection, () => {
        underWay.delete(worker)
        if (!joined.has(worker)) return
        free.add(worker)
        hand()
      })
    }
  }
  const take = (connection: Socket) => {
    waiting.push(connection)
    hand()
  }
  const leave = (worker: Answering) => {
    joined.delete(worker)
    free.delete(worker)
  }
  return {
    take,
    leave,
    join: (worker) => {
      joined.add(worker)
      free.add(worker)
      hand()
    },
    died: (worker) => {
      leave(worker)
      const connection = underWay.get(worker)
      underWay.delete(worker)
      if (connection !== undefined) take(connection)
    },
    end: () => {
      while (waiting.length > 0 && joined.size > 0) {
        for (const worker of joined) free.add(worker)
        hand()
      }
      for (const connection of waiting) connection.destroy()
    },
  }
}
