import type { AnswerPage, Listed, Sources } from '@freehold/frame/decision'
import { compareKeys } from '@freehold/table/runtime'
import { permissionText } from '../permission/permission.ts'
import { asTold, grantOf, loadedFor, type UserAtScope, userAtScope } from './access.ts'
import { closedReason } from './can.ts'
import { ownPatterns } from './hierarchy.ts'
import type { HeldPermission, WhatAsked } from './question.ts'

/** Each pattern once, by its text, with the grant of it that lists tell. */
export function heldPermissions({ judged, hierarchy }: UserAtScope): ReadonlyMap<string, HeldPermission> {
  const held = new Map<string, HeldPermission>()
  if (hierarchy === undefined) return held
  for (const assignment of asTold(judged.flatMap((each) => (each.flaw === undefined ? [each.assignment] : [])))) {
    const chain = hierarchy.chain(assignment)
    for (const [index, step] of chain.entries()) {
      for (const permission of ownPatterns(step, hierarchy.catalogue)) {
        const text = permissionText(permission)
        if (!held.has(text))
          held.set(text, { permission, grantedBy: grantOf({ assignment, roles: chain.slice(0, index + 1), pattern: permission }) })
      }
    }
  }
  return held
}

/** The resolved permissions of a user at a scope, in the order of their names. The same round trips as `can`. */
export async function what(sources: Sources, asked: WhatAsked, list: Listed): Promise<AnswerPage<HeldPermission>> {
  const at = await userAtScope(sources, asked)
  const { after } = list
  const ahead = [...heldPermissions(at)]
    .filter(([text]) => after === undefined || compareKeys(text, after) > 0)
    .sort(([a], [b]) => compareKeys(a, b))
  const page = list.pageOf(ahead, ([text]) => text, loadedFor(at), undefined, closedReason(at))
  return { ...page, items: page.items.map(([, item]) => item) }
}
