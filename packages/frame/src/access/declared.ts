import type { AnyDesign, Attribute, Entity } from '@freehold/table'
import { keyPlaceholders } from '@freehold/table/runtime'
import type { Evidence } from '../decision/decision.ts'
import { type Route, routeOf } from './route.ts'
import { type Listing, refuse, type Sort } from './tie.ts'
import { directoryOf } from './tied-route.ts'
import { everything, type Granting } from './way.ts'

/** Values that an item must have to count, by attribute. */
export type Conditions = Readonly<Record<string, string | number | boolean>>

/** How an item is told: its step, and a sentence by state, in which `{attribute}` stands for that of its key. */
export type Words = { readonly is: string } & { readonly [S in Evidence['state']]?: string }

/** What lists tell: attributes by the name under which they are told. */
export interface Shown {
  readonly subject?: Readonly<Record<string, string>> | undefined
  readonly place?: Readonly<Record<string, string>> | undefined
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
  /** Actions that are items, and what lists all of them. */
  readonly action?: Node & { readonly all: Listing | undefined }
  /** Other actions, in the order of their names. */
  readonly actions: readonly string[]
  /** By the name of the entity. */
  readonly where: ReadonlyMap<string, Conditions>
  /** By which something is granted. */
  readonly grants: readonly Route[]
  /** Each must lead there, too. */
  readonly needs: readonly Route[]
  /** All of them. */
  readonly routes: readonly Route[]
  readonly words: ReadonlyMap<string, Words>
  readonly shows: Shown
  /** What users do with an action. */
  readonly verb: string
  /** How the items of each step count, as far as that was worked out. */
  readonly specs: Map<object, Spec>
  /** The actions that are among these, in which `*` stands for all. */
  actionsAmong(all: readonly string[]): readonly string[]
}

export const uncapitalised = (name: string): string => name.slice(0, 1).toLowerCase() + name.slice(1)

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

function nodeOf(entity: Entity, names: readonly Entity[], definitions: readonly Entity[]): Node {
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
  const stray = names.find((guard) => guard !== nodes.subject.called?.guard && guard !== nodes.place.called?.guard)
  if (stray !== undefined) refuse(`${stray.name} is no uniqueness guard that names a ${subject.name} or a ${place.name}.`)
  for (const [name, conditions = {}] of Object.entries(where)) {
    const entity = design.form.entities.get(name) ?? refuse(`'${name}' has conditions, but is no entity of ${design.name}.`)
    const unknown = Object.keys(conditions).find((own) => entity.attributes[own] === undefined)
    if (unknown !== undefined) refuse(`${name} has a condition on '${unknown}', which is not an attribute of it.`)
  }
  const resolved = (way: Pick<Granting, 'steps'>) => routeOf(design, way, place, subject, actions, isItem ? action : undefined)
  const needed = (way: Pick<Granting, 'steps'>) => routeOf(design, whole(way), place, subject, actions)
  const routes = { grants: grants.map(resolved), needs: needs.map(needed) }
  // Lists find places by groups that refer to them otherwise than by ties.
  const byNodes = routes.grants.filter(({ ties: [inner] }) => inner.isNode)
  if (byNodes.length > 0 && (byNodes.length < routes.grants.length || byNodes.some(({ references }) => references.length > 0)))
    refuse(`The way ${byNodes[0]?.name} goes by groups that refer to the place: it begins at the place, and so do all others then.`)
  const known = new Set(actions)
  return Object.freeze({
    design,
    ...nodes,
    ...(isItem && { action: { ...nodeOf(action, [], [action]), all: directoryOf(design, action) } }),
    ...{ actions, words: new Map(Object.entries(words).flatMap(([name, of]) => (of === undefined ? [] : [[name, of]]))), shows, verb },
    where: new Map(Object.entries(where).map(([name, conditions = {}]) => [name, conditions])),
    ...routes,
    routes: [...routes.grants, ...routes.needs],
    specs: new Map<object, Spec>(),
    actionsAmong: (all: readonly string[]) => (isItem ? all : all.includes(everything) ? actions : all.filter((each) => known.has(each))),
  })
}
