import { rebac } from '@freehold/designs/rebac'
import { sharePort } from '@freehold/service'
import { watchedSender } from '@freehold/table/runtime'
import { unknownVariables } from '../config/unknown-variables.ts'
import { embeddedEngine, resolveEndpoint } from '../engine/endpoint.ts'
import { readSecret } from '../engine/secret.ts'
import { invalid } from '../input/invalid.ts'
import { issuersIn } from '../input/issuers.ts'
import { mailsOf } from '../mail/mailing.ts'
import { connectBounds, connectDynamo, isAtAws } from '../opening/connect-dynamo.ts'
import { isLoopback, warningsOf } from '../opening/loopback.ts'
import type { TableOptions } from '../opening/open-table.ts'
import type { FolderOptions } from '../opening/with-folder.ts'
import { chosenDesigns } from '../serving/chosen-designs.ts'
import { closing } from '../serving/closing.ts'
import { endOnSignal } from '../serving/end-on-signal.ts'
import { keepFirstKey, temporaryFolder } from '../serving/first-key.ts'
import { listen } from '../serving/listen.ts'
import { openService } from '../serving/open-service.ts'
import { assignmentFor, placeWords } from '../serving/places.ts'
import { watchedFolders, withServedFolders } from '../serving/served-folders.ts'
import { checkDecisionLog, openDecisionLog } from '../serving/server-decisions.ts'
import { openServerLog } from '../serving/server-log.ts'
import { openMetrics } from '../serving/server-metrics.ts'
import { welcomeText } from '../serving/welcome.ts'
import { forkWorker, isWorker } from '../serving/workers/cluster-worker.ts'
import type { HandedFolder, Orders } from '../serving/workers/messages.ts'
import { type OpenModules, serveAsWorker } from '../serving/workers/serve-as-worker.ts'
import { supervise, type Workers } from '../serving/workers/supervise.ts'
import { type Exit, exit, printJson, type Shell } from '../shell.ts'

export interface ServeOptions extends TableOptions, FolderOptions {
  readonly memory?: boolean
  readonly newKey?: boolean
}

/** One process that serves, or several. */
interface Listening extends Pick<Workers, 'close'>, Partial<Pick<Workers, 'begun' | 'failed'>> {
  readonly address: string
}

/** Serves designs over HTTP until it is stopped. */
export async function serve(shell: Shell, _operands: readonly string[], options: ServeOptions): Promise<Exit> {
  const { data, table, memory = false, newKey = false, json = false } = options
  const { host, trustedProxies, workers, issuers: issuersFile, designs: asked } = shell.settings
  checkDecisionLog(shell.settings)
  const chosen = chosenDesigns(shell, { design: asked, table })
  const hasPages = isLoopback(host) && trustedProxies === 0
  const issuers = issuersFile === undefined ? [] : await issuersIn(shell, issuersFile)
  const place = { ...(data === undefined ? {} : { data }), memory }
  if (memory && workers > 1) throw invalid('Workers share no memory: leave out --memory, or serve in one process.')
  const endpoint = await resolveEndpoint(shell, place)
  const opening = { areAsked: asked !== undefined, table, isAtAws: isAtAws(endpoint), issuers, hasPages }
  if (workers > 1 && isWorker) {
    const openModules: OpenModules = (opened, log, openByFolder) =>
      withServedFolders(shell, opened, chosen, options, log.from('folders'), openByFolder)
    return serveAsWorker(shell, { ...opening, endpoint, bounds: connectBounds(shell), openModules })
  }
  const opened = closing()
  const log = openServerLog(shell, opened)
  for (const sentence of await unknownVariables(shell.env, shell.designs)) log.from('settings')(sentence, 'warn')
  // First of all: a folder that is refused is told before data is opened.
  let crew: Workers | undefined
  const folders = new Map<string, HandedFolder>()
  const openByFolder = watchedFolders(shell, opened, log.from('folders'), ({ name }, texts) => {
    const folder = { name, texts: [...texts] }
    folders.set(name, folder)
    crew?.handOn(folder)
  })
  const modules = await withServedFolders(shell, opened, chosen, options, log.from('folders'), openByFolder)
  const reached = await connectDynamo(endpoint)
  opened.add(reached.close)
  const release = endOnSignal(async () => {
    log.from('server')('It ends: what was sent is answered. A second signal ends it at once.')
    await opened.all()
    process.exit(exit.yes)
  })
  try {
    const directory = memory ? undefined : embeddedEngine(shell, place).directory
    const secret = Buffer.from(readSecret(shell.settings, directory))
    const mailFolder = directory ?? temporaryFolder(opened)
    const mails = mailsOf(shell.settings, { folder: mailFolder, isEmbedded: endpoint.kind === 'embedded' })
    const counted = await openMetrics(shell.settings, opened, async () => (await crew?.counted()) ?? [])
    const sender = counted === undefined ? reached.sender : watchedSender(reached.sender, counted.metrics.sent)
    // It is closed before the tables, by which evidence is read.
    const decisionLog = workers > 1 ? undefined : openDecisionLog(shell, opened, log.from('decisions'), counted?.metrics)
    const { service, designs, key, link, samples } = await openService(opened, {
      ...opening,
      modules,
      connecting: { sender, secret, ...connectBounds(shell) },
      wantsKey: newKey,
      mails,
      settings: shell.settings,
      log,
      metrics: counted?.metrics,
      decisionLog,
    })
    for (const warning of warningsOf(host, trustedProxies)) log.from('server')(warning, 'warn')
    const told = { does: 'serve', secret: secret.toString('base64'), mailFolder } as const
    let serving: Listening
    if (workers > 1) {
      const port = await sharePort(host, shell.settings.port, (connection) => crew?.take(connection))
      const { address } = port
      const orders = (): Orders => ({ ...told, bound: { address, port: port.port }, folders: [...folders.values()] })
      // A worker ends what still runs after its grace, and writes its log.
      const end_ms = shell.settings.graceMs + 2_000
      const hired = supervise({ count: workers, end_ms, orders, fork: forkWorker, say: log.from('workers') })
      crew = hired
      serving = { ...hired, address, close: () => port.close().then(hired.close) }
    } else serving = await listen(service, shell.settings, log, counted?.metrics)
    opened.add(() => serving.close())
    const { address } = serving
    await serving.begun
    log.from('server')(`Listening at ${address}.`)
    if (counted !== undefined) log.from('server')(`Metrics are at ${counted.address}.`)
    // Called once the server listens, since a new key is printed.
    const made = await key()
    const isKept = made?.isFirst === true && shell.columns === undefined
    const shown = made && (isKept ? { keyFile: keepFirstKey(made.text, directory, opened) } : { key: made.text })
    const begun = { address, designs, ...shown, hasSample: samples.loaded.has(rebac.name) }
    if (json) await printJson(shell, begun)
    else
      await shell.out(
        welcomeText({
          ...begun,
          samples,
          // Where stdout is no terminal it is a log, which others read.
          console: hasPages && shell.columns !== undefined ? await link() : undefined,
          table,
          where: placeWords(endpoint),
          assignment: assignmentFor(endpoint, data === undefined),
          isShared: !memory,
          columns: shell.columns,
        }),
      )
    return await (serving.failed ?? new Promise<never>(() => {}))
  } finally {
    await opened.all()
    release()
  }
}
