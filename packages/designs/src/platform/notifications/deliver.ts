import { creating, type Item, isFreeholdError, type New, type Steps, updating } from '@freehold/table'
import { returnedItem } from '../../flow/live-item.ts'
import { entryOf, writeRecorded } from '../../flow/recorded-write.ts'
import { retryOnConflict } from '../../flow/retry-on-conflict.ts'
import { type Mail, MailRefused } from '../../mail/mailer.ts'
import { NotificationAudit, NotificationIntent } from '../design.ts'
import type { PlatformContext } from '../flows/platform-host.ts'
import { mailOf, type Prepared } from './mail-of.ts'
import { type Subject, subjectOf } from './subject.ts'

type Intent = Item<typeof NotificationIntent>
type Audit = New<typeof NotificationAudit>

/** What became of a mail. `passed`: it was sent, tried or begun before, and nothing was done. */
export interface Delivery {
  readonly outcome: 'sent' | 'failed' | 'skipped' | 'passed'
  readonly reason?: string
  /** The audit of this attempt. */
  readonly auditId?: string
}

export interface Delivering {
  /** True for a mail that somebody asks for: what failed or is unknown is sent again, and what was sent before is audited as skipped. */
  readonly isAsked?: boolean
  /** The durable job that delivers. If it meets an attempt of its own, an earlier run of it has died under that attempt. */
  readonly job?: string | undefined
}

/** An attempt that is this old is over: no transport takes so long, in milliseconds. */
export const attemptMax_ms = 10 * 60_000
export const unknownOutcome = 'The outcome is unknown: the sender ended, or lost the answer, while it sent the mail.'

const sentBefore = 'sent before'
const consistent = { consistent: true }
/** An audit of one attempt. Its id is that of the attempt, so that there is one. */
function auditOf(
  context: PlatformContext,
  subject: Subject,
  id: string,
  prepared: Prepared,
  outcome: Partial<Audit> & Pick<Audit, 'deliveryStatus'>,
): Audit {
  const { recipient, accountName, subject: title } = prepared
  const { accountId, notificationType, ...what } = subject
  return {
    id,
    notificationType,
    accountId,
    accountName,
    recipientEmail: recipient?.email,
    recipientFirstName: recipient?.firstName,
    recipientLastName: recipient?.lastName,
    userId: recipient?.userId,
    senderEmail: context.host.mailing?.mailer.from.address,
    subject: title,
    metadata: what,
    ...outcome,
  }
}

/** Writes the audit of an attempt together with its outcome. False if somebody else has written it. */
async function settle(context: PlatformContext, intent: Intent, audit: Audit, state: Intent['state']): Promise<boolean> {
  const steps: Steps = {
    audit: creating(NotificationAudit, audit),
    intent: updating(NotificationIntent, subjectOf(intent), { state, sendingSince: null, job: null }, { version: intent.version }),
  }
  try {
    await context.table.transact(steps)
    return true
  } catch (error) {
    if (isFreeholdError(error, 'TransactionFailed') && error.details.uncertain !== true) return false
    throw error
  }
}

/** Settles an attempt whose sender is gone: nobody knows whether the mail was sent. */
export async function settleUnknown(context: PlatformContext, intent: Intent): Promise<boolean> {
  const { skipReason: _, ...prepared } = await mailOf(context, subjectOf(intent))
  const audit = auditOf(context, subjectOf(intent), intent.attempt, prepared, { deliveryStatus: 'failed', errorMessage: unknownOutcome })
  return settle(context, intent, audit, 'unknown')
}

/** An attempt that is to be made now, and its mail. */
interface Claimed {
  readonly intent: Intent
  readonly prepared: Prepared
}

