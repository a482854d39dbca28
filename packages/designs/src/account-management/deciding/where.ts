import type { AnswerPage } from '../../decision/decision.ts'
import type { Listed } from '../../decision/list.ts'
import type { Sources } from '../../decision/sources.ts'
import type { GrantingPlace } from './granting-place.ts'
import { grantingPlaces } from './granting-places.ts'
import type { Access } from './question.ts'

export type { GrantingPlace } from './granting-place.ts'

/** The distinct scopes at which a user may do this, each with all beneath it, in the order of their kinds and ids. */
export async function where(sources: Sources, asked: Omit<Access, 'place'>, list: Listed): Promise<AnswerPage<GrantingPlace>> {
  return grantingPlaces(sources, asked, list, false)
}
