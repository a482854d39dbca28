import { anyJson, valuesOf } from '@freehold/frame/flow'
import { type FreeholdError, isFreeholdError, list, map, number } from '@freehold/table'
import { RolePagePermission, UserGroupEdge } from '../design.ts'
import { type Assignment, assignmentOf } from '../importing/assign-many.ts'
import { addRole } from './groups.ts'
import { addToGroup } from './memberships.ts'
import { atGroup, flow, inSystem, type RebacContext } from './rebac-host.ts'
import { allowOrDeny } from './roles.ts'

/** More are given in several calls: each is a transaction of its own. */
const assignmentsMax = 1000

/** Rows that were assigned, or could not be. Rows count from 1. */
export interface Assigned {
  readonly rows: number
  readonly done: number
  readonly failed: number
  readonly failures: readonly { readonly row: number; readonly code: string; readonly message: string }[]
}

async function assign(context: RebacContext, row: Assignment): Promise<unknown> {
  if ('pageName' in row) return allowOrDeny(context, { permission: 'ALLOW', ...row })
  const at = await atGroup(context, row)
  const within: RebacContext = { ...context, within: at }
  return 'userId' in row ? addToGroup(within, row, at) : addRole(within, row, at)
}

/** Errors that are no row's own: nothing tells that the next rows would fare better. */
const ends = (error: FreeholdError) => error.category === 'unavailable' || error.category === 'retryable'

export const assignManyFlow = flow({
  name: 'assignMany',
  summary:
    'Adds users to groups, gives groups roles, and lets roles allow or deny pages. A row that fails is reported, and the others go on.',
  input: {
    assignments: list(map(), { max: assignmentsMax }),
  },
  needs: 'operator',
  effect: 'write',
  returns: valuesOf<Assigned>({ rows: number(), done: number(), failed: number(), failures: anyJson }),
  writes: { create: UserGroupEdge, update: RolePagePermission },
  isIdempotent: true,
  scope: inSystem,
  run: async (context, { assignments }) => {
    const failures: Assigned['failures'][number][] = []
    for (const [index, row] of assignments.entries()) {
      try {
        await assign(context, assignmentOf(row))
      } catch (error) {
        if (!isFreeholdError(error) || ends(error)) throw error
        failures.push({ row: index + 1, code: error.code, message: error.message })
      }
    }
    return { rows: assignments.length, done: assignments.length - failures.length, failed: failures.length, failures }
  },
})
