import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as after } from 'node:timers/promises'
import { UnderWay } from '@freehold/table/testing'
import { splitBatch } from '../../packages/table/src/testing/faulty-sender.ts'
import type { CampaignEngine } from './campaign-engine.ts'
import { drip } from './drip.ts'
import { conflictAnswer, type FaultAnswer, mergeUnprocessed, refusal } from './fault-answer.ts'
import { type FaultKind, faultKinds } from './fault-deck.ts'
import { bodyOf, forwarder, type Received } from './forward.ts'
import { type GarbledForm, garbled, garbledForms } from './garbled.ts'
import { LateRequests } from './late-requests.ts'
import { type Input, isTransaction } from './main-writes.ts'
import type { Random } from './random.ts'

export interface CampaignProxy {
  /** The endpoint to which the processes send. */
  readonly endpoint: string
  /** How many requests came, and what they met, by the kind of fault; conflicts between transactions among them. */
  counts(): { readonly requests: number; readonly faults: ReadonlyMap<string, number> }
  /** No more faults: everything held is delivered, and nothing is under way once this resolves. */
  heal(): Promise<void>
  close(): Promise<void>
}

/** The treatment of one request. */
export interface Dealt {
  /** Absent: it is delivered, and answered. */
  readonly kind?: FaultKind | undefined
  /** Of a garbled answer; drawn unless given. */
  readonly form?: GarbledForm | undefined
  /** The fault before any of it is done. */
  readonly before?: (() => Promise<unknown>) | undefined
  /** The fault after it was done, or lost, and before its client hears of it. */
  readonly after?: (() => Promise<unknown>) | undefined
}

/** Undefined: nothing is done to this request. */
export type Deal = (operation: string, input: Input) => Dealt | undefined

interface Options {
  readonly engine: CampaignEngine
  readonly random: Random
  /** The faults that it makes on top of conflicts. */
  readonly deal: Deal
  /** The time that its clients give one attempt. */
  readonly attempt_ms: number
}

/** Milliseconds that a transaction is under way at least, up to: the embedded engine alone would be too quick for two to meet. */
const underWay_ms_max = 6
/** A request comes late by so many attempts at most. */
const latest = 3
const outage_ms = { min: 150, max: 700 } as const

interface Arrived extends Received {
  readonly operation: string
  readonly input: Input
}

/**
 * A loopback proxy between the campaign's processes and its engine that does what DynamoDB, networks and broken servers do. All that it draws is of
 * its seed; which request meets what depends on the order of arrival, so that no two runs are alike. Every delay is bounded.
 */
