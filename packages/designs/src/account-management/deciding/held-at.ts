import type { Sources } from '../../decision/sources.ts'
import { loadedFor, type UserAtScope, userAtScope } from './access.ts'
import { denialAtScope } from './can.ts'
import { type Found, heldBy, reasonFor } from './held.ts'
import { entitling } from './live-checks.ts'
import type { WhatAsked } from './question.ts'

/** When the scope will no longer have the module that was asked for. */
function entitlementEnds({ asked, situation }: UserAtScope, now: string): readonly string[] {
  const subscription = situation === undefined || asked.module_id === undefined ? undefined : entitling(situation.place, asked, now)
  return subscription?.end_date === undefined || subscription.auto_renew ? [] : [subscription.end_date]
}

/** What a user holds at a scope. The same round trips as `can`. */
export async function heldAt(sources: Sources, asked: WhatAsked): Promise<Found> {
  const at = await userAtScope(sources, asked)
  const { situation, judged, hierarchy } = at
  const { place, user } = situation ?? {}
  const holdings = judged.flatMap(({ assignment, flaw }) =>
    flaw === undefined && place !== undefined ? [{ assignment, at: place.path }] : [],
  )
  const held = hierarchy === undefined ? [] : heldBy(hierarchy, holdings)
  return {
    user_id: user?.state === 'found' ? user.item.id : undefined,
    place: held.length === 0 ? undefined : place?.path,
    held,
    ends: entitlementEnds(at, sources.runtime.now().toISOString()),
    reason: reasonFor(held, loadedFor(at), () => denialAtScope(at)),
  }
}
