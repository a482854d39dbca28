import type { AnswerPage } from '../../decision/decision.ts'
import type { Listed } from '../../decision/list.ts'
import type { Sources } from '../../decision/sources.ts'
import type { GrantingPlace } from './granting-place.ts'
import { grantingPlaces } from './granting-places.ts'
import type { Access } from './question.ts'

/**
 * The scopes at which a user may do this with every place beneath them, each once: a client is followed by its projects, a project by its
 * buildings. With a module only the places that are entitled to it, of which a page may find few.
 */
export async function everywhere(sources: Sources, asked: Omit<Access, 'place'>, list: Listed): Promise<AnswerPage<GrantingPlace>> {
  return grantingPlaces(sources, asked, list, true)
}
