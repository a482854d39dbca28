import { creating, type Entity, isFreeholdError, type Steps, updating } from '@freehold/table'
import type { FlowContext } from '../flow/flow-host.ts'
import { returnedItem } from '../flow/items/live-item.ts'
import { idOfItem } from '../flow/items/write-item.ts'
import type { View } from '../flow/records/recorded-changes.ts'
import { entryOf, writeRecorded } from '../flow/records/recorded-write.ts'
import { retryOnConflict } from '../flow/retry-on-conflict.ts'
import { type Mail, MailRefused } from './mailer.ts'
import type { MailIntent, MailSubject, Mails, Prepared, Status } from './mails.ts'

/** What became of a mail. `passed`: it was sent, tried or begun before, and nothing was done. */
export interface Delivery {
  readonly outcome: Status | 'passed'
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
/** What an audit says of a mail whose answer was lost. */
export const unknownOutcome = 'The outcome is unknown: the sender ended, or lost the answer, while it sent the mail.'

const sentBefore = 'sent before'

/** What the audit of an attempt tells of its mail, by attribute. */
type Told = NonNullable<MailIntent['told']>

type Outcome = { readonly [N in 'sesMessageId' | 'errorMessage' | 'skipReason']?: string } & { readonly deliveryStatus: Status }

const failed = (errorMessage: string): Outcome => ({ deliveryStatus: 'failed', errorMessage })

/** Sends the mail of an attempt that was claimed. */
async function send(
  { host: { mailing } }: FlowContext,
  { attempt: id }: MailIntent,
  { recipient, subject, content, skipReason }: Prepared,
): Promise<Outcome & { readonly state: MailIntent['state'] }> {
  if (skipReason !== undefined) return { state: 'skipped', deliveryStatus: 'skipped', skipReason }
  if (mailing === undefined || recipient === undefined || subject === undefined || content === undefined)
    return { state: 'failed', ...failed('There is no mail to send.') }
  let made: Pick<Mail, 'text' | 'html'>
  try {
    made = await content(mailing)
  } catch (error) {
    // Any other error may be of the deployer's own function, and hold a secret.
    return { state: 'failed', ...failed(error instanceof MailRefused ? error.message : 'The content of the mail could not be made.') }
  }
  const name = [recipient.firstName, recipient.lastName].filter((part) => part !== undefined).join(' ')
  try {
    const { messageId } = await mailing.mailer.send({ id, to: { address: recipient.email, name }, subject, ...made })
    return { state: 'sent', deliveryStatus: 'sent', sesMessageId: messageId }
  } catch (error) {
    return error instanceof MailRefused ? { state: 'failed', ...failed(error.message) } : { state: 'unknown', ...failed(unknownOutcome) }
  }
}

/** The protocol by which a design's mails go out, at most once each. */
export function deliveryOf<C extends FlowContext, S extends MailSubject, A extends Entity>({ intents, audits, prepare }: Mails<C, S, A>) {
  // The key of an intent is its subject.
  const subjectOf = (intent: S) => idOfItem(intents, intent) as unknown as S
  const intentOf = async ({ table }: C, subject: S): Promise<(S & MailIntent) | undefined> =>
    // The entity has `intentAttributes`.
    (await table.repositoryNamed(intents.name).get(subject, { consistent: true })) as unknown as (S & MailIntent) | undefined

  /** What an audit tells of a mail. */
  const toldOf = ({ host }: C, { recipient, subject, told }: Prepared): Told => {
    const all = {
      ...told,
      recipientEmail: recipient?.email,
      recipientFirstName: recipient?.firstName,
      recipientLastName: recipient?.lastName,
      userId: recipient?.userId,
      senderEmail: host.mailing?.mailer.from.address,
      subject,
    }
    // The attributes of audits are texts, and an intent keeps no undefined one.
    return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Told
  }

  /** An audit of one attempt. Its id is that of the attempt, so that there is one. */
  const auditOf = ({ notificationType, subjectId, occasion, ...tenant }: S, id: string, told: Told, outcome: Outcome): View => ({
    ...{ id, notificationType, ...tenant, ...told },
    metadata: { subjectId, occasion },
    ...outcome,
  })

  /** Writes the audit of an attempt together with its outcome. False if somebody else has written it. */
  const settle = async (context: C, intent: S & MailIntent, audit: View, state: MailIntent['state']): Promise<boolean> => {
    const change = { state, sendingSince: null, job: null, told: null }
    const steps: Steps = {
      // The entities have the attributes that `Mails` names.
      audit: creating<Entity>(audits, audit as never),
      intent: updating<Entity>(intents, subjectOf(intent) as never, change as never, { version: intent.version }),
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
  const settleUnknown = async (context: C, intent: S & MailIntent): Promise<boolean> => {
    const subject = subjectOf(intent)
    const told = intent.told ?? toldOf(context, await prepare(context, subject))
    return settle(context, intent, auditOf(subject, intent.attempt, told, failed(unknownOutcome)), 'unknown')
  }

  /** Keeps the intent to send a mail, before it goes out and once for all who want to send it; or tells why it is not to be sent now. */
  const claim = (context: C, subject: S, { isAsked = false, job }: Delivering) => {
    const { runtime } = context.table
    const attempt = async (): Promise<{ readonly intent: S & MailIntent; readonly prepared: Prepared } | Delivery> => {
      const before = await intentOf(context, subject)
      const now = runtime.now()
      if (before?.state === 'sending') {
        const isOver = (job !== undefined && before.job === job) || Date.parse(String(before.sendingSince)) + attemptMax_ms <= now.getTime()
        if (!isOver) return { outcome: 'passed', reason: 'another is sending it' }
        await settleUnknown(context, before)
        return attempt()
      }
      if (before?.state === 'sent') return { outcome: 'passed', reason: sentBefore }
      if (before !== undefined && !isAsked) return { outcome: 'passed', reason: `${before.state} before` }
      const prepared = await prepare(context, subject)
      const begun = { state: 'sending', attempt: runtime.making().uuid(), sendingSince: now.toISOString(), job: job ?? null }
      const after = { ...before, ...subject, ...begun }
      const sending = { ...begun, told: toldOf(context, prepared) }
      const step =
        before === undefined
          ? creating<Entity>(intents, { ...subject, ...sending } as never)
          : updating<Entity>(intents, subjectOf(before) as never, sending as never, { version: before.version })
      const written = await writeRecorded(context, { intent: step }, { ...entryOf(context, intents, after), before, after })
      return { intent: returnedItem(intents, written.intent) as unknown as S & MailIntent, prepared }
    }
    return retryOnConflict(runtime, attempt, ['AlreadyExists'])
  }

  /**
   * Sends a mail at most once, also after a failure, and if many do it at once: the intent is written before the mail goes out, and an attempt whose
   * outcome nobody knows is not repeated by itself. Each attempt leaves one audit. A mail that fails, or an audit that cannot be written, throws
   * nothing; only what fails before anything was sent does.
   */
  const deliver = async (context: C, subject: S, how: Delivering = {}): Promise<Delivery> => {
    const claimed = await claim(context, subject, how)
    if ('outcome' in claimed) {
      if (how.isAsked !== true || claimed.reason !== sentBefore) return claimed
      const auditId = context.table.runtime.making().uuid()
      const skipped = { deliveryStatus: 'skipped', skipReason: sentBefore } as const
      const audit = auditOf(subject, auditId, toldOf(context, await prepare(context, subject)), skipped)
      await context.table.repositoryNamed(audits.name).create(audit)
      return { outcome: 'skipped', reason: sentBefore, auditId }
    }
    const { intent, prepared } = claimed
    const { state, ...outcome } = await send(context, intent, prepared)
    // An audit that fails leaves the attempt open: the next sweep settles it as unknown.
    await settle(context, intent, auditOf(subject, intent.attempt, toldOf(context, prepared), outcome), state).catch(() => false)
    const reason = outcome.errorMessage ?? outcome.skipReason
    return { outcome: outcome.deliveryStatus, ...(reason === undefined ? {} : { reason }), auditId: intent.attempt }
  }

  return { subjectOf, intentOf, settleUnknown, deliver }
}
