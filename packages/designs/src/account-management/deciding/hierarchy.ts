import type { LoadResult, Sources } from '@freehold/frame/decision'
import { parallel } from '@freehold/table/runtime'
import { coveringTexts, covers, type Permission } from '../permission/permission.ts'
import { byForm, chainFrom } from '../permission/role-tree.ts'
import {
  type AssignedRole,
  type Catalogue,
  catalogue,
  isRoleHeld,
  type Links,
  linksOf,
  linksOfRole,
  type Parents,
  parentsOwned,
  type RoleAt,
  type RoleNode,
  roleNodes,
  rolesMeant,
  rolesOwned,
  roleText,
} from './roles.ts'

/** A role by which something is granted: the one that was assigned, or one above it. */
export interface RoleStep extends RoleAt {
  readonly definition: RoleNode
  readonly links: Links | undefined
}

/** Roles with all above them. */
export interface Hierarchy {
  /** The role that an assignment names. */
  roleOf(at: AssignedRole): RoleAt
  /** The role and those above it, itself first, up to one that does not count. */
  chain(at: AssignedRole): readonly RoleStep[]
  readonly catalogue: Catalogue | undefined
  /** All records that were read: lists report the malformed ones. */
  readonly flaws: readonly LoadResult<unknown>[]
}

const isLinked = ({ node }: RoleNode) => node.state === 'found' && node.item.permission_form === 'linked'

/** The role above, which is of the same owner. */
function parentOf({ role_owner }: RoleAt, { node }: RoleNode): RoleAt | undefined {
  if (node.state !== 'found' || node.item.parent_role_id === undefined) return undefined
  return { role_owner, role_id: node.item.parent_role_id }
}

/** The roles above others, as far as they are known: roles as they were read, and the list of parents for those not read yet. */
interface Known {
  readonly nodes: ReadonlyMap<string, RoleNode>
  readonly parents: ReadonlyMap<string, Parents>
}

/** The role and those above it as far as they are known, itself first. */
function chainAt(at: RoleAt, { nodes, parents }: Known): readonly RoleAt[] {
  const above = (role: RoleAt): RoleAt | undefined => {
    const node = nodes.get(roleText(role))
    if (node !== undefined) return parentOf(role, node)
    const role_id = parents.get(role.role_owner)?.get(role.role_id)
    return role_id === undefined ? undefined : { role_owner: role.role_owner, role_id }
  }
  return chainFrom(at, roleText, above).roles
}

function missingRoles(wanted: readonly RoleAt[], known: Known): readonly RoleAt[] {
  const missing = new Map<string, RoleAt>()
  for (const at of wanted) for (const step of chainAt(at, known)) if (!known.nodes.has(roleText(step))) missing.set(roleText(step), step)
  return [...missing.values()]
}

/** All roles of an owner, by its id and theirs. */
type Lists = ReadonlyMap<string, ReadonlyMap<string, RoleNode>>

/** Adds the roles that are in memory or in lists, which costs no request. Gives the roles that are left to be read. */
async function missingAfterMemory(
  sources: Sources,
  wanted: readonly RoleAt[],
  nodes: Map<string, RoleNode>,
  parents: Known['parents'],
  lists: Lists,
): Promise<readonly RoleAt[]> {
  for (;;) {
    const missing = missingRoles(wanted, { nodes, parents })
    const found = missing.flatMap((at): [string, RoleNode][] => {
      const node = lists.get(at.role_owner)?.get(at.role_id)
      return node === undefined ? [] : [[roleText(at), node]]
    })
    const held = found.length > 0 ? [] : missing.filter((at) => isRoleHeld(sources, at))
    if (found.length === 0 && held.length === 0) return missing
    for (const [text, node] of [...found, ...(await roleNodes(sources, held))]) nodes.set(text, node)
  }
}

/** Owners of parent roles that the list of parents lacks, as a foreign writer leaves them. Roles above these are known only once they are read. */
function unlistedOwners(missing: readonly RoleAt[], parents: Known['parents'], lists: Lists): readonly string[] {
  const listed = new Map([...parents].map(([owner, list]) => [owner, new Set(list.values())]))
  const unlisted = missing.filter(({ role_owner, role_id }) => listed.has(role_owner) && !listed.get(role_owner)?.has(role_id))
  return [...new Set(unlisted.map(({ role_owner }) => role_owner))].filter((owner) => !lists.has(owner))
}

/**
 * Reads roles and all above them. Roles in memory cost nothing. Others cost one round trip, together with the list of parents, and one for all above
 * them with their links. If the list of parents lacks a role, the second reads all roles of its owner, and the links of distant ones cost a third.
 * @param beside reads in parallel with each of these round trips, the first of which is 0
 */
