import type { DeciderFor, DeciderOptions } from '@freehold/frame/decision'
import type { Runtime } from '@freehold/table'
import { access } from './access.ts'

/** `can` and `why`: may this user open this page at this location? */
export interface AccessQuestion {
  /** An id (ULID), or an e-mail address in any spelling. */
  readonly user: string
  /** An id (ULID), or a code in any spelling. What looks like an id is one. */
  readonly location: string
  readonly page: string
}
/** Which pages may this user open at this location? */
export type WhatQuestion = Pick<AccessQuestion, 'user' | 'location'>
/** Which users may open this page at this location? */
export type WhoQuestion = Pick<AccessQuestion, 'location' | 'page'>
/** At which locations may this user open this page? */
export type WhereQuestion = Pick<AccessQuestion, 'user' | 'page'>

/** The group and the role through which access is granted. */
export interface Grant {
  readonly groupId: string
  readonly roleName: string
}

/** A page that is open to the user, and one grant that opens it; `why` tells all. */
export type OpenPage = {
  readonly page: string
  readonly grantedBy: Grant
}
/** A user who may open the page at the location, and one grant by which; `why` tells all. */
export type AllowedUser = {
  readonly userId: string
  readonly displayName: string
  readonly userType: 'MEMBER' | 'LEAD'
  readonly grantedBy: Grant
}
/** A location where the user may open the page, and one grant by which; `why` tells all. */
export type AllowedLocation = {
  readonly locationId: string
  readonly locationCode: string
  readonly locationName: string
  readonly grantedBy: Grant
}

/** The five questions of rebac, typed. */
export interface RebacDecider
  extends DeciderFor<{
    readonly can: AccessQuestion
    readonly what: [WhatQuestion, OpenPage]
    readonly who: [WhoQuestion, AllowedUser]
    readonly where: [WhereQuestion, AllowedLocation]
  }> {}

/** Decisions over a rebac table. It remembers definitions and names between questions: one for each connection to a table. */
// Its lists tell what the declaration shows, which these types name.
export const decideRebac = access.decider as unknown as (runtime: Runtime, options?: DeciderOptions) => RebacDecider

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
