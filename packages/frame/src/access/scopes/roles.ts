import type { Entity } from '@freehold/table'
import { definitionReader, recordReader } from '../../decision/definition-reader.ts'
import { loadById, loadRange } from '../../decision/load.ts'
import { type LoadResult, type Records, type Unusable, type Wanted, wanted } from '../../decision/record.ts'
import { type Place, placeBefore, placeOf } from '../../decision/sources.ts'
import type { Conditions } from '../declared.ts'
import { asText, type Fields, hasValues } from '../link.ts'
import type { Pattern, Patterns } from './patterns.ts'

// Definitions in the sense of spec rule 18: `bounded` may take them from memory. Only the parts that decisions need are kept: others,
// such as a description, may be long.

/** Roles, and where they lie. */
export interface DeclaredRoles {
  readonly entity: Entity
  readonly id: string
  readonly list: string
  /** The attribute that names the outermost scope whose role it is; undefined if all roles are of none. */
  readonly of: string | undefined
  /** The owner of roles that are of no outermost scope; undefined if there are none. */
  readonly system: string | undefined
  /** The attribute that names the role above, and what lists these by their owner. */
  readonly above: { readonly attribute: string; readonly list: Entity } | undefined
  readonly linked: Linked | undefined
}

/** Roles whose permissions are entries of a catalogue, to which they are linked. */
export interface Linked {
  readonly links: Entity
  /** Of a link: the attributes that name the role, and the entry. */
  readonly role: string
  readonly entry: string
  readonly catalogue: Entity
  /** The values of a role with which its links count, and its own list does not. */
  readonly where: Conditions
  /** The flag of dangerous entries. */
  readonly dangerous?: string | undefined
}

/** A role by its key: that of its owner, an outermost scope or the system, and its own. */
export interface RoleAt {
  readonly role_owner: string
  readonly role_id: string
}

/** A role as an assignment names it. Another program does not say whose it is: that of the outermost scope or, if that has none of this id, the system's. */
export interface AssignedRole {
  readonly role_owner?: string | undefined
  readonly role_id: string
  readonly within?: string | undefined
}

/** The part of a role that decisions need. */
export interface RoleFacts {
  readonly version: number
  readonly name: string | undefined
  readonly above: string | undefined
  /** Its links count, and not its own list. */
  readonly isLinked: boolean
}

/** A role's own node, with the permissions that it embeds by their texts. */
export interface RoleNode {
  readonly node: LoadResult<RoleFacts>
  readonly embedded: ReadonlyMap<string, Pattern>
  readonly unusable: readonly Unusable[]
}
export type Links = Records<{ readonly entry: string; readonly owner: string | undefined; readonly version: number }>
export type Catalogue = ReadonlyMap<string, LoadResult<Pattern>>

/** The text by which a role is told from others, of other owners, too. */
export const roleText = ({ role_owner, role_id }: RoleAt) => `${role_owner} ${role_id}`

const noLinks: Links = { found: [], unusable: [] }

/** Where all entries of a catalogue lie. */
export function placeOfEntries(entries: Entity): Place {
  const [key = ''] = Object.keys(entries.attributes).filter((name) => entries.form.key.sort.placeholders.includes(name))
  return placeBefore(entries, {}, key)
}

