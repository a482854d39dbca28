import type { Entity, Item, Page } from '@freehold/table'
import type { FlowContext } from '../flow/flow-host.ts'
import type { View } from '../flow/records/recorded-changes.ts'
import type { intentAttributes } from './intent-attributes.ts'
import type { Mail, Mailing } from './mailer.ts'

/** A mail is for something: its type, the item that it is about, and the occasion. The design adds the attribute of the tenant. */
export type MailSubject = { readonly notificationType: string; readonly subjectId: string; readonly occasion: string }

export const statuses = ['sent', 'failed', 'skipped'] as const
export type Status = (typeof statuses)[number]

type IntentAttributes = ReturnType<typeof intentAttributes<[string]>>
export type MailIntent = Item<Entity<string, IntentAttributes>>

/** The person whom a mail is for, as the audit tells them. */
export interface Recipient {
  readonly email: string
  readonly firstName?: string
  readonly lastName?: string
  readonly userId?: string
}

/** A mail that can go out, or the reason why none does. */
export interface Prepared {
  readonly recipient?: Recipient
  readonly skipReason?: string
  readonly subject?: string
  /** The content, made only when the mail goes out: it may hold a link that lets somebody in. `MailRefused` tells why it cannot be made. */
  readonly content?: (mailing: Mailing) => Promise<Pick<Mail, 'text' | 'html'>>
  /** More attributes of the audit. */
  readonly told?: View
}

/** A period with both of its ends. */
export interface Period {
  readonly from: string
  readonly to: string
}

/** How a page of audits is read. */
export interface ReadingAudits {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
  readonly where: { readonly deliveryStatus?: Status; readonly notificationType?: string; readonly recipientEmail?: string }
}

/** The mails of a design, as it declares them. `S` names an intent, `A` is the entity of audits. */
export interface Mails<C extends FlowContext, S extends MailSubject, A extends Entity> {
  /** Keeps intents: it has `intentAttributes`. */
  readonly intents: Entity
  /** Keeps one append-only item for each attempt: it has `id`, the attribute of the tenant, and `auditAttributes`. */
  readonly audits: A
  /** The mail for a subject, as things are now. */
  prepare(context: C, subject: S): Promise<Prepared>
  /** Reads a page of the attempts that began before an instant and are still open. */
  openBefore(context: C, before: string, asking: { readonly limit: number; readonly cursor?: string | undefined }): Promise<Page<S>>
  /** Reads a page of the audits of one tenant in a period, recent first. */
  ofTenant(context: C, tenant: string, period: Period, how: ReadingAudits): Promise<Page<Item<A>>>
  /** The same of all audits with one status. */
  withStatus(context: C, status: Status, period: Period, how: ReadingAudits): Promise<Page<Item<A>>>
}
