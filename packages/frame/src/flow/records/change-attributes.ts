import { instant, map, oneOf, stamp, text, ulid } from '@freehold/table'

const kept_ms = 365 * 86_400_000

/** The attributes of an entity that keeps changes for good; the design adds those of its scopes. */
export const keptChangeAttributes = {
  changeId: ulid().made(),
  changedAt: stamp.onCreate().describe('When it was done.'),
  flow: text().describe('The flow that did it.'),
  /** The id of a user, or the kind and name of another actor. */
  actor: text().describe('Who did it: the id of a user, or the kind and name of another actor.'),
  from: map().optional().describe('From where it was done: address, agent, session, key.'),
  entity: text().optional().describe('The entity of the item that was changed.'),
  entityId: text().optional().describe('The id of the item that was changed.'),
  changes: map().optional().describe('The values that were changed.'),
  related: map().optional().describe('Other items that it was about.'),
  more: map().optional().describe('What else is known of it.'),
  severity: oneOf('info', 'warning', 'critical').made('info').describe('How much it matters.'),
  status: oneOf('success', 'failure', 'error').made('success').describe('How it went.'),
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
