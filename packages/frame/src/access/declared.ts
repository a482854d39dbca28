import type { AnyDesign, Attribute, Entity, Item } from '@freehold/table'
import { keyPlaceholders } from '@freehold/table/runtime'
import { type Route, routeOf } from './route.ts'
import { type Telling, tellingOf, type Words } from './sentence.ts'
import { endsOf, type Listing, listingOf, type Naming, refuse, type Sort, type Tie, toOne } from './tie.ts'
import { directoryOf, type TiedActions } from './tied-route.ts'
import { everything, type Flagged, type Granting } from './way.ts'

/** Values that an item must have to count, by attribute. */
export type Conditions = Readonly<Record<string, string | number | boolean>>
/** The same, of an entity. */
export type ConditionsOf<E> = { readonly [N in keyof Item<E>]?: Item<E>[N] & (string | number | boolean) }

/** What lists tell: attributes by the name under which they are told. */
export interface Shown {
  readonly subject?: Readonly<Record<string, string>> | undefined
  readonly place?: Readonly<Record<string, string>> | undefined
  readonly within?: Readonly<Record<string, string>> | undefined
  /** The item of the chain whose key is told as `grantedBy`. */
  readonly grantedBy?: Entity | undefined
}

/** A subject, a place, or an action that is an item. */
export interface Node {
  readonly entity: Entity
  /** The one attribute of its key. */
  readonly id: string
  /** The field of questions: the entity's name, uncapitalised. */
  readonly field: string
  /** The guard by whose text it is called, too, and its attribute. */
  readonly called?: { readonly guard: Entity; readonly by: string; readonly id: string } | undefined
  readonly sort: Sort
}

/** A part of a place, at which only its members may do something. Its key names the place, too. */
export interface Within extends Node {
  readonly ofPlace: Naming
  /** Items that tie a part to its members. */
  readonly member: Tie
}

/** A declaration within a tenant: an item that says another one than the place grants nothing there. */
export interface Tenancy extends Flagged {
  readonly tied: TiedActions
  /** The attribute of items that names their tenant. */
  readonly by: string
  /** The attribute by which a subject refers to its tenant. It has to. */
  readonly ofSubject: string
}

/** How items of one step count, worked out once. */
export interface Spec {
  readonly conditions: readonly (readonly [attribute: string, value: string | number | boolean])[]
  readonly rests: readonly string[]
  readonly from: string | undefined
  readonly until: string | undefined
  /** A day counts whole. */
  readonly lasts_ms: number
  /** An item counts if it is there. */
  readonly isPlain: boolean
}

export interface Declared {
  readonly design: AnyDesign
  readonly subject: Node
  readonly place: Node
  readonly within: Within | undefined
  readonly tenancy: Tenancy | undefined
  /** Actions that are items, and what lists all of them. */
  readonly action?: Node & { readonly all: Listing | undefined }
  /** Other actions, in the order of their names. */
  readonly actions: readonly string[]
  /** By the name of the entity. */
  readonly where: ReadonlyMap<string, Conditions>
  /** By the name of a subject or a place: the attribute that holds its last day or instant. */
  readonly until: ReadonlyMap<string, string>
  /** By which something is granted. */
  readonly grants: readonly Route[]
  /** Each must lead there, too. */
  readonly needs: readonly Route[]
  /** All of them. */
  readonly routes: readonly Route[]
  readonly words: ReadonlyMap<string, Telling>
  readonly shows: Shown
  /** What users do with an action. */
  readonly verb: string
  /** How the items of each step count, as far as that was worked out. */
  readonly specs: Map<object, Spec>
  /** The actions that are among these, in which `*` stands for all. */
  actionsAmong(all: readonly string[]): readonly string[]
}

export const uncapitalised = (name: string): string => name.slice(0, 1).toLowerCase() + name.slice(1)
export type Uncapitalised<E> = E extends Entity<infer N> ? Uncapitalize<N> : never

