import type { AnyDesign, Entity } from '@freehold/table'
import { keyPlaceholders, literalPrefix } from '@freehold/table/runtime'
import { type Conditions, checkNamed, type Node, nodeOf } from '../declared.ts'
import { words as wordsOf } from '../reason.ts'
import { refuse, sidesOf } from '../tie.ts'
import type { Granting, RolesAbove } from '../way.ts'
import { rolesOf } from './hierarchy.ts'
import type { ScopeNeed } from './need.ts'
import { type Patterns, patternsOf } from './patterns.ts'
import type { DeclaredRoles, Linked } from './roles.ts'
import { isAll, lies, type ScopeChain, scopeChain } from './scope-chain.ts'

// A declaration of access at scopes, resolved against the design. Nothing is read here.

/** How items assign roles to subjects at scopes, by the names of their attributes. */
export interface Assigned {
  readonly entity: Entity
  readonly subject: string
  readonly type: string
  readonly id: string
  readonly role: string
  /** Whose role it is. */
  readonly owner: string | undefined
  readonly from: string | undefined
  readonly until: string | undefined
  /** Lists them by scope, then by role. */
  readonly list: Entity
}

/** How items are told where the engine's own words are not those of the design. */
export interface ScopedWords {
  /** How an item is called. */
  readonly is?: string
  /** The code of the reason if such an item has not the values that it must have, and a sentence. */
  readonly code?: string
  readonly inactive?: (item: Readonly<Record<string, unknown>>) => string | undefined
}

export interface ScopedForm {
  readonly subject: Entity
  readonly scopes: Readonly<Record<string, Entity>>
  readonly permission: readonly string[]
  readonly names?: readonly Entity[] | undefined
  readonly where?: Readonly<Record<string, Conditions | undefined>> | undefined
  readonly unless?: Conditions | undefined
  readonly grants: Granting
  readonly needs?: ScopeNeed | undefined
  readonly words?: Readonly<Record<string, ScopedWords | undefined>> | undefined
  readonly shows?: Readonly<Record<string, string>> | undefined
}

export interface Scoped {
  readonly subject: Node
  readonly chain: ScopeChain
  readonly patterns: Patterns
  readonly where: Readonly<Record<string, Conditions | undefined>>
  /** The attribute by which a subject names the outermost scope that it is of; undefined if subjects are of none. */
  readonly of: string | undefined
  /** The values of subjects who are of none, and may have roles at each. */
  readonly unless: Conditions | undefined
  readonly assigned: Assigned
  /** How an assignment is called, in sentences and in codes. */
  readonly assignment: { readonly name: string; readonly capital: string }
  readonly declaredRoles: DeclaredRoles
  readonly roles: ReturnType<typeof rolesOf>
  readonly need: ScopeNeed | undefined
  readonly words: Readonly<Record<string, ScopedWords | undefined>>
  readonly shows: Readonly<Record<string, string>>
}

function assignedIn(
  design: AnyDesign,
  { steps }: Granting,
  subject: Entity,
  outermost: string,
  isNested: boolean,
): Assigned & { by: RoleStep } {
  const [step, ...more] = steps
  const entity = step?.by
  const { allowing, at, from, until } = step ?? {}
  if (entity === undefined || typeof entity === 'string' || more.length > 0 || at === undefined || allowing?.kind !== 'role')
    return refuse('A way at scopes goes through one entity, says the scope by at(), and the role by byRole().')
  const to = entity.form.references.find((each) => each.to === subject)?.attribute
  if (to === undefined) return refuse(`A way at scopes goes through ${entity.name}, which refers to no ${subject.name}.`)
  const [type, id] = at
  const role = allowing.attribute
  if (!lies(entity, [to], [type, id, role])) return refuse(`The key of ${entity.name} is not ['…{${to}}', '…{${type}}#{${id}}#{${role}}'].`)
  if (isNested && entity.attributes[outermost] === undefined)
    return refuse(
      `${entity.name} has no attribute '${outermost}', which says where its scope lies. Add ${outermost}: uuid().from('${id}').`,
    )
  const list = sidesOf(design, entity).find((each) => lies(each, [type, id], [role, to]))
  if (list === undefined)
    return refuse(
      `No items list each ${entity.name} by its scope. Add mirror('Scope${entity.name}', ${entity.name}, ['SCOPE#{${type}}#{${id}}', '…{${role}}#{${to}}']).`,
    )
  for (const name of [from, until])
    if (name !== undefined && entity.attributes[name]?.kind.name !== 'instant')
      refuse(`A way at scopes has the bound '${name}', which is no instant of ${entity.name}.`)
  return { entity, subject: to, type, id, role, owner: allowing.more?.owner, from, until, list, by: allowing }
}

