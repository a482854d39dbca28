import type { Sources } from '../../decision/sources.ts'
import type { PolicyEngine } from '../policies/policy-engine.ts'
import type { Access } from './question.ts'
import { rolesOf, situationOf } from './situation.ts'
import { roleAsked, roleIdsOf, type Verdict, verdictOf } from './verdict.ts'

/** One round trip with warm definitions, three cold or strong; one more for the name of a user that is looked up for the first time. */
export async function access(engine: PolicyEngine, sources: Sources, asked: Access): Promise<Verdict> {
  const situation = await situationOf(sources, asked)
  const roles = await rolesOf(sources, [...roleIdsOf(situation), ...roleAsked(asked.resource)])
  return verdictOf(engine, situation, roles, asked)
}