/** Reads the roles of a declaration. */
export function roleReaders({ entity, id, list, of, system, above, linked }: DeclaredRoles, patterns: Patterns) {
  /** Undefined for the system. */
  const ownerIn = (role_owner: string) => (role_owner === system ? undefined : role_owner)
  const ownerKey = (role_owner: string) => (of === undefined ? {} : { [of]: ownerIn(role_owner) })
  const wantedRole = ({ role_owner, role_id }: RoleAt) => wanted(entity, { [id]: role_id, ...ownerKey(role_owner) })
  const ownersOf = (within: string) => [...(of === undefined ? [] : [within]), ...(system === undefined ? [] : [system])]

  /** Reads check only that a stored list is a list. Its members are parsed here, and a member that is no permission grants nothing. */
  const roleNode = (looked: LoadResult<Fields>, at: Wanted): RoleNode => {
    if (looked.state !== 'found') return { node: looked, embedded: new Map(), unusable: [] }
    const { item } = looked
    const embedded = new Map<string, Pattern>()
    let isWhole = true
    const listed = item[list]
    for (const stored of Array.isArray(listed) ? listed : []) {
      const permission = patterns.storedIn(stored)
      if (permission === undefined) isWhole = false
      else embedded.set(patterns.textOf(permission), permission)
    }
    const unusable: Unusable = {
      state: 'malformed',
      entity: entity.name,
      key: at.key,
      message: `A permission of the ${entity.name} is malformed.`,
    }
    const facts: RoleFacts = {
      version: Number(item.version),
      name: asText(item.name),
      above: above && asText(item[above.attribute]),
      isLinked: linked !== undefined && hasValues(item, linked.where),
    }
    return { node: { state: 'found', item: facts }, embedded, unusable: isWhole ? [] : [unusable] }
  }

  /** Every role of one owner, by its id. */
  const rolesOwned = definitionReader(
    (role_owner: string) => `roles of ${role_owner}`,
    (sources, role_owner) =>
      loadById(sources, entity, placeBefore(entity, ownerKey(role_owner), id), (looked: LoadResult<Fields>, at) => roleNode(looked, at)),
  )
  /** One role. */
  const singleRole = recordReader(
    (at: RoleAt) => `role ${roleText(at)}`,
    wantedRole,
    (looked: LoadResult<Fields>, at) => roleNode(looked, at),
  )
  /** The ids of the roles above, by the ids of those beneath, of all roles of one owner. They say where to look, and the roles themselves decide. */
  const parentsOwned = definitionReader(
    (role_owner: string) => `parents ${role_owner}`,
    async (sources, role_owner): Promise<ReadonlyMap<string, string>> => {
      if (above === undefined) return new Map()
      const owner = ownerIn(role_owner)
      const { found } = await loadRange(
        sources,
        above.list,
        placeOf(above.list, of === undefined || owner === undefined ? {} : { [of]: owner }),
      )
      return new Map(found.map((item: Fields) => [String(item[id]), String(item[above.attribute])]))
    },
  )
  /** The links of roles, by the ids of the roles. */
  const linksOf = definitionReader(
    (role_id: string) => `links ${role_id}`,
    async (sources, role_id): Promise<Links> => {
      if (linked === undefined) return noLinks
      const { links, role, entry } = linked
      const { found, unusable } = await loadRange(sources, links, placeBefore(links, { [role]: role_id }, entry))
      const facts = (item: Fields) => ({ entry: String(item[entry]), owner: of && asText(item[of]), version: Number(item.version) })
      return { found: found.map(facts), unusable }
    },
  )
  /** An entry of another program that says no permission: nothing is granted by it. */
  const noPermission = (of: Entity, at: Wanted): Unusable => ({
    ...{ state: 'missing', entity: of.name, key: at.key },
    message: `The ${of.name} says no ${patterns.parts.join(', ').replace(/, ([^,]*)$/, ' and $1')}.`,
  })
  /** The whole catalogue. A link grants what its entry says: nothing if the entry is gone or being deleted. */
  const catalogue = definitionReader(
    () => 'catalogue',
    async (sources): Promise<Catalogue> => {
      if (linked === undefined) return new Map()
      const { catalogue: entries } = linked
      return loadById(sources, entries, placeOfEntries(entries), (result: LoadResult<Fields>, at): LoadResult<Pattern> => {
        if (result.state !== 'found') return result
        const item = patterns.storedIn(result.item)
        return item === undefined ? noPermission(entries, at) : { state: 'found', item }
      })
    },
  )

  /** The roles that may be meant, the first that is there. */
  const rolesMeant = ({ role_owner, role_id, within }: AssignedRole): readonly RoleAt[] => {
    if (role_owner !== undefined) return [{ role_id, role_owner }]
    const owners = within === undefined ? [system ?? ''] : ownersOf(within)
    return owners.map((owner) => ({ role_id, role_owner: owner }))
  }

  return { rolesOwned, singleRole, parentsOwned, linksOf, catalogue, wantedRole, roleNode, rolesMeant, ownersOf, ownerIn, system }
}