/** The one attribute of an entity's key. Throws `InvalidDesign`: a question names its subject and its place by one id each. */
export function soleId(entity: Entity): string {
  const [id, ...more] = keyPlaceholders(entity)
  return id === undefined || more.length > 0
    ? refuse(`The key of ${entity.name} is not of one attribute, by which a question could name it.`)
    : id
}

/** The attribute by which a guard, or an item of an edge with one end, names its owner. */
function ownerIn({ form: { part } }: Entity, owner: Entity, id: string): string | undefined {
  if (part.kind === 'guard' && part.owner === owner) return id
  const [end, ...more] = part.kind === 'edge' ? part.edge.ends : []
  return more.length === 0 && end?.to === owner ? end.by[id] : undefined
}

export function nodeOf(entity: Entity, names: readonly Entity[], definitions: readonly Entity[]): Node {
  const id = soleId(entity)
  const [called] = names.flatMap((guard) => {
    const own = ownerIn(guard, entity, id)
    const by = keyPlaceholders(guard).find((placeholder) => placeholder !== own)
    return own === undefined || by === undefined ? [] : [{ guard, by, id: own }]
  })
  return { entity, id, field: uncapitalised(entity.name), called, sort: definitions.includes(entity) ? 'definition' : 'fact' }
}

/** A way that every action needs, unless it says for which ones. */
function whole({ steps }: Pick<Granting, 'steps'>): Pick<Granting, 'steps'> {
  const allowing = { kind: 'all', actions: [everything] } as const
  return {
    steps: steps.some((step) => step.allowing !== undefined) ? steps : [...steps.slice(0, -1), { by: '', ...steps.at(-1), allowing }],
  }
}

function withinOf(design: AnyDesign, entity: Entity, subject: Entity, place: Entity): Within {
  const [far, { node, by }] = endsOf(entity, subject, () => true)
  const ofPlace = toOne(node, place)
  const [id, ...more] = keyPlaceholders(node).filter((placeholder) => !Object.values(ofPlace.by).includes(placeholder))
  if (id === undefined || more.length > 0) return refuse(`The key of ${node.name} is not of one attribute beside its ${place.name}.`)
  const names = keyPlaceholders(entity)
  const near = { node, by: Object.fromEntries(Object.entries(by).filter(([, own]) => names.includes(own))) }
  const [toFar, toNear] = [listingOf(design, entity, near, subject, names), listingOf(design, entity, far, node, names, true)]
  const member: Tie = { ...{ entity, near, far, toFar, toNear }, from: undefined, until: undefined, allowing: undefined, isNode: false }
  return { entity: node, id, field: uncapitalised(node.name), sort: 'fact', ofPlace, member }
}

function tenancyOf({ tenants }: AnyDesign, [route]: readonly Route[], subject: Entity, place: Entity): Tenancy | undefined {
  const { tied } = route ?? {}
  if (tied?.flagged === undefined) return undefined
  const ofSubject = toOne(subject, place).by[soleId(place)]
  if (tenants?.of?.[place.name] === undefined || ofSubject === undefined)
    return refuse('A way by flags begins at the tenant of its subjects.')
  return { ...tied.flagged, tied, by: tenants.by, ofSubject }
}

/** Throws `InvalidDesign` for names that name none of these nodes, and for conditions on what the design does not have. */
export function checkNamed(
  design: AnyDesign,
  names: readonly Entity[],
  nodes: readonly Node[],
  where: Readonly<Record<string, Conditions | undefined>>,
): void {
  const stray = names.find((guard) => nodes.every(({ called }) => guard !== called?.guard))
  if (stray !== undefined)
    refuse(`${stray.name} is no uniqueness guard that names a ${nodes.map(({ entity }) => entity.name).join(' or a ')}.`)
  for (const [name, conditions = {}] of Object.entries(where)) {
    const entity = design.form.entities.get(name) ?? refuse(`'${name}' has conditions, but is no entity of ${design.name}.`)
    const unknown = Object.keys(conditions).find((own) => entity.attributes[own] === undefined)
    if (unknown !== undefined) refuse(`${name} has a condition on '${unknown}', which is not an attribute of it.`)
  }
}

