import { count, email, flag, list, oneOf, opaqueId, record, text } from '@freehold/table'
import { readErrors } from '../../flow/flow-errors.ts'
import { liveItem, stateConflict } from '../../flow/live-item.ts'
import { pageOf, valuesOf } from '../../returns.ts'
import { NotificationAudit, NotificationIntent } from '../design.ts'
import { allows, type FlowMenus } from '../flows/flow-menus.ts'
import { atAccount, atUser, flow, type PlatformContext, pageAsked, paging } from '../flows/platform-host.ts'
import { type Delivery, deliver } from './deliver.ts'
import { auditsOf, statuses, summaryOf } from './lists.ts'
import { once, type Subject, subjectOf } from './subject.ts'

const delivery = valuesOf<Delivery>({
  outcome: oneOf('sent', 'failed', 'skipped', 'passed'),
  reason: text().optional(),
  auditId: opaqueId().optional(),
})

const consistent = { consistent: true }

/** The audit of an account whose mail is to be sent again, and what that mail is for. Throws `NotFound`. */
async function auditAndIntent(context: PlatformContext, id: string) {
  const audit = await liveItem(context, NotificationAudit, { id })
  const { accountId, notificationType, metadata } = audit
  const { subjectId, occasion } = (metadata ?? {}) as Readonly<Record<string, unknown>>
  // The text of an audit: the repository refuses what is no key.
  const subject = { accountId, notificationType, subjectId, occasion } as Subject
  const isWhole = [accountId, subjectId, occasion].every((each) => typeof each === 'string')
  const intent = isWhole ? await context.table.NotificationIntent.get(subject, consistent) : undefined
  if (intent === undefined)
    throw stateConflict(NotificationAudit, 'NoIntent', 'Nothing tells what this notification was for, so it cannot be sent again.')
  return { audit, intent }
}

/** An account, or all of them. */
const accountOrAll = async (context: PlatformContext, { accountId }: { readonly accountId?: string | null | undefined }) =>
  typeof accountId === 'string' ? atAccount(context, { accountId }) : ('system' as const)

const period = { from: text().optional(), to: text().optional() }

/** The flows of notifications. */
export function notificationFlows(menus: FlowMenus) {
  return {
    sendCredentials: flow({
      name: 'sendCredentials',
      summary:
        'Sends a user the mail with the link to choose a password. It goes out once: what failed, or is unknown, is sent by resendNotification.',
      input: { userId: opaqueId() },
      needs: allows(menus.sendCredentials),
      effect: 'write',
      returns: delivery,
      writes: { create: NotificationIntent },
      errors: readErrors,
      isIdempotent: true,
      scope: (context, { userId }) => atUser(context, userId),
      run: (context, { userId }, { accountId }) =>
        deliver(context, { accountId, notificationType: 'credentials', subjectId: userId, occasion: once }),
    }),
    resendNotification: flow({
      name: 'resendNotification',
      summary:
        'Sends a notification again that failed, was skipped, or whose outcome is unknown. One that was sent is not: the audit says so.',
      input: { auditId: opaqueId() },
      needs: allows(menus.resendNotification),
      effect: 'write',
      returns: delivery,
      writes: { update: NotificationIntent },
      errors: [...readErrors, 'CheckFailed'],
      isIdempotent: true,
      scope: async (context, { auditId }) => {
        const { intent } = await auditAndIntent(context, auditId)
        return { accountId: intent.accountId }
      },
      run: async (context, { auditId }) => {
        const { intent } = await auditAndIntent(context, auditId)
        return deliver(context, subjectOf(intent), { isAsked: true })
      },
    }),
    notifications: flow({
      name: 'notifications',
      summary: 'Lists notifications, recent first: of one account, or of all by status. A period has both of its ends.',
      input: {
        accountId: opaqueId().optional(),
        status: oneOf(...statuses).optional(),
        type: text().optional(),
        recipient: email().optional(),
        ...period,
        ...paging,
      },
      needs: allows(menus.notifications),
      effect: 'read',
      returns: pageOf(NotificationAudit),
      errors: [...readErrors, 'InvalidCursor'],
      scope: accountOrAll,
      run: (context, input) => {
        const { limit, cursor } = pageAsked(input)
        return auditsOf(context, input)({ limit, cursor })
      },
    }),
    notificationSummary: flow({
      name: 'notificationSummary',
      summary: 'Counts the notifications of a period by status and type: of one account, or of all.',
      input: { accountId: opaqueId().optional(), ...period },
      needs: allows(menus.notificationSummary),
      effect: 'read',
      returns: valuesOf({
        counts: list(record({ status: oneOf(...statuses), type: text(), count: count() })),
        total: count(),
        isWhole: flag(),
      }),
      errors: readErrors,
      scope: accountOrAll,
      run: (context, input) => summaryOf(context, input),
    }),
  }
}