export async function hierarchyOf(
  sources: Sources,
  assigned: readonly AssignedRole[],
  beside: (trip: number) => Promise<void> = async () => {},
): Promise<Hierarchy> {
  const wanted = assigned.flatMap(rolesMeant)
  const nodes = new Map<string, RoleNode>()
  const parents = new Map<string, Parents>()
  const links = new Map<string, Links>()
  const lists = new Map<string, ReadonlyMap<string, RoleNode>>()
  let known: Catalogue | undefined
  for (let trip = 0; ; ) {
    const missing = await missingAfterMemory(sources, wanted, nodes, parents, lists)
    const linked = [...nodes].flatMap(([text, node]) => (isLinked(node) ? (text.split(' ')[1] ?? []) : []))
    const toLink = [...new Set([...linked, ...missing.map(({ role_id }) => role_id)])].filter((role_id) => !links.has(role_id))
    // Whether a role above is linked is known once it is read, when the catalogue would cost one round trip more.
    const needsCatalogue = known === undefined && (linked.length > 0 || (nodes.size > 0 && missing.length > 0))
    if (missing.length === 0 && toLink.length === 0 && !needsCatalogue) break
    const owners = [...new Set(missing.map(({ role_owner }) => role_owner))].filter((owner) => !parents.has(owner))
    const isSending =
      missing.length > 0 || toLink.some((id) => !linksOf.isHeld(sources, id)) || (needsCatalogue && !catalogue.isHeld(sources, undefined))
    const unlisted = unlistedOwners(missing, parents, lists)
    const single = missing.filter(({ role_owner }) => !unlisted.includes(role_owner))
    const [read, readLinks, entries, listed, owned] = await parallel(
      () => roleNodes(sources, single),
      () => linksOf.takeAll(sources, toLink),
      () => (needsCatalogue ? catalogue.take(sources, undefined) : known),
      () => parentsOwned.takeAll(sources, owners),
      () => rolesOwned.takeAll(sources, unlisted),
      () => (isSending ? beside(trip) : undefined),
    )
    if (isSending) trip++
    for (const [text, node] of read) nodes.set(text, node)
    for (const [role_id, of] of readLinks) links.set(role_id, of)
    for (const [owner, of] of listed) parents.set(owner, of)
    for (const [owner, of] of owned) lists.set(owner, of)
    known = entries
  }
  const chains = new Map<string, readonly RoleStep[]>()
  for (const at of wanted) {
    const steps = chainAt(at, { nodes, parents }).flatMap((step): RoleStep[] => {
      const definition = nodes.get(roleText(step))
      return definition === undefined ? [] : [{ definition, links: linksOfRole(step, links.get(step.role_id)), ...step }]
    })
    chains.set(roleText(at), steps)
  }
  const flaws = [...nodes.values()].flatMap(({ node, unusable }): LoadResult<unknown>[] => [node, ...unusable])
  for (const { definition, links: of } of [...chains.values()].flat()) {
    if (!isLinked(definition) || of === undefined) continue
    // Not push(...): each is an argument then, and a role may have more links than the stack holds.
    for (const link of of.unusable) flaws.push(link)
    for (const { permission_id } of of.found) {
      const entry = known?.get(permission_id)
      if (entry !== undefined) flaws.push(entry)
    }
  }
  const isThere = (at: RoleAt) => nodes.get(roleText(at))?.node.state !== 'missing'
  const roleOf = (at: AssignedRole): RoleAt => {
    const meant = rolesMeant(at)
    return meant.length === 1 ? meant[0] : (meant.find(isThere) ?? meant[0])
  }
  return { roleOf, chain: (at) => chains.get(roleText(roleOf(at))) ?? [], catalogue: known, flaws }
}

/** The permissions that a role grants by itself, by its form: patterns in which `*` stands for any. */
export function ownPatterns({ definition, links }: RoleStep, entries: Catalogue | undefined): Iterable<Permission> {
  const { node, embedded } = definition
  if (node.state !== 'found') return []
  return byForm(
    node.item.permission_form,
    () => embedded.values(),
    () =>
      (links?.found ?? []).flatMap(({ permission_id }) => {
        const entry = entries?.get(permission_id)
        return entry?.state === 'found' ? [entry.item] : []
      }),
  )
}

/** The pattern by which a role itself grants a permission; undefined if it does not. */
export function grantingPattern(step: RoleStep, entries: Catalogue | undefined, asked: Permission): Permission | undefined {
  const { node, embedded } = step.definition
  if (node.state !== 'found') return undefined
  if (node.item.permission_form === 'embedded') {
    for (const text of coveringTexts(asked)) {
      const pattern = embedded.get(text)
      if (pattern !== undefined) return pattern
    }
    return undefined
  }
  for (const pattern of ownPatterns(step, entries)) if (covers(pattern, asked)) return pattern
  return undefined
}
