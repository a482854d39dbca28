import type { Id, Item } from '@freehold/table'
import { isPast, todayOf } from '../../days.ts'
import { mailText, oneLine } from '../../mail/mail-text.ts'
import { credentialLinkOf } from '../../mail/mailer.ts'
import type { Prepared } from '../../mail/mails.ts'
import { endIn } from '../../mail/reminders.ts'
import type { Account, License, NotificationIntent, User } from '../design.ts'
import type { PlatformContext } from '../flows/platform-host.ts'

/** A mail is for the credentials of a user, or for the end of a licence or a user. */
export type Subject = Id<typeof NotificationIntent>

const consistent = { consistent: true }

/** The end of a licence or user, in the words of a mail. */
const endsOn = (endDate: string): string => `ends with ${endDate} (UTC)`

function credentials({ id: userId, accountId, email, firstName }: Item<typeof User>, accountName: string): Prepared {
  return {
    subject: oneLine(`Your account at ${accountName}`),
    content: async (mailing) => {
      const link = await credentialLinkOf(mailing, { userId, accountId, email })
      const greeting = [`Hello ${firstName},`, `there is an account for you at ${accountName}.`]
      return mailText([...greeting, { label: 'Choose a password', link }, 'If you did not expect this mail, ignore it.'])
    },
  }
}

function reminder(name: string, subject: string, sentence: string): Prepared {
  return {
    subject: oneLine(subject),
    content: async () => mailText([`Hello ${name},`, sentence, 'Renew it in time if you still need it.']),
  }
}

async function ofUser(context: PlatformContext, subject: Subject, account: Item<typeof Account>): Promise<Prepared> {
  const user = await context.table.User.get({ id: subject.subjectId }, consistent)
  if (user === undefined || user.deleting !== undefined || user.accountId !== subject.accountId) return { skipReason: 'the user is gone' }
  const { id: userId, email, firstName, lastName, status, endDate } = user
  const recipient = { email, firstName, lastName, userId }
  if (status !== 'active' || isPast(endDate, todayOf(context))) return { recipient, skipReason: 'the user is inactive' }
  if (subject.notificationType === 'credentials') {
    const isLinked = context.host.mailing?.credentialLink !== undefined
    return { recipient, ...(isLinked ? credentials(user, account.name) : { skipReason: 'no link for credentials is configured' }) }
  }
  if (endDate === undefined || endDate !== endIn(subject)) return { recipient, skipReason: 'the end has changed' }
  const sentence = `your account at ${account.name} ${endsOn(endDate)}.`
  return { recipient, ...reminder(firstName, `Your account at ${account.name} ends soon`, sentence) }
}

async function ofLicense(context: PlatformContext, subject: Subject, account: Item<typeof Account>): Promise<Prepared> {
  const { accountId, subjectId: id } = subject
  const license: Item<typeof License> | undefined = await context.table.License.get({ accountId, id }, consistent)
  if (license === undefined || license.deleting !== undefined) return { skipReason: 'the licence is gone' }
  const [contact] = (await context.table.technicalUserOfAccount({ accountId }, { ...consistent, limit: 1 })).items
  if (contact === undefined) return { skipReason: 'the account has no technical user' }
  const recipient = { email: contact.email, firstName: contact.name, ...(contact.userId === undefined ? {} : { userId: contact.userId }) }
  if (license.endDate !== endIn(subject) || license.status !== 'active') return { recipient, skipReason: 'the end has changed' }
  // Enterprises are of no account.
  const enterprise = await context.unscoped.Enterprise.get({ id: license.enterpriseId }, consistent)
  const sentence = `the licence of ${account.name} for ${enterprise?.name ?? license.enterpriseId} ${endsOn(license.endDate)}.`
  return { recipient, ...reminder(contact.name, `A licence of ${account.name} ends soon`, sentence) }
}

/** The mail for a subject, as things are now: a user who became inactive, or an end that has changed, gets none. */
export async function mailOf(context: PlatformContext, subject: Subject): Promise<Prepared> {
  const account = await context.table.Account.get({ id: subject.accountId }, consistent)
  if (account === undefined || account.deleting !== undefined) return { skipReason: 'the account is gone' }
  const prepared =
    subject.notificationType === 'license_expiry' ? await ofLicense(context, subject, account) : await ofUser(context, subject, account)
  const named = { told: { accountName: account.name }, ...prepared }
  if (prepared.skipReason !== undefined) return named
  if (account.status !== 'active') return { ...named, skipReason: 'the account is not active' }
  return context.host.mailing === undefined ? { ...named, skipReason: 'no mails are sent here' } : named
}
