import type { Sources } from '@freehold/frame/decision'
import type { Access } from './question.ts'
import { areRolesForeign, rolesOf, situationOf } from './situation.ts'
import { type DecidesBy, roleIdsRead, type Verdict, verdictOf } from './verdict.ts'

/** One round trip with warm definitions, three cold or strong; one more for the name of a user that is looked up for the first time. */
export async function access(by: DecidesBy, sources: Sources, asked: Access): Promise<Verdict> {
  const situation = await situationOf(sources, asked, by.resources)
  const roles = await rolesOf(sources, roleIdsRead(situation, asked.resource), areRolesForeign([situation]))
  return verdictOf(by, situation, roles, asked)
}
