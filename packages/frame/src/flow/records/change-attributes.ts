import { instant, map, oneOf, stamp, text, ulid } from '@freehold/table'

const kept_ms = 365 * 86_400_000

/** The attributes of an entity that keeps changes for good; the design adds those of its scopes. */
export const keptChangeAttributes = {
  changeId: ulid().made(),
  changedAt: stamp.onCreate(),
  flow: text(),
  /** The id of a user, or the kind and name of another actor. */
  actor: text(),
  from: map().optional(),
  entity: text().optional(),
  entityId: text().optional(),
  changes: map().optional(),
  related: map().optional(),
  more: map().optional(),
  severity: oneOf('info', 'warning', 'critical').made('info'),
  status: oneOf('success', 'failure', 'error').made('success'),
}

/** The same for a year. */
export const changeAttributes = {
  ...keptChangeAttributes,
  expiresAt: instant().made(({ now }) => new Date(now.getTime() + kept_ms).toISOString()),
}

/** The key of a lookup item of such an entity, by which the changes of one actor are listed. */
export const changesOfActorKey = ['CHANGES#ACTOR#{actor}', 'CHANGE#{changedAt}#{changeId}'] as const

/** What a lookup item of such an entity carries, so that a list by it tells all. */
export const changeContent = [
  'changedAt',
  'flow',
  'actor',
  'from',
  'entity',
  'entityId',
  'changes',
  'related',
  'more',
  'severity',
  'status',
] as const
