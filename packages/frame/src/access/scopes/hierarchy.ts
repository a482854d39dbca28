import type { LoadResult } from '../../decision/record.ts'
import { parseRecord } from '../../decision/record.ts'
import type { Reads } from '../reads.ts'
import type { Pattern, Patterns } from './patterns.ts'
import { chainFrom, ownLinks } from './role-tree.ts'
import {
  type AssignedRole,
  type Catalogue,
  type DeclaredRoles,
  type Links,
  type RoleAt,
  type RoleNode,
  roleReaders,
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
  flaws(): readonly LoadResult<unknown>[]
}

const isLinked = ({ node }: RoleNode) => node.state === 'found' && node.item.isLinked

/** The role above, which is of the same owner. */
function parentOf({ role_owner }: RoleAt, { node }: RoleNode): RoleAt | undefined {
  if (node.state !== 'found' || node.item.above === undefined) return undefined
  return { role_owner, role_id: node.item.above }
}

function flawsOf(nodes: Iterable<RoleNode>, steps: readonly RoleStep[], entries: Catalogue | undefined): readonly LoadResult<unknown>[] {
  const flaws = [...nodes].flatMap(({ node, unusable }): LoadResult<unknown>[] => [node, ...unusable])
  for (const { links } of steps) {
    // Not push(...): each is an argument then, and a role may have more links than the stack holds.
    for (const link of links?.unusable ?? []) flaws.push(link)
    for (const { entry } of links?.found ?? []) {
      const found = entries?.get(entry)
      if (found !== undefined) flaws.push(found)
    }
  }
  return flaws
}

/** Roles with all above them, and what they grant. */
export function rolesOf({ above, linked, ...declared }: DeclaredRoles, patterns: Patterns) {
  const { rolesOwned, singleRole, parentsOwned, linksOf, catalogue, wantedRole, roleNode, rolesMeant, ownersOf, ownerIn, system } =
    roleReaders({ above, linked, ...declared }, patterns)

  /** One role, by the list of its owner or by itself, if it is in memory. */
  const heldNode = ({ heldDefinition }: Reads, at: RoleAt): RoleNode | undefined => {
    const owned = heldDefinition(rolesOwned, at.role_owner)
    if (owned === undefined) return heldDefinition(singleRole, at)
    const missing = () => roleNode(parseRecord(wantedRole(at), undefined), wantedRole(at))
    return owned.get(at.role_id) ?? missing()
  }

  /** Asks for roles, and for all of an owner where the list of parents lacks one, as a foreign writer leaves it: then it is not known what lies above it. */
  const askFor = (reads: Reads, lacking: ReadonlyMap<RoleAt, 'assigned' | 'above'>): void => {
    const whole = new Set<string>()
    for (const [{ role_owner, role_id }, is] of above === undefined ? [] : lacking) {
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
  const hierarchyOf = (reads: Reads, assigned: readonly AssignedRole[]): Hierarchy | undefined => {
    const nodes = new Map<string, RoleNode>()
    const chains = new Map<string, readonly RoleStep[]>()
    const lacking = new Map<RoleAt, 'assigned' | 'above'>()
    for (const first of assigned.flatMap(rolesMeant)) {
      if (chains.has(roleText(first))) continue
      const next = (at: RoleAt): RoleAt | undefined => {
        const node = heldNode(reads, at)
        if (node !== undefined) {
          nodes.set(roleText(at), node)
          return parentOf(at, node)
        }
        lacking.set(at, at === first ? 'assigned' : 'above')
        const role_id = reads.heldDefinition(parentsOwned, at.role_owner)?.get(at.role_id)
        return role_id === undefined ? undefined : { role_owner: at.role_owner, role_id }
      }
      const steps = chainFrom(first, roleText, next).roles.flatMap((at): RoleStep[] => {
        const definition = nodes.get(roleText(at))
        // Whether a role is linked is known once it is read, when its links would cost one round trip more.
        const mayLink = linked !== undefined && (definition === undefined || isLinked(definition))
        const links = mayLink ? reads.definition(linksOf, at.role_id) : undefined
        const own = links && { ...links, found: ownLinks(links.found, ownerIn(at.role_owner), ({ owner }) => owner) }
        return definition === undefined ? [] : [{ definition, links: own, ...at }]
      })
      chains.set(roleText(first), steps)
    }
    askFor(reads, lacking)
    const isCatalogueWanted = linked !== undefined && (lacking.size === 0 ? [...nodes.values()].some(isLinked) : nodes.size > 0)
    const known = isCatalogueWanted ? reads.definition(catalogue, undefined) : undefined
    if (reads.isLacking()) return undefined
    const isThere = (at: RoleAt) => nodes.get(roleText(at))?.node.state !== 'missing'
    const roleOf = (at: AssignedRole): RoleAt => {
      const meant = rolesMeant(at)
      const [first = { role_owner: '', role_id: at.role_id }] = meant
      return meant.length === 1 ? first : (meant.find(isThere) ?? first)
    }
    return {
      roleOf,
      chain: (at) => chains.get(roleText(roleOf(at))) ?? [],
      catalogue: known,
      // A yes tells none.
      flaws: () => flawsOf(nodes.values(), [...chains.values()].flat(), known),
    }
  }

  /** The permissions that a role grants by itself, by its form: patterns in which `*` stands for any. */
  const ownPatterns = ({ definition, links }: RoleStep, entries: Catalogue | undefined): Iterable<Pattern> => {
    const { node, embedded } = definition
    if (node.state !== 'found') return []
    if (!node.item.isLinked) return embedded.values()
    return (links?.found ?? []).flatMap(({ entry }) => {
      const found = entries?.get(entry)
      return found?.state === 'found' ? [found.item] : []
    })
  }

  return {
    hierarchyOf,
    ownPatterns,
    rolesMeant,
    /** True of an owner whose roles count in an outermost scope. */
    isOwnerIn: (role_owner: string, within: string) => role_owner === system || role_owner === within,
    /**
     * The pattern by which a role itself grants a permission; undefined if it does not.
     * @param covering the texts of the patterns that cover it
     */
    grantingPattern: (step: RoleStep, entries: Catalogue | undefined, asked: Pattern, covering: readonly string[]): Pattern | undefined => {
      const { node, embedded } = step.definition
      if (node.state !== 'found') return undefined
      if (!node.item.isLinked) {
        for (const text of covering) {
          const pattern = embedded.get(text)
          if (pattern !== undefined) return pattern
        }
        return undefined
      }
      for (const pattern of ownPatterns(step, entries)) if (patterns.covers(pattern, asked)) return pattern
      return undefined
    },
    /** All roles that count in an outermost scope. Undefined until they are read. */
    allRoles: (reads: Reads, within: string): readonly RoleAt[] | undefined => {
      const owners = ownersOf(within).map((role_owner) => ({ role_owner, nodes: reads.definition(rolesOwned, role_owner) }))
      if (reads.isLacking()) return undefined
      return owners.flatMap(({ role_owner, nodes }) => [...(nodes?.keys() ?? [])].map((role_id) => ({ role_owner, role_id })))
    },
  }
}
