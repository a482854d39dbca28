import { existsSync } from 'node:fs'
import type { Outbox, OutboxMail } from '@freehold/service/mail'
import { FreeholdError } from '@freehold/table'
import { withoutData } from '../engine/data-folder.ts'
import { embeddedEngine, resolveEndpoint } from '../engine/endpoint.ts'
import { invalid } from '../input/invalid.ts'
import { mailsOf } from '../mail/mailing.ts'
import { serviceAt } from '../opening/service-at.ts'
import { safeText } from '../output/safe-text.ts'
import { renderTable } from '../output/table.ts'
import { type Exit, exit, jsonLine, type PrintOptions, type Shell } from '../shell.ts'

export interface OutboxOptions extends PrintOptions {
  readonly data?: string
  readonly limit?: number
}

function printable({ from, to, sentAt, subject, text }: OutboxMail): string {
  const body = text.split('\n').map((line) => safeText(line))
  return [
    `From: ${safeText(from.address)}`,
    `To: ${safeText(to.address)}`,
    `Date: ${sentAt}`,
    `Subject: ${safeText(subject)}`,
    '',
    ...body,
  ].join('\n')
}

/** The most mails that a service tells at once. */
const mailsMax = 100

/** The outbox of the data folder, or that of a service. Throws `InvalidInput` where there is none. */
async function openedOutbox(shell: Shell, options: OutboxOptions): Promise<Pick<Outbox, 'list'>> {
  const service = serviceAt(shell)
  if (service !== undefined) {
    const [{ serviceOf }, { asked }] = await Promise.all([import('@freehold/client'), import('../opening/problem-as-error.ts')])
    // The service tells a mail as its outbox has it.
    const list: Outbox['list'] = async ({ limit = mailsMax } = {}) =>
      (await asked(() => serviceOf(service).outbox({ limit }))) as unknown as readonly OutboxMail[]
    return { list }
  }
  const endpoint = await resolveEndpoint(shell, options)
  const { directory: folder } = embeddedEngine(shell, options)
  const { outbox: open } = mailsOf(shell.settings, { folder, isEmbedded: endpoint.kind === 'embedded' })
  if (open === undefined) throw invalid('There is no outbox: mails stay in one with the embedded engine, or with FREEHOLD_MAIL=outbox.')
  // Mails need no engine.
  if (!existsSync(folder)) throw withoutData(folder)
  return open()
}

/** Lists the mails of the outbox, the newest first, or prints one of them. */
export async function outbox(shell: Shell, [id]: readonly string[], options: OutboxOptions): Promise<Exit> {
  const { list } = await openedOutbox(shell, options)
  if (id !== undefined) {
    const mail = (await list()).find((each) => each.id === id)
    if (mail === undefined) throw new FreeholdError('NotFound', `The outbox has no mail ${safeText(id)}.`, {})
    await shell.out(options.json === true ? jsonLine(mail) : printable(mail))
    return exit.yes
  }
  const mails = await list({ limit: options.limit })
  if (options.json === true) await shell.out(mails.map(jsonLine).join(''))
  else if (mails.length === 0) await shell.out('The outbox is empty.\n')
  else {
    const rows = mails.map(({ id, sentAt, to, subject }) => [id, sentAt, to.address, subject])
    await shell.out(renderTable(['mail', 'sent', 'to', 'subject'], rows, shell.columns))
    await shell.out(`Print one: freehold outbox ${mails[0]?.id}\n`)
  }
  return exit.yes
}
