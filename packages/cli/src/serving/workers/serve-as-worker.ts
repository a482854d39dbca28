import { Socket } from 'node:net'
import type { DesignModule } from '@freehold/frame'
import { createMetrics, type ServerLog } from '@freehold/service'
import { type ConnectOptions, isFreeholdError } from '@freehold/table'
import { watchedSender } from '@freehold/table/runtime'
import type { Endpoint } from '../../engine/endpoint.ts'
import { mailsOf } from '../../mail/mailing.ts'
import { connectDynamo } from '../../opening/connect-dynamo.ts'
import { failureOf } from '../../output/failure.ts'
import { safeText } from '../../output/safe-text.ts'
import { type Exit, exit, type Shell } from '../../shell.ts'
import { type Closing, closing } from '../closing.ts'
import { endOnSignal } from '../end-on-signal.ts'
import { listen } from '../listen.ts'
import { type OpeningService, openService } from '../open-service.ts'
import type { OpenByFolder } from '../served-folders.ts'
import { openDecisionLog } from '../server-decisions.ts'
import { openServerLog } from '../server-log.ts'
import { handedFolders } from './handed-folders.ts'
import type { OfWorker, Orders, ToWorker } from './messages.ts'
import { wholeLines } from './whole-lines.ts'

/** Opens the modules that are served, with the folders that the supervisor reads, and the policy stores that each worker watches. */
export type OpenModules = (opened: Closing, log: ServerLog, openByFolder: OpenByFolder) => Promise<readonly DesignModule[]>

/** What the command line tells a worker as it does its supervisor. */
export interface WorkerOpening
  extends Omit<
    OpeningService,
    'modules' | 'connecting' | 'wantsKey' | 'watchesJobs' | 'mails' | 'settings' | 'log' | 'metrics' | 'decisionLog'
  > {
  readonly endpoint: Endpoint
  /** The bounds of its connections to tables. */
  readonly bounds: Partial<ConnectOptions>
  readonly openModules: OpenModules
}

/** Resolves when it is sent to the supervisor, or nobody is there any more. */
const tell = (message: OfWorker) =>
  new Promise<void>((resolve) => {
    if (process.send === undefined || !process.connected) return resolve()
    process.send(message, undefined, {}, () => resolve())
  })

/**
 * Serves in a worker: what the supervisor has begun is there, so that no key is made and no job looked for. It ends when the supervisor says so, and lets
 * requests under way end.
 */
export async function serveAsWorker(
  { out, err, ...own }: Shell,
  { bounds, endpoint, openModules, ...opening }: WorkerOpening,
): Promise<Exit> {
  const opened = closing()
  const writeErr = wholeLines((piece) => {
    err(piece)
    return own.errTaken?.()
  })
  const writeOut = wholeLines(out)
  const shell: Shell = { ...own, err: (text) => void writeErr(text), out: async (text) => writeOut(text) }
  const log = openServerLog(shell, opened)
  let begin: (orders: Orders) => void = () => {}
  const ordered = new Promise<Orders>((resolve) => {
    begin = resolve
  })
  let end = () => {}
  const ended = new Promise<undefined>((resolve) => {
    end = () => resolve(undefined)
  })
  const refuse = (why: string) => {
    const sentence = `The state of a folder cannot be taken by which the other workers decide, so that this one ends. ${why}`
    log.from('folders')(safeText(sentence), 'error')
    void tell({ is: 'ending', atOnce: true })
  }
  const handed = handedFolders(shell, refuse)
  const metrics = shell.settings.metricsPort === undefined ? undefined : createMetrics()
  let answer: (connection: Socket) => void = () => {}
  // Only its supervisor writes to this channel.
  process.on('message', (message: ToWorker, connection: unknown) => {
    if (message.does === 'serve') {
      for (const folder of message.folders) handed.take(folder)
      begin(message)
    } else if (message.does === 'take') handed.take(message.folder)
    else if (message.does === 'end') end()
    else if (message.does === 'count') void metrics?.registry.getMetricsAsJSON().then((counts) => tell({ is: 'counted', metrics: counts }))
    else if (connection instanceof Socket) answer(connection)
  })
  // The supervisor must hand it no more connections before it ends.
  const release = endOnSignal(async () => {
    await tell({ is: 'ending', atOnce: false })
    await ended
    await opened.all()
    process.exit(exit.yes)
  })
  try {
    // Orders that came before there was a listener would be lost.
    await tell({ is: 'waiting' })
    const orders = await Promise.race([ordered, ended])
    if (orders === undefined) return exit.yes
    const { secret, mailFolder, bound } = orders
    const modules = await openModules(opened, log, handed.open)
    const reached = await connectDynamo(endpoint)
    opened.add(reached.close)
    const sender = metrics === undefined ? reached.sender : watchedSender(reached.sender, metrics.sent)
    const { service } = await openService(opened, {
      ...opening,
      modules,
      connecting: { sender, secret: Buffer.from(secret, 'base64'), ...bounds },
      wantsKey: false,
      watchesJobs: false,
      mails: mailsOf(shell.settings, { folder: mailFolder, isEmbedded: endpoint.kind === 'embedded' }),
      settings: shell.settings,
      log,
      metrics,
      decisionLog: openDecisionLog(shell, opened, log.from('decisions'), metrics),
    })
    const serving = await listen(service, shell.settings, log, metrics, bound)
    answer = serving.take
    opened.add(() => serving.close())
    await tell({ is: 'listening', address: serving.address })
    await ended
    return exit.yes
  } catch (error) {
    const { message } = await failureOf(shell, error)
    await tell({ is: 'failed', code: isFreeholdError(error) ? error.code : 'Unavailable', message })
    return exit.unanswered
  } finally {
    // A signal to all processes of a group comes beside the supervisor's word: it must not end this one before its requests.
    await opened.all()
    release()
    // The channel to the supervisor would keep this process.
    if (process.connected) process.disconnect()
  }
}