export async function startCampaignProxy({ engine, random, deal, attempt_ms }: Options): Promise<CampaignProxy> {
  const dealtOf = new Map<string, number>(faultKinds.map((kind) => [kind, 0]))
  const underWay = new UnderWay()
  const upstream = forwarder()
  /** Work that goes on behind an answer, or without one. */
  const behind = new Set<Promise<unknown>>()
  const late = new LateRequests(random, latest * attempt_ms)
  let requests = 0
  let isHealed = false
  let isOut = false

  /** Delivers a request, unless a transaction under way stands against it; or not to an engine that was started again since, where it is late. */
  async function deliver({ operation, input, ...received }: Arrived, body = received.body, isStill = () => true): Promise<FaultAnswer> {
    const entered = underWay.enter(operation, input)
    if ('refused' in entered) return conflictAnswer(entered.refused)
    try {
      if (isTransaction(operation) && !isHealed) await after(1 + random.below(underWay_ms_max))
      const endpoint = await engine.endpoint()
      if (!isStill()) return refusal(500, 'InternalServerError')
      const answer = await upstream.send(endpoint, { ...received, body })
      if (answer.status === 200) late.seen({ operation, input, body })
      return answer
    } finally {
      entered.leave()
    }
  }

  function goOn(work: Promise<unknown>): void {
    const watched: Promise<unknown> = work.catch(() => undefined).finally(() => behind.delete(watched))
    behind.add(watched)
  }

  /**
   * Delivers later, when its client has sent it again, and has perhaps gone on. Not past a restart: the embedded engine forgets its tokens then,
   * which DynamoDB keeps for longer than any request is on its way.
   */
  async function deliverLate(arrived: Arrived, awaitsWorst: boolean): Promise<void> {
    const { restarts } = engine
    await late.until(arrived, awaitsWorst)
    await deliver(arrived, arrived.body, () => engine.restarts === restarts)
  }

  async function restart(): Promise<void> {
    // A held request is delivered before: see above.
    late.releaseAll()
    while (late.size > 0) await after(1)
    await engine.restart()
  }

  /** Breaks off all connections, and accepts none until the work is done. */
  async function breakDown(kind: 'outage' | 'refuse', work: () => Promise<unknown>): Promise<void> {
    if (isOut) return
    isOut = true
    // A port that nobody listens on refuses; one that is listened on breaks off what it accepts.
    if (kind === 'refuse') server.close()
    server.closeAllConnections()
    await work()
    if (kind === 'refuse') await listen(server, port)
    isOut = false
  }

  const aWhile = () => after(outage_ms.min + random.below(outage_ms.max - outage_ms.min))

  /** The answer to give: none at all, or `silence`, which keeps the connection. */
  async function meet({ kind, form, after: then }: Dealt, arrived: Arrived): Promise<FaultAnswer | 'nothing' | 'silence' | 'drip'> {
    const { operation, input } = arrived
    switch (kind) {
      case undefined:
        return deliver(arrived)
      case 'lose-request':
        return 'nothing'
      case 'hang-request':
        return 'silence'
      case 'lose-answer':
        await deliver(arrived)
        return 'nothing'
      case 'hang-answer':
        await deliver(arrived)
        return 'silence'
      case 'drip':
        return 'drip'
      case 'garble-request':
        return garbled(form ?? random.one(garbledForms), operation, undefined)
      case 'garble-answer':
        return garbled(form ?? random.one(garbledForms), operation, await deliver(arrived))
      case 'fail-answer':
        await deliver(arrived)
        return refusal(500, 'InternalServerError')
      case 'fail-request':
        return refusal(500, 'InternalServerError')
      case 'throttle':
        return refusal(400, random.percent(50) ? 'ProvisionedThroughputExceededException' : 'ThrottlingException')
      case 'deny':
        return refusal(400, 'AccessDeniedException')
      case 'cancel':
        return refusal(400, 'TransactionCanceledException', { CancellationReasons: [{ Code: 'ValidationError' }] })
      case 'unprocessed': {
        const { processed, unprocessed } = splitBatch(input, 1 + random.below(3))
        const answer = processed === undefined ? undefined : await deliver(arrived, JSON.stringify(processed))
        return mergeUnprocessed(operation, answer, unprocessed)
      }
      case 'hold':
      case 'hold-silently':
      case 'hold-lone':
        goOn(deliverLate(arrived, kind === 'hold-lone' || random.percent(50)))
        return kind === 'hold-silently' ? 'silence' : 'nothing'
      case 'restart':
        await deliver(arrived)
        goOn(restart())
        return 'nothing'
      case 'restart-refused':
        await deliver(arrived)
        await breakDown('refuse', async () => {
          await restart()
          await then?.()
          // Longer than a client pauses after its first attempt, as a start of an engine takes: it is sure to be refused.
          await after(outage_ms.min)
        })
        return 'nothing'
      case 'outage':
      case 'refuse':
        goOn(breakDown(kind, aWhile))
        return 'nothing'
    }
  }

  async function serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(message)
    const operation = String(message.headers['x-amz-target'] ?? '').replace(/^.*\./, '')
    const arrived: Arrived = { headers: message.headers, body, operation, input: body === '' ? {} : JSON.parse(body) }
    requests += 1
    if (isOut) return void response.destroy()
    const dealt = (isHealed ? undefined : deal(operation, arrived.input)) ?? {}
    if (dealt.kind !== undefined) dealtOf.set(dealt.kind, (dealtOf.get(dealt.kind) ?? 0) + 1)
    await dealt.before?.()
    const met = await meet(dealt, arrived)
    if (dealt.kind !== 'restart-refused') await dealt.after?.()
    if (met === 'nothing') response.destroy()
    else if (met === 'drip') await drip(response, await deliver(arrived), attempt_ms)
    else if (met !== 'silence') response.writeHead(met.status, { 'content-type': 'application/x-amz-json-1.0' }).end(met.body)
  }

  const server = createServer((message, response) => {
    const serving = serve(message, response).catch(() => response.destroy())
    behind.add(serving)
    void serving.finally(() => behind.delete(serving))
  })
  await listen(server, 0)
  // A server that listens on TCP has an AddressInfo.
  const { port } = server.address() as AddressInfo
  const settled = async () => {
    while (behind.size > 0) await Promise.allSettled(behind)
  }
  return {
    endpoint: `http://127.0.0.1:${port}`,
    counts: () => ({
      requests,
      faults: new Map<string, number>([...dealtOf, ['conflict', underWay.conflicts], ['in-progress', underWay.repeats]]),
    }),
    heal: async () => {
      isHealed = true
      late.releaseAll()
      server.closeAllConnections()
      await settled()
    },
    close: async () => {
      isHealed = true
      server.closeAllConnections()
      server.close()
      await settled()
      server.closeAllConnections()
      upstream.close()
    },
  }
}

async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
}
