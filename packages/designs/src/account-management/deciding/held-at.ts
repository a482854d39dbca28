import type { Sources } from '../../decision/sources.ts'
import { loadedFor, type Standing, standingAt } from './access.ts'
import { standingReason } from './can.ts'
import { type Found, heldBy, reasonFor } from './held.ts'
import type { WhatAsked } from './question.ts'
import { entitling } from './standing.ts'

/** When the place will no longer have the module that was asked for. */
function entitlementEnds({ asked, situation }: Standing, now: string): readonly string[] {
  const subscription = situation === undefined || asked.module_id === undefined ? undefined : entitling(situation.place, asked, now)
  return subscription?.end_date === undefined || subscription.auto_renew ? [] : [subscription.end_date]
}

/** What a user holds at a place. The same round trips as `can`. */
export async function heldAt(sources: Sources, asked: WhatAsked): Promise<Found> {
  const standing = await standingAt(sources, asked)
  const { situation, judged, hierarchy } = standing
  const { place, user } = situation ?? {}
  const holdings = judged.flatMap(({ assignment, flaw }) =>
    flaw === undefined && place !== undefined ? [{ assignment, at: place.path }] : [],
  )
  const held = hierarchy === undefined ? [] : heldBy(hierarchy, holdings)
  return {
    user_id: user?.state === 'found' ? user.item.id : undefined,
    place: held.length === 0 ? undefined : place?.path,
    held,
    ends: entitlementEnds(standing, sources.runtime.now().toISOString()),
    reason: reasonFor(held, loadedFor(standing), () => standingReason(standing)),
  }
}
