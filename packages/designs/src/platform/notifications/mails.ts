import { deliveryOf, type Mails } from '@freehold/frame/mail'
import { NotificationAudit, NotificationIntent } from '../design.ts'
import type { PlatformContext } from '../flows/platform-host.ts'
import { mailOf, type Subject } from './mail-of.ts'

/** The mails of platform. */
export const mails: Mails<PlatformContext, Subject, typeof NotificationAudit> = {
  intents: NotificationIntent,
  audits: NotificationAudit,
  prepare: mailOf,
  openBefore: ({ table }, before, asking) => table.openNotifications({ before }, { ...asking, consistent: true }),
  ofTenant: ({ table }, accountId, period, how) => table.notificationsOfAccountBetween({ accountId, ...period }, how),
  withStatus: ({ table }, status, period, how) => table[`${status}NotificationsBetween` as const](period, how),
}

const { deliver } = deliveryOf(mails)

/** Sends a user the mail by which it chooses a password. There is one occasion for it. */
export const deliverCredentials = (
  context: PlatformContext,
  { accountId, userId }: { readonly accountId: string; readonly userId: string },
  job?: string,
) => deliver(context, { accountId, notificationType: 'credentials', subjectId: userId, occasion: 'once' }, { job })
