import type { AnyDesign, Attribute, Entity } from '@freehold/table'
import { keyPlaceholders } from '@freehold/table/runtime'
import { type Route, refuse, routeOf } from './route.ts'
import { everything, type Granting } from './way.ts'

/** Values that an item must have to count, by attribute. */
export type Conditions = Readonly<Record<string, string | number | boolean>>

/** A subject or a place. */
export interface Node {
  readonly entity: Entity
  /** The one attribute of its key. */
  readonly id: string
  /** The field of questions: the entity's name, uncapitalised. */
  readonly field: string
  /** The guard by whose text it is called, too, and its attribute. */
  readonly called?: { readonly guard: Entity; readonly by: string } | undefined
}

/** How items of one step count, worked out once. */
export interface Spec {
  readonly conditions: readonly (readonly [attribute: string, value: string | number | boolean])[]
  readonly rests: readonly string[]
  readonly from: string | undefined
  readonly until: string | undefined
  /** A day counts whole. */
  readonly lasts_ms: number
}

export interface Declared {
  readonly design: AnyDesign
  readonly subject: Node
  readonly place: Node
  /** In the order of their names. */
  readonly actions: readonly string[]
  /** By the name of the entity. */
  readonly where: ReadonlyMap<string, Conditions>
  /** By which something is granted. */
  readonly grants: readonly Route[]
  /** Each must lead there, too. */
  readonly needs: readonly Route[]
  /** All of them. */
  readonly routes: readonly Route[]
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

function nodeOf(entity: Entity, names: readonly Entity[]): Node {
  const id = soleId(entity)
  const guard = names.find(({ form: { part } }) => part.kind === 'guard' && part.owner === entity)
  const by = guard && keyPlaceholders(guard).find((placeholder) => placeholder !== id)
  const called = guard === undefined || by === undefined ? undefined : { guard, by }
  return { entity, id, field: uncapitalised(entity.name), called }
}

/** A way that every action needs, unless it says for which ones. */
function whole({ steps }: Pick<Granting, 'steps'>): Pick<Granting, 'steps'> {
  const allowing = { kind: 'all', actions: [everything] } as const
  return {
    steps: steps.some((step) => step.allowing !== undefined) ? steps : [...steps.slice(0, -1), { by: '', ...steps.at(-1), allowing }],
  }
}

/** An access declaration, checked against its design. Throws `InvalidDesign`. */
export function declaredIn(
  design: AnyDesign,
  {
    subject,
    place,
    action,
    names = [],
    where = {},
    needs = [],
    grants,
  }: {
    readonly subject: Entity
    readonly place: Entity
    readonly action: Attribute
    readonly names?: readonly Entity[] | undefined
    readonly where?: Readonly<Record<string, Conditions | undefined>> | undefined
    readonly needs?: readonly Pick<Granting, 'steps'>[] | undefined
    readonly grants: readonly Pick<Granting, 'steps'>[]
  },
): Declared {
  const actions = [...(action.kind.domain?.values ?? refuse('The actions of an access declaration are those of oneOf().'))].sort()
  const nodes = { subject: nodeOf(subject, names), place: nodeOf(place, names) }
  const stray = names.find((guard) => guard !== nodes.subject.called?.guard && guard !== nodes.place.called?.guard)
  if (stray !== undefined) refuse(`${stray.name} is no uniqueness guard that names a ${subject.name} or a ${place.name}.`)
  for (const [name, conditions = {}] of Object.entries(where)) {
    const entity = design.form.entities.get(name) ?? refuse(`'${name}' has conditions, but is no entity of ${design.name}.`)
    const unknown = Object.keys(conditions).find((own) => entity.attributes[own] === undefined)
    if (unknown !== undefined) refuse(`${name} has a condition on '${unknown}', which is not an attribute of it.`)
  }
  const resolved = (way: Pick<Granting, 'steps'>) => routeOf(design, way, place, subject, actions)
  const routes = { grants: grants.map(resolved), needs: needs.map(whole).map(resolved) }
  const known = new Set(actions)
  return Object.freeze({
    design,
    ...nodes,
    actions,
    where: new Map(Object.entries(where).map(([name, conditions = {}]) => [name, conditions])),
    ...routes,
    routes: [...routes.grants, ...routes.needs],
    specs: new Map<object, Spec>(),
    actionsAmong: (all: readonly string[]) => (all.includes(everything) ? actions : all.filter((each) => known.has(each))),
  })
}
