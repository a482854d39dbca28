import { checking, type Item, type Steps } from '@freehold/table'
import type { Evidence } from '../../decision/decision.ts'
import { User, UserRoleAssignment } from '../design.ts'

/** What the design's own decisions name an assignment by. */
const assignmentHoles = ['user_id', 'scope_type', 'scope_id', 'role_id'] as const

function assignmentSteps(chain: readonly Evidence[]): Steps {
  const assigned = chain.find(({ entity }) => entity === UserRoleAssignment.name)
  if (assigned === undefined || assignmentHoles.some((hole) => assigned.id[hole] === undefined)) return {}
  const plain: Parameters<typeof checking>[0] = UserRoleAssignment
  return { callerRole: checking(plain, assigned.id as never) }
}

/**
 * What a calling user's permission rests on, as steps of each transaction that its flow writes: that the user is active still, and has the
 * assignment by which it was allowed. So a write that was held up is not applied once its caller was disabled, or its role revoked.
 * An internal user is on no tenant's side of the wall; of it only the assignment is checked. The chain is empty for what is a user's own.
 */
export function groundsOf(user: Item<typeof User>, chain: readonly Evidence[]): Steps {
  const active: Steps = user.client_id === undefined ? {} : { caller: checking(User, { id: user.id }, { where: { status: 'active' } }) }
  return { ...active, ...assignmentSteps(chain) }
}
