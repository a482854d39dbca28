import { count, type Entity, email, flag, list, oneOf, opaqueId, record, text } from '@freehold/table'
import { pageOf, valuesOf } from '../decision/returns.ts'
import { readErrors } from '../flow/flow-errors.ts'
import { type FlowContext, type ScopeOf, tenantAt } from '../flow/flow-host.ts'
import type { InputOf } from '../flow/input/input-attributes.ts'
import { liveItem, stateConflict } from '../flow/items/live-item.ts'
import { idOfItem } from '../flow/items/write-item.ts'
import { paging } from '../flow/paging.ts'
import type { View } from '../flow/records/recorded-changes.ts'
import { tenantOfItem } from '../flow/records/recorded-write.ts'
import { auditsOf, summaryOf } from './audits.ts'
import { type Delivery, deliveryOf } from './deliver.ts'
import { type MailSubject, type Mails, statuses } from './mails.ts'

const period = {
  from: text().optional().describe('Where the period begins: an instant, or a day.'),
  to: text().optional().describe('Where the period ends, included: an instant, or a day.'),
}
const audited = { auditId: opaqueId() }
const listed = {
  status: oneOf(...statuses)
    .optional()
    .describe('How the mails went. A list is of one tenant, of a status, or of both.'),
  type: text().optional().describe('The type of the notification.'),
  recipient: email().optional().describe('To whom the mails went.'),
  ...period,
  ...paging,
}
const delivery = valuesOf<Delivery>({
  outcome: oneOf('sent', 'failed', 'skipped', 'passed').describe('How the mail went; `passed` if it was sent before.'),
  reason: text().optional().describe('Why it was not sent.'),
  auditId: opaqueId().optional(),
})

/** Parts of the flows of a design's mails. The design adds names, permissions and, to the lists, the attribute of the tenant and the scope. */
export function mailFlows<C extends FlowContext, S extends MailSubject, A extends Entity>(mails: Mails<C, S, A>) {
  const { intents, audits } = mails
  const { intentOf, deliver, subjectOf } = deliveryOf(mails)

  /** The intent of an audit whose mail is to be sent again. Throws `NotFound`. */
  const intentAudited = async (context: C, { auditId: id }: InputOf<typeof audited>) => {
    // An audit has an id.
    const audit: View = await liveItem<Entity>(context, audits, { id } as never)
    const subject = idOfItem(intents, { ...(audit.metadata as View | undefined), ...audit })
    const isWhole = Object.values(subject).every((each) => typeof each === 'string')
    // The text of an audit: the repository refuses what is no key.
    const intent = isWhole ? await intentOf(context, subject as unknown as S) : undefined
    if (intent === undefined)
      throw stateConflict(audits, 'NoIntent', 'Nothing tells what this notification was for, so it cannot be sent again.')
    return intent
  }

  return {
    /** Sends the mail for something, once. */
    sending: { effect: 'write', returns: delivery, writes: { create: intents }, errors: readErrors, isIdempotent: true },
    /** Sends a mail again: one that was sent is not, and the audit says so. */
    resending: {
      effect: 'write',
      input: audited,
      returns: delivery,
      writes: { update: intents },
      errors: [...readErrors, 'CheckFailed'],
      isIdempotent: true,
      scope: async (context: C, asked: InputOf<typeof audited>) => {
        const tenant = tenantOfItem(context, intents, await intentAudited(context, asked)) ?? ''
        // The host's scopes are those of its contexts.
        return context.host.tenants?.scope(tenant) as ScopeOf<C>
      },
      run: async (context: C, asked: InputOf<typeof audited>) =>
        deliver(context, subjectOf(await intentAudited(context, asked)), { isAsked: true }),
    },
    /** Lists audits, recent first: of one tenant, or of all by status. */
    listing: {
      effect: 'read',
      input: listed,
      returns: pageOf(audits),
      errors: [...readErrors, 'InvalidCursor'],
      run: (context: C, { limit, cursor, ...asked }: InputOf<typeof listed>, at: unknown) =>
        auditsOf(mails, context, { ...asked, tenant: tenantAt(context, at) })({ limit: limit ?? undefined, cursor: cursor ?? undefined }),
    },
    /** Counts the audits of a period by status and type: of one tenant, or of all. */
    counting: {
      effect: 'read',
      input: period,
      returns: valuesOf({
        counts: list(
          record({
            status: oneOf(...statuses).describe('How the mails went.'),
            type: text().describe('What the mails are about.'),
            count: count().describe('How many mails there are.'),
          }),
        ).describe('The mails of the period, by status and type.'),
        total: count(),
        isWhole: flag(),
      }),
      errors: readErrors,
      run: (context: C, { from, to }: InputOf<typeof period>, at: unknown) =>
        summaryOf(mails, context, { tenant: tenantAt(context, at), from, to }),
    },
  } as const
}