const isEntity = (action: Attribute | Entity): action is Entity => 'form' in action

/** An access declaration, checked against its design. Throws `InvalidDesign`. */
export function declaredIn(
  design: AnyDesign,
  {
    subject,
    place,
    action,
    names = [],
    definitions = [],
    words = {},
    shows = {},
    verb = 'do',
    where = {},
    until = {},
    within,
    needs = [],
    grants,
  }: {
    readonly subject: Entity
    readonly place: Entity
    readonly action: Attribute | Entity
    readonly names?: readonly Entity[] | undefined
    readonly definitions?: readonly Entity[] | undefined
    readonly words?: Readonly<Record<string, Words | undefined>> | undefined
    readonly shows?: Shown | undefined
    readonly verb?: string | undefined
    readonly where?: Readonly<Record<string, Conditions | undefined>> | undefined
    readonly until?: Readonly<Record<string, string | undefined>> | undefined
    readonly within?: Entity | undefined
    readonly needs?: readonly Pick<Granting, 'steps'>[] | undefined
    readonly grants: readonly Pick<Granting, 'steps'>[]
  },
): Declared {
  const isItem = isEntity(action)
  const values = isItem
    ? []
    : (action.kind.domain?.values ?? refuse('The actions of an access declaration are those of oneOf(), or items.'))
  const actions = [...values].sort()
  const nodes = { subject: nodeOf(subject, names, []), place: nodeOf(place, names, definitions) }
  checkNamed(design, names, [nodes.subject, nodes.place], where)
  const bounds = Object.entries(until).flatMap(([name, bound]) => (bound === undefined ? [] : [[name, bound] as const]))
  for (const [name, bound] of bounds) {
    const node = [subject, place].find((each) => each.name === name) ?? refuse(`'${name}' has an end, but is no subject and no place.`)
    if (!['day', 'instant'].includes(node.attributes[bound]?.kind.name ?? ''))
      refuse(`${name} ends by '${bound}', which is neither a day nor an instant of it.`)
  }
  const resolved = (way: Pick<Granting, 'steps'>) => routeOf(design, way, place, subject, actions, isItem ? action : undefined)
  const needed = (way: Pick<Granting, 'steps'>) => routeOf(design, whole(way), place, subject, actions)
  const routes = { grants: grants.map(resolved), needs: needs.map(needed) }
  // Lists find places by groups that refer to them otherwise than by ties.
  const byNodes = routes.grants.filter(({ ties: [inner] }) => inner.isNode)
  if (byNodes.length > 0 && (byNodes.length < routes.grants.length || byNodes.some(({ references }) => references.length > 0)))
    refuse(`The way ${byNodes[0]?.name} goes by groups that refer to the place: it begins at the place, and so do all others then.`)
  const tenancy = tenancyOf(design, routes.grants, subject, place)
  if (tenancy !== undefined && (routes.grants.length > 1 || needs.length > 0))
    refuse('A way by flags is the only one, and needs nothing else.')
  if (within !== undefined && tenancy === undefined) refuse('Only a way by flags leads to a part of a place.')
  const known = new Set(actions)
  return Object.freeze({
    design,
    ...nodes,
    ...(isItem && { action: { ...nodeOf(action, [], [action]), all: directoryOf(design, action) } }),
    ...{
      actions,
      words: new Map(Object.entries(words).flatMap(([name, of]) => (of === undefined ? [] : [[name, tellingOf(of)]]))),
      shows,
      verb,
    },
    where: new Map(Object.entries(where).map(([name, conditions = {}]) => [name, conditions])),
    ...{ until: new Map(bounds), tenancy, within: within && withinOf(design, within, subject, place) },
    ...routes,
    routes: [...routes.grants, ...routes.needs],
    specs: new Map<object, Spec>(),
    actionsAmong: (all: readonly string[]) => (isItem ? all : all.includes(everything) ? actions : all.filter((each) => known.has(each))),
  })
}
