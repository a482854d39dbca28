import { lastEnd, mailCounts, remindersOf, reminding } from '@freehold/frame/mail'
import { sweepFlow, workOn } from '@freehold/frame/sweep'
import { License, User } from '../design.ts'
import { flow, type PlatformContext } from '../flows/platform-host.ts'
import { mails } from './mails.ts'

const { attempts, remindOrEnd } = remindersOf(mails)

const licenses = { entity: License, notificationType: 'license_expiry', ended: { status: 'expired' }, counted: 'licenses_expired' } as const
const users = { entity: User, notificationType: 'user_expiry', ended: { status: 'inactive' }, counted: 'users_ended' } as const

export const sweep = flow({
  name: 'sweep',
  summary:
    'Writes what counts already, licences that are expired and users that are past their end, and sends the reminders that are due. Safe at any time, by many at once.',
  ...sweepFlow<PlatformContext>()({
    ...reminding,
    counts: ['licenses_expired', 'users_ended', ...mailCounts],
    phases: {
      attempts,
      licenses: async (sweeping, asking) =>
        workOn(await sweeping.context.table.expiringLicenses({ date: lastEnd(sweeping) }, asking), (license) =>
          remindOrEnd(sweeping, licenses, license),
        ),
      users: async (sweeping, asking) =>
        workOn(await sweeping.context.table.activeUsersUntil({ date: lastEnd(sweeping) }, asking), (user) =>
          remindOrEnd(sweeping, users, user),
        ),
    },
  }),
})
