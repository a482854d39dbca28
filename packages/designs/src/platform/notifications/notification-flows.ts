import { mailFlows } from '@freehold/frame/mail'
import { opaqueId } from '@freehold/table'
import { on } from '../flows/flow-menus.ts'
import { atAccount, atUser, flow, type PlatformContext } from '../flows/platform-host.ts'
import { deliverCredentials, mails } from './mails.ts'

const { sending, resending, listing, counting } = mailFlows(mails)

/** An account, or all of them. */
const accountOrAll = async (context: PlatformContext, { accountId }: { readonly accountId?: string | null | undefined }) =>
  typeof accountId === 'string' ? atAccount(context, { accountId }) : ('system' as const)

const ofAccount = { accountId: opaqueId().optional() }

/** The flows of notifications. */
export const notificationFlows = {
  sendCredentials: flow({
    ...sending,
    name: 'sendCredentials',
    summary:
      'Sends a user the mail with the link to choose a password. It goes out once: what failed, or is unknown, is sent by resendNotification.',
    input: { userId: opaqueId() },
    needs: on('notifications', 'create'),
    scope: (context, { userId }) => atUser(context, userId),
    run: (context, { userId }, { accountId }) => deliverCredentials(context, { accountId, userId }),
  }),
  resendNotification: flow({
    ...resending,
    name: 'resendNotification',
    summary:
      'Sends a notification again that failed, was skipped, or whose outcome is unknown. One that was sent is not: the audit says so.',
    needs: on('notifications', 'create'),
  }),
  notifications: flow({
    ...listing,
    name: 'notifications',
    summary: 'Lists notifications, recent first: of one account, or of all by status. A period has both of its ends.',
    input: { ...ofAccount, ...listing.input },
    needs: on('notifications', 'view'),
    scope: accountOrAll,
  }),
  notificationSummary: flow({
    ...counting,
    name: 'notificationSummary',
    summary: 'Counts the notifications of a period by status and type: of one account, or of all.',
    input: { ...ofAccount, ...counting.input },
    needs: on('notifications', 'view'),
    scope: accountOrAll,
  }),
}
