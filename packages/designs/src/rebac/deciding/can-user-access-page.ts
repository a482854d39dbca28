import type { RebacDecider } from './question.ts'

/**
 * Phase 1's question, by the document's name: may this user open this page at this location? True if a role of any of the user's groups there allows it. It is
 * `can` without a reason: also false for what is unknown, and where a fault denies.
 * @param decide the decisions over a table, of `decideRebac` or `open`
 * @param userId the id of a user (ULID)
 * @param locationId the id of a location (ULID)
 * @param page the name of a page
 */
export async function canUserAccessPage(
  decide: Pick<RebacDecider, 'can'>,
  userId: string,
  locationId: string,
  page: string,
): Promise<boolean> {
  return (await decide.can({ user: userId, location: locationId, page })).allowed
}