type RoleStep = Extract<NonNullable<Granting['steps'][number]['allowing']>, { kind: 'role' }>

function rolesIn(design: AnyDesign, { role: entity, list, more = {} }: RoleStep, outermost: string): DeclaredRoles {
  const { partition, sort } = entity.form.key
  const of = keyPlaceholders(entity).includes(outermost) ? outermost : undefined
  const [id, ...others] = keyPlaceholders(entity).filter((name) => name !== of)
  const owned = of === undefined ? [] : [of]
  if (id === undefined || others.length > 0 || !isAll(partition.placeholders, owned) || !isAll(sort.placeholders, [id]))
    return refuse(`The roles ${entity.name} of one owner do not lie in one partition, in the order of their ids.`)
  const system = partition.alternatives.find(({ placeholders }) => placeholders.length === 0)
  const { above, links } = more
  const parents =
    above === undefined
      ? undefined
      : sidesOf(design, entity).find(
          ({ form: { key } }) => isAll(key.partition.placeholders, owned) && isAll(key.sort.placeholders, [id, above]),
        )
  if (above !== undefined && parents === undefined)
    return refuse(
      `No items list the roles above each ${entity.name}. Add mirror('${entity.name}Parent', ${entity.name}, ['…', '…{${id}}#{${above}}']).`,
    )
  return {
    ...{ entity, id, list, of, system: system && literalPrefix(system) },
    above: above === undefined || parents === undefined ? undefined : { attribute: above, list: parents },
    linked: links && linkedIn(links, entity, more),
  }
}

function linkedIn(links: Entity, roles: Entity, { where = {}, dangerous }: RolesAbove): Linked {
  const { part } = links.form
  const ends = part.kind === 'edge' ? part.edge.ends : []
  const [role, entry] = [ends.find(({ to }) => to === roles), ends.find(({ to }) => to !== roles)]
  if (role === undefined || entry === undefined) return refuse(`${links.name} is no edge between ${roles.name} and a catalogue.`)
  if (dangerous !== undefined && entry.to.attributes[dangerous] === undefined) refuse(`${entry.to.name} has no flag '${dangerous}'.`)
  return { links, role: role.attribute, entry: entry.attribute, catalogue: entry.to, where, dangerous }
}

/** Access at scopes, checked against its design. Throws `InvalidDesign`. */
export function scopedIn(design: AnyDesign, form: ScopedForm): Scoped {
  const { subject, names = [], where = {}, unless, grants, needs, words = {}, shows } = form
  const chain = scopeChain(design, form.scopes)
  const outermost = chain.levels[0]?.name ?? ''
  const { by, ...assigned } = assignedIn(design, grants, subject, outermost, chain.levels.length > 1)
  const name = words[assigned.entity.name]?.is ?? wordsOf(assigned.entity.name)
  const assignment = { name, capital: `${name.slice(0, 1).toUpperCase()}${name.slice(1)}` }
  const declaredRoles = rolesIn(design, by, outermost)
  const patterns = patternsOf(form.permission)
  const node = nodeOf(subject, names, [])
  checkNamed(design, names, [node], where)
  checkNamed(design, [], [], { [subject.name]: unless })
  return Object.freeze({
    ...{ subject: node, chain, patterns, where, unless, assigned, assignment, declaredRoles, need: needs, words },
    of: subject.attributes[outermost] === undefined ? undefined : outermost,
    roles: rolesOf(declaredRoles, patterns),
    shows: shows ?? { [`${node.field}_id`]: node.id },
  })
}
