import type { LoadResult, Reads } from '@freehold/frame/decision'
import { coveringTexts, covers, type Permission } from '../permission/permission.ts'
import { byForm, chainFrom } from '../permission/role-tree.ts'
import {
  type AssignedRole,
  type Catalogue,
  catalogue,
  type Links,
  linksOf,
  linksOfRole,
  parentsOwned,
  type RoleAt,
  type RoleNode,
  rolesMeant,
  rolesOwned,
  roleText,
  singleRole,
  unlistedRole,
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
  flaws(): readonly LoadResult<unknown>[]
}

const isLinked = ({ node }: RoleNode) => node.state === 'found' && node.item.permission_form === 'linked'

/** The role above, which is of the same owner. */
function parentOf({ role_owner }: RoleAt, { node }: RoleNode): RoleAt | undefined {
  if (node.state !== 'found' || node.item.parent_role_id === undefined) return undefined
  return { role_owner, role_id: node.item.parent_role_id }
}

/** One role, by the list of its owner or by itself, if it is in memory. */
function heldNode({ heldDefinition }: Reads, at: RoleAt): RoleNode | undefined {
  const owned = heldDefinition(rolesOwned, at.role_owner)
  return owned === undefined ? heldDefinition(singleRole, at) : (owned.get(at.role_id) ?? unlistedRole(at))
}

/** Asks for roles, and for all of an owner where the list of parents lacks one, as a foreign writer leaves it: then it is not known what lies above it. */
function askFor(reads: Reads, lacking: ReadonlyMap<RoleAt, 'assigned' | 'above'>): void {
  const whole = new Set<string>()
  for (const [{ role_owner, role_id }, is] of lacking) {
    const parents = reads.definition(parentsOwned, role_owner)
    if (is === 'above' && parents !== undefined && ![...parents.values()].includes(role_id)) whole.add(role_owner)
  }
  for (const at of lacking.keys())
    if (whole.has(at.role_owner)) reads.definition(rolesOwned, at.role_owner)
    else reads.definition(singleRole, at)
}

/**
 * Roles and all above them; undefined until they are read. Roles in memory cost nothing. Others cost one round trip, together with the list of parents, and one
 * for all above them with their links. If the list of parents lacks a role, the second reads all roles of its owner, and the links of distant ones cost a third.
 */
export function hierarchyOf(reads: Reads, assigned: readonly AssignedRole[]): Hierarchy | undefined {
  const nodes = new Map<string, RoleNode>()
  const chains = new Map<string, readonly RoleStep[]>()
  const lacking = new Map<RoleAt, 'assigned' | 'above'>()
  for (const first of assigned.flatMap(rolesMeant)) {
    if (chains.has(roleText(first))) continue
    const above = (at: RoleAt): RoleAt | undefined => {
      const node = heldNode(reads, at)
      if (node !== undefined) {
        nodes.set(roleText(at), node)
        return parentOf(at, node)
      }
      lacking.set(at, at === first ? 'assigned' : 'above')
      const role_id = reads.heldDefinition(parentsOwned, at.role_owner)?.get(at.role_id)
      return role_id === undefined ? undefined : { role_owner: at.role_owner, role_id }
    }
    const steps = chainFrom(first, roleText, above).roles.flatMap((at): RoleStep[] => {
      const definition = nodes.get(roleText(at))
      // Whether a role is linked is known once it is read, when its links would cost one round trip more.
      const links = definition === undefined || isLinked(definition) ? reads.definition(linksOf, at.role_id) : undefined
      return definition === undefined ? [] : [{ definition, links: linksOfRole(at, links), ...at }]
    })
    chains.set(roleText(first), steps)
  }
  askFor(reads, lacking)
  const isCatalogueWanted = lacking.size === 0 ? [...nodes.values()].some(isLinked) : nodes.size > 0
  const known = isCatalogueWanted ? reads.definition(catalogue, undefined) : undefined
  if (reads.isLacking()) return undefined
  const isThere = (at: RoleAt) => nodes.get(roleText(at))?.node.state !== 'missing'
  const roleOf = (at: AssignedRole): RoleAt => {
    const meant = rolesMeant(at)
    return meant.length === 1 ? meant[0] : (meant.find(isThere) ?? meant[0])
  }
  return {
    roleOf,
    chain: (at) => chains.get(roleText(roleOf(at))) ?? [],
    catalogue: known,
    // A yes tells none.
    flaws: () => flawsOf(nodes.values(), [...chains.values()].flat(), known),
  }
}

function flawsOf(nodes: Iterable<RoleNode>, steps: readonly RoleStep[], entries: Catalogue | undefined): readonly LoadResult<unknown>[] {
  const flaws = [...nodes].flatMap(({ node, unusable }): LoadResult<unknown>[] => [node, ...unusable])
  for (const { links } of steps) {
    // Not push(...): each is an argument then, and a role may have more links than the stack holds.
    for (const link of links?.unusable ?? []) flaws.push(link)
    for (const { permission_id } of links?.found ?? []) {
      const entry = entries?.get(permission_id)
      if (entry !== undefined) flaws.push(entry)
    }
  }
  return flaws
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
