import { withoutAbsent } from '@freehold/frame/decision'
import { credentialLinkOf, endIn, mailText, oneLine, type Prepared } from '@freehold/frame/mail'
import { isPast, todayOf } from '@freehold/frame/sweep'
import type { Id, Item } from '@freehold/table'
import { consistent } from '@freehold/table/runtime'
import type { License, NotificationIntent, User } from '../design.ts'
import type { PlatformContext } from '../flows/platform-host.ts'

/** A mail is for the credentials of a user, or for the end of a licence or a user. */
export type Subject = Id<typeof NotificationIntent>

/** The end of a licence or user, in the words of a mail. */
const endsOn = (endDate: string): string => `ends with ${endDate} (UTC)`

/** The first line of a mail: of a person whose name nobody has told, too. */
const hello = (name: string | undefined): string => (name === undefined ? 'Hello,' : `Hello ${name},`)

interface Addressed extends Pick<Item<typeof User>, 'id' | 'firstName'> {
  readonly accountId: string
  readonly email: string
}

function credentials({ id: userId, accountId, email, firstName }: Addressed, accountName: string): Prepared {
  return {
    subject: oneLine(`Your account at ${accountName}`),
    content: async (mailing) => {
      const link = await credentialLinkOf(mailing, { userId, accountId, email })
      const greeting = [hello(firstName), `there is an account for you at ${accountName}.`]
      return mailText([...greeting, { label: 'Choose a password', link }, 'If you did not expect this mail, ignore it.'])
    },
  }
}

function reminder(name: string | undefined, subject: string, sentence: string): Prepared {
  return {
    subject: oneLine(subject),
    content: async () => mailText([hello(name), sentence, 'Renew it in time if you still need it.']),
  }
}

async function ofUser(context: PlatformContext, subject: Subject, accountName: string): Promise<Prepared> {
  const user = await context.table.User.get({ id: subject.subjectId }, consistent)
  if (user === undefined || user.deleting !== undefined || user.accountId !== subject.accountId) return { skipReason: 'the user is gone' }
  const { id: userId, accountId, email, firstName, lastName, status, endDate } = user
  if (email === undefined) return { skipReason: 'the user has no e-mail address' }
  const recipient = { email, ...withoutAbsent({ firstName, lastName }), userId }
  if (status !== 'active' || isPast(endDate, todayOf(context))) return { recipient, skipReason: 'the user is inactive' }
  if (subject.notificationType === 'credentials') {
    const isLinked = context.host.mailing?.credentialLink !== undefined
    return {
      recipient,
      ...(isLinked
        ? credentials({ id: userId, accountId, email, ...withoutAbsent({ firstName }) }, accountName)
        : { skipReason: 'no link for credentials is configured' }),
    }
  }
  if (endDate === undefined || endDate !== endIn(subject)) return { recipient, skipReason: 'the end has changed' }
  const sentence = `your account at ${accountName} ${endsOn(endDate)}.`
  return { recipient, ...reminder(firstName, `Your account at ${accountName} ends soon`, sentence) }
}

async function ofLicense(context: PlatformContext, subject: Subject, accountName: string): Promise<Prepared> {
  const { accountId, subjectId: id } = subject
  const license: Item<typeof License> | undefined = await context.table.License.get({ accountId, id }, consistent)
  if (license === undefined || license.deleting !== undefined) return { skipReason: 'the licence is gone' }
  const [contact] = (await context.table.technicalUserOfAccount({ accountId }, { ...consistent, limit: 1 })).items
  if (contact === undefined) return { skipReason: 'the account has no technical user' }
  const { email, name: firstName, userId } = contact
  if (email === undefined) return { skipReason: 'the technical user has no e-mail address' }
  const recipient = { email, ...withoutAbsent({ firstName, userId }) }
  const { endDate, enterpriseId } = license
  if (endDate === undefined || endDate !== endIn(subject) || license.status !== 'active')
    return { recipient, skipReason: 'the end has changed' }
  // Enterprises are of no account.
  const enterprise = enterpriseId === undefined ? undefined : await context.unscoped.Enterprise.get({ id: enterpriseId }, consistent)
  const named = enterprise?.name ?? enterpriseId
  const sentence = `the licence of ${accountName}${named === undefined ? '' : ` for ${named}`} ${endsOn(endDate)}.`
  return { recipient, ...reminder(firstName, `A licence of ${accountName} ends soon`, sentence) }
}

/** The mail for a subject, as things are now: a user who became inactive, or an end that has changed, gets none. */
export async function mailOf(context: PlatformContext, subject: Subject): Promise<Prepared> {
  const account = await context.table.Account.get({ id: subject.accountId }, consistent)
  if (account === undefined || account.deleting !== undefined) return { skipReason: 'the account is gone' }
  const accountName = account.name ?? account.id
  const prepared = await (subject.notificationType === 'license_expiry' ? ofLicense : ofUser)(context, subject, accountName)
  const named = { told: { accountName }, ...prepared }
  if (prepared.skipReason !== undefined) return named
  if (account.status !== 'active') return { ...named, skipReason: 'the account is not active' }
  return context.host.mailing === undefined ? { ...named, skipReason: 'no mails are sent here' } : named
}
