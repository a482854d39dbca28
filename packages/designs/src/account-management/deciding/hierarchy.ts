import { sideBySide, together } from '@freehold/table'
import type { Looked } from '../../decision/record.ts'
import type { Sources } from '../../decision/sources.ts'
import { coveringTexts, covers, type Permission } from './permission.ts'
import {
  type Catalogue,
  catalogue,
  isListHeld,
  type Links,
  linksOf,
  type RoleAt,
  type RoleNode,
  roleNodes,
  rolesOwned,
  roleText,
} from './roles.ts'

/** A role and those above it are no more than this (spec: depth over 8 is refused). What lies above grants nothing. */
const roleDepthMax = 8

/** A role by which something is granted: the one that was assigned, or one above it. */
export interface RoleStep extends RoleAt {
  readonly definition: RoleNode
  readonly links: Links | undefined
}

/** Roles with all above them. */
export interface Hierarchy {
  /** The role and those above it, itself first, up to one that does not count. */
  chain(at: RoleAt): readonly RoleStep[]
  readonly catalogue: Catalogue | undefined
  /** Everything that was read, for what is wrong with it. */
  readonly flaws: readonly Looked<unknown>[]
}

const isLinked = ({ node }: RoleNode) => node.state === 'found' && node.item.permission_form === 'linked'

/** The role above, which is of the same owner. */
function parentOf({ role_owner }: RoleAt, { node }: RoleNode): RoleAt | undefined {
  if (node.state !== 'found' || node.item.parent_role_id === undefined) return undefined
  return { role_owner, role_id: node.item.parent_role_id }
}

function chainAt(
  at: RoleAt,
  nodes: ReadonlyMap<string, RoleNode>,
): { readonly steps: readonly RoleAt[]; readonly next: RoleAt | undefined } {
  const steps: RoleAt[] = []
  const seen = new Set<string>()
  let next: RoleAt | undefined = at
  while (next !== undefined && steps.length < roleDepthMax && !seen.has(roleText(next))) {
    const node = nodes.get(roleText(next))
    if (node === undefined) return { steps, next }
    seen.add(roleText(next))
    steps.push(next)
    next = parentOf(next, node)
  }
  return { steps, next: undefined }
}

/**
 * Reads roles and all above them: nothing where they are in memory, else one round trip for the roles, and one for all above them by the hint
 * that each keeps. A role without a hint, as a foreign writer leaves it, costs a read of all roles of its owner; a hint that is out of date one
 * round trip more.
 */
export async function hierarchyOf(sources: Sources, wanted: readonly RoleAt[]): Promise<Hierarchy> {
  const nodes = new Map<string, RoleNode>()
  const links = new Map<string, Links>()
  let known: Catalogue | undefined
  let missing = new Map(wanted.map((at) => [roleText(at), at]))
  let listed = new Set<string>()
  for (;;) {
    const open = [...missing.values()]
    const linked = [...nodes].flatMap(([text, node]) => (isLinked(node) ? (text.split(' ')[1] ?? []) : []))
    const unlisted = open.filter(({ role_owner }) => !isListHeld(sources, role_owner)).map(({ role_id }) => role_id)
    const toLink = [...new Set([...linked, ...unlisted])].filter((role_id) => !links.has(role_id))
    // Whether a role above is linked is known once it is read, when the catalogue would cost one round trip more.
    const needsCatalogue = known === undefined && (linked.length > 0 || (nodes.size > 0 && unlisted.length > 0))
    if (open.length === 0 && toLink.length === 0 && !needsCatalogue) break
    const [read, readLinks, entries] = await together(
      async () => {
        await sideBySide([...listed], (role_owner) => rolesOwned(sources, role_owner))
        return roleNodes(sources, open)
      },
      () => linksOf(sources, toLink),
      () => (needsCatalogue ? catalogue(sources) : Promise.resolve(known)),
    )
    for (const [text, node] of read) nodes.set(text, node)
    for (const [role_id, of] of readLinks) links.set(role_id, of)
    known = entries
    ;({ missing, listed } = ancestorsMissing(wanted, nodes))
  }
  const chains = new Map<string, readonly RoleStep[]>()
  for (const at of wanted) {
    const steps = chainAt(at, nodes).steps.flatMap((step): RoleStep[] => {
      const definition = nodes.get(roleText(step))
      return definition === undefined ? [] : [{ ...step, definition, links: links.get(step.role_id) }]
    })
    chains.set(roleText(at), steps)
  }
  const flaws = [...nodes.values()].flatMap(({ node, lost }): Looked<unknown>[] => [node, ...lost])
  for (const { definition, links: of } of [...chains.values()].flat()) {
    if (!isLinked(definition) || of === undefined) continue
    flaws.push(...of.lost, ...of.found.flatMap(({ permission_id }) => known?.get(permission_id) ?? []))
  }
  return { chain: (at) => chains.get(roleText(at)) ?? [], catalogue: known, flaws }
}

/** Roles above that have not been read, with those that a hint names; owners of roles whose hint does not name the one above. */
function ancestorsMissing(wanted: readonly RoleAt[], nodes: ReadonlyMap<string, RoleNode>) {
  const missing = new Map<string, RoleAt>()
  const listed = new Set<string>()
  for (const at of wanted) {
    const { steps, next } = chainAt(at, nodes)
    if (next === undefined) continue
    missing.set(roleText(next), next)
    const hints = steps.flatMap((step): readonly unknown[] => {
      const node = nodes.get(roleText(step))?.node
      return node?.state === 'found' ? (node.item.ancestor_ids ?? []) : []
    })
    if (!hints.includes(next.role_id)) listed.add(next.role_owner)
    for (const role_id of hints.slice(0, roleDepthMax * roleDepthMax)) {
      const hinted = typeof role_id === 'string' && uuidForm.test(role_id) ? { role_owner: next.role_owner, role_id } : undefined
      if (hinted !== undefined && !nodes.has(roleText(hinted))) missing.set(roleText(hinted), hinted)
    }
  }
  return { missing, listed }
}

/** A stored list is only known to be a list. */
const uuidForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** What a role grants by itself, by the form that it says: patterns in which `*` stands for any. */
export function ownPatterns({ definition, links }: RoleStep, entries: Catalogue | undefined): Iterable<Permission> {
  const { node, embedded } = definition
  if (node.state !== 'found') return []
  if (node.item.permission_form === 'embedded') return embedded.values()
  const owner = node.item.client_id
  return (links?.found ?? []).flatMap(({ permission_id, client_id }) => {
    const entry = entries?.get(permission_id)
    if (entry?.state !== 'found' || (client_id !== undefined && client_id !== owner)) return []
    const { module, action, resource } = entry.item
    return [{ module, action, resource }]
  })
}

/** The pattern by which a role itself grants a permission; undefined where it does not. */
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