/** Keeps the intent to send a mail, before it goes out and once for all who want to send it; or tells why it is not to be sent now. */
async function claim(context: PlatformContext, subject: Subject, { isAsked = false, job }: Delivering): Promise<Claimed | Delivery> {
  const { table } = context
  const { runtime } = table
  const attempt = async (): Promise<Claimed | Delivery> => {
    const before = await table.NotificationIntent.get(subject, consistent)
    const now = runtime.now()
    if (before?.state === 'sending') {
      const isOver = (job !== undefined && before.job === job) || Date.parse(String(before.sendingSince)) + attemptMax_ms <= now.getTime()
      if (!isOver) return { outcome: 'passed', reason: 'another is sending it' }
      await settleUnknown(context, before)
      return attempt()
    }
    if (before?.state === 'sent') return { outcome: 'passed', reason: sentBefore }
    if (before !== undefined && !isAsked) return { outcome: 'passed', reason: `${before.state} before` }
    const prepared = await mailOf(context, subject)
    const sending = { state: 'sending', attempt: runtime.making().uuid(), sendingSince: now.toISOString(), job: job ?? null } as const
    const after = { ...before, ...subject, ...sending }
    const step =
      before === undefined
        ? creating(NotificationIntent, { ...subject, ...sending })
        : updating(NotificationIntent, subjectOf(before), sending, { version: before.version })
    const written = await writeRecorded(context, { intent: step }, { ...entryOf(context, NotificationIntent, after), before, after })
    return { intent: returnedItem(NotificationIntent, written.intent), prepared }
  }
  return retryOnConflict(runtime, attempt, ['AlreadyExists'])
}

type Outcome =
  | { readonly state: 'sent'; readonly deliveryStatus: 'sent'; readonly sesMessageId: string }
  | { readonly state: 'failed' | 'unknown'; readonly deliveryStatus: 'failed'; readonly errorMessage: string }

const failed = (errorMessage: string, state: 'failed' | 'unknown' = 'failed'): Outcome => ({
  state,
  deliveryStatus: 'failed',
  errorMessage,
})

/** Sends the mail of an attempt that was claimed. */
async function send(
  { host: { mailing } }: PlatformContext,
  { attempt: id }: Intent,
  { recipient, subject, content }: Prepared,
): Promise<Outcome> {
  if (mailing === undefined || recipient === undefined || subject === undefined || content === undefined)
    return failed('There is no mail to send.')
  let made: Pick<Mail, 'text' | 'html'>
  try {
    made = await content(mailing)
  } catch {
    // The error is of the deployer's own function, and may hold a secret.
    return failed('The link for credentials could not be made.')
  }
  const name = [recipient.firstName, recipient.lastName].filter((part) => part !== undefined).join(' ')
  try {
    const { messageId } = await mailing.mailer.send({ id, to: { address: recipient.email, name }, subject, ...made })
    return { state: 'sent', deliveryStatus: 'sent', sesMessageId: messageId }
  } catch (error) {
    return error instanceof MailRefused ? failed(error.message) : failed(unknownOutcome, 'unknown')
  }
}

/**
 * Sends a mail at most once, also after a failure, and if many do it at once: the intent is written before the mail goes out, and an attempt whose outcome
 * nobody knows is not repeated by itself. Each attempt leaves one audit. A mail that fails, or an audit that cannot be written, throws nothing; only what
 * fails before anything was sent does.
 */
export async function deliver(context: PlatformContext, subject: Subject, how: Delivering = {}): Promise<Delivery> {
  const claimed = await claim(context, subject, how)
  if ('outcome' in claimed) {
    if (how.isAsked !== true || claimed.reason !== sentBefore) return claimed
    const auditId = context.table.runtime.making().uuid()
    const skipped = { deliveryStatus: 'skipped', skipReason: sentBefore } as const
    await context.table.NotificationAudit.create(auditOf(context, subject, auditId, await mailOf(context, subject), skipped))
    return { outcome: 'skipped', reason: sentBefore, auditId }
  }
  const { intent, prepared } = claimed
  const { skipReason } = prepared
  const { state, ...outcome } =
    skipReason === undefined
      ? await send(context, intent, prepared)
      : ({ state: 'skipped', deliveryStatus: 'skipped', skipReason } as const)
  // An audit that fails leaves the attempt open: the next sweep settles it as unknown.
  await settle(context, intent, auditOf(context, subject, intent.attempt, prepared, outcome), state).catch(() => false)
  const reason = 'errorMessage' in outcome ? outcome.errorMessage : 'skipReason' in outcome ? outcome.skipReason : undefined
  return { outcome: outcome.deliveryStatus, ...(reason === undefined ? {} : { reason }), auditId: intent.attempt }
}
