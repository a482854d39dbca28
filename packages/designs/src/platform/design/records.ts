import {
  auditAttributes,
  changeContent,
  changesOfActorKey,
  created,
  intentAttributes,
  keptChangeAttributes,
  provisioningAttributes,
  stamps,
} from '@freehold/frame/attributes'
import { entity, mirror, opaqueId, text } from '@freehold/table'
import { Account } from './accounts.ts'

// Notification audit log (document §9): it outlives what it is about, and refers to nothing

export const NotificationAudit = entity('NotificationAudit', {
  attributes: {
    id: opaqueId().made(),
    ...auditAttributes,
    accountId: opaqueId().optional(),
    accountName: text().optional(),
    ...created,
  },
  key: ['NOTIFICATION_AUDIT#{id}', 'METADATA'],
  indexes: {
    GSI1: ['ENTITY#NOTIFICATION_AUDIT', 'NOTIFICATION_AUDIT#{id}'],
    GSI2: ['ACCOUNT#{accountId}#NOTIFICATIONS', '{sentAt}#{id}'],
    GSI3: ['NOTIFICATION#STATUS#{deliveryStatus}', '{sentAt}#{id}'],
  },
  appendOnly: true,
})

// Additions: a guard, seats, and ways to find what hangs on something without an index

/** What a provisioning has done, step by step. */
export const Provisioning = entity('Provisioning', {
  attributes: { accountId: opaqueId(), ...provisioningAttributes, ...stamps },
  key: ['PROVISIONING#{accountId}', 'METADATA'],
  refers: { accountId: Account },
  addition: { why: 'an account is provisioned in many steps, and again after a crash' },
})

export const NotificationIntent = entity('NotificationIntent', {
  attributes: {
    accountId: opaqueId(),
    ...intentAttributes('credentials', 'license_expiry', 'user_expiry'),
    ...stamps,
  },
  key: ['NOTIFICATION_INTENTS#{accountId}', '{notificationType}#{subjectId}#{occasion}'],
  refers: { accountId: Account },
  addition: { why: 'what a mail is for, kept before it goes out: so that it goes out once' },
})

const underWay = ['NOTIFICATIONS_UNDER_WAY', '{sendingSince}#{accountId}#{notificationType}#{subjectId}#{occasion}'] as const
export const OpenNotification = mirror('OpenNotification', NotificationIntent, underWay, [], {
  why: 'a sender that ended leaves its attempt open',
})

// Additions: what flows changed. As the document has it, nothing in this table expires

export const Change = entity('Change', {
  attributes: { accountId: opaqueId().optional(), ...keptChangeAttributes },
  key: ['CHANGES#ACCOUNT#{accountId}|CHANGES#SYSTEM', 'CHANGE#{changedAt}#{changeId}'],
  appendOnly: true,
  addition: { why: 'who changed what, listed by account; what belongs to no account is listed apart' },
})
export const ActorChange = mirror('ActorChange', Change, changesOfActorKey, ['accountId', ...changeContent], {
  why: 'what one actor changed',
})
