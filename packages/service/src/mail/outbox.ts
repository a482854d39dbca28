import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Mail, Mailbox, Mailer } from '@freehold/frame/mail'
import { FreeholdError } from '@freehold/table'

/** A mail in the outbox. */
export interface OutboxMail extends Mail {
  readonly from: Mailbox
  /** An ISO instant. */
  readonly sentAt: string
  readonly messageId: string
}

/** Mails that stay in a folder instead of being sent: for trials, beside the embedded engine. */
export interface Outbox {
  readonly mailer: Mailer
  /** The newest mails first; all that are kept, by default. */
  list(options?: { readonly limit?: number | undefined }): Promise<readonly OutboxMail[]>
}

export interface OutboxOptions {
  readonly folder: string
  readonly from: Mailbox
  readonly now?: (() => Date) | undefined
}

/** The number of mails that are kept. Older ones go. */
const kept = 1_000

const ending = '.json'

/** Ids are letters, digits, dots and hyphens, so that none names a file elsewhere. */
const idForm = /^[0-9A-Za-z][0-9A-Za-z.-]{0,99}$/

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).filter((name) => name.endsWith(ending)).sort()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

/** Undefined for a mail that another process has just taken away, and for a file that is none. */
async function readMail(path: string): Promise<OutboxMail | undefined> {
  try {
    // Only `send` writes mails, and writes them whole.
    const mail = JSON.parse(await readFile(path, 'utf8')) as Partial<OutboxMail> | null
    return typeof mail?.id === 'string' && typeof mail.to?.address === 'string' ? (mail as OutboxMail) : undefined
  } catch {
    return undefined
  }
}

/** Opens an outbox. The folder is created with the first mail, and only its owner may read it: mails hold links that let people in. */
export function openOutbox({ folder, from, now = () => new Date() }: OutboxOptions): Outbox {
  const send = async (mail: Mail) => {
    if (!idForm.test(mail.id))
      throw new FreeholdError('InvalidInput', 'The id of a mail is letters, digits, dots and hyphens.', { issues: [] })
    const sentAt = now().toISOString()
    const messageId = `<${mail.id}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`
    await mkdir(folder, { recursive: true, mode: 0o700 })
    // The names sort by time.
    const path = join(folder, `${sentAt.replaceAll(':', '')}-${mail.id}${ending}`)
    const content = { ...mail, from, sentAt, messageId } satisfies OutboxMail
    await writeFile(`${path}.tmp`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
    await rename(`${path}.tmp`, path)
    const names = await namesIn(folder)
    await Promise.all(names.slice(0, Math.max(0, names.length - kept)).map((name) => rm(join(folder, name), { force: true })))
    return { messageId }
  }
  return Object.freeze({
    mailer: Object.freeze({ from, send }),
    list: async ({ limit = kept }: { readonly limit?: number | undefined } = {}) => {
      const names = [...(await namesIn(folder))].reverse().slice(0, limit)
      const mails = await Promise.all(names.map((name) => readMail(join(folder, name))))
      return mails.filter((mail) => mail !== undefined)
    },
  })
}
