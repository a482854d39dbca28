/** What `GET /v1/{design}/design` tells, as far as the console draws it. */
export interface ToldAttribute {
  readonly kind: string
  readonly presence?: string
  readonly secret?: true
  readonly made?: string
  readonly stamp?: string
  readonly limits?: { readonly values?: readonly string[] }
  /** Copied from what another attribute refers to. */
  readonly from?: { readonly through: string; readonly attribute?: unknown }
}
export interface ToldReference {
  readonly attribute: string
  readonly to: string
  /** The attributes of the key of what is referred to, by those of the item. */
  readonly by: Readonly<Record<string, string>>
  /** The values of other attributes with which it refers there, and those that stand for none. */
  readonly when?: Readonly<Record<string, string>>
  readonly absent?: Readonly<Record<string, string>>
  /** Each value of a list refers to one. */
  readonly each?: true
}
export interface ToldEntity {
  readonly kind: 'entity' | 'guard' | 'mirror' | 'edge'
  readonly owner?: string
  readonly ends?: readonly ToldReference[]
  /** The names of both items of an edge. */
  readonly sides?: readonly string[]
  readonly key: readonly [string, string]
  readonly indexes?: Readonly<Record<string, readonly [string, string]>>
  readonly attributes?: Readonly<Record<string, ToldAttribute>>
  readonly carries?: readonly string[]
  readonly references?: readonly ToldReference[]
  /** Its items are never changed: they tell what happened. */
  readonly appendOnly?: true
}
export interface ToldPattern {
  readonly operation: 'get' | 'query'
  readonly index?: string
  readonly partition: string
  readonly sort?: { readonly operator: string; readonly templates: readonly string[] }
  readonly filters?: readonly string[]
  readonly parameters?: readonly string[]
  readonly optional?: readonly string[]
  readonly descending?: true
  readonly returns: readonly string[]
}
export interface ToldField {
  readonly name: string
  readonly kind: string
  readonly required: boolean
  readonly values?: readonly string[]
  readonly holds?: string
  /** The parts of a record, or of each record of a list. */
  readonly parts?: readonly ToldField[]
}
/** The entities of people, places, roles and grants, and the attributes that bound a grant. */
export interface ToldPeople {
  readonly person: string
  /** From the outermost in. */
  readonly places: readonly { readonly entity: string; readonly within?: string }[]
  readonly group?: string
  readonly grants: readonly ToldGrant[]
  readonly role?: ToldRole
}
export interface ToldGrant {
  readonly entity: string
  readonly from?: string
  readonly until?: string
  readonly role?: string
}
export interface ToldRole {
  readonly entity?: string
  readonly parent?: string
  readonly declared?: Readonly<Record<string, readonly string[]>>
  readonly permissions?: {
    readonly entity?: string
    readonly list?: string
    readonly listed?: Readonly<Record<string, string>>
    readonly rows?: readonly string[]
    readonly column?: string
    readonly flags?: Readonly<Record<string, string>>
    readonly where?: Readonly<Record<string, string>>
    readonly catalogue?: string
    readonly dangerous?: string
  }
}
export interface ToldDesign {
  readonly form: {
    readonly design: string
    readonly table: string
    readonly entities: Readonly<Record<string, ToldEntity>>
    readonly patterns: Readonly<Record<string, ToldPattern>>
    readonly tenants?: { readonly by?: string; readonly crossing?: readonly string[] }
  }
  readonly questions: Readonly<Record<string, readonly ToldField[]>>
  readonly access?: {
    readonly subject: string
    readonly place: string
    readonly actions: readonly string[]
    readonly ways: readonly ToldWay[]
  }
  readonly people?: ToldPeople
  readonly examples: readonly Example[]
}
/** A way by which something is granted, from the place to the subject. */
export interface ToldWay {
  readonly within: Readonly<Record<string, string>>
  readonly group?: string
  readonly grants: readonly { readonly entity: string; readonly ties?: { readonly roles: string; readonly actions: string } }[]
}
/** What can be proven of a design without running it. */
export interface ToldProof {
  readonly isProven: boolean
  readonly findings: readonly { readonly code: string; readonly severity: 'error' | 'warning'; readonly message: string }[]
  readonly patterns: readonly { readonly name: string; readonly cost: string }[]
  readonly partitions: readonly {
    readonly partition: string
    readonly index?: string
    readonly entities: readonly string[]
    readonly heat: 'spread' | 'bounded' | 'hot'
    readonly reason: string
    readonly watch: string
  }[]
}
export interface Example {
  readonly title: string
  readonly asked: string
  readonly body: Values
}
export type Values = Readonly<Record<string, unknown>>

/** False of a list that crosses tenants, for a session of one. */
export const isOpenTo = (tenant: string | undefined, { form }: ToldDesign, pattern: string): boolean =>
  tenant === undefined || form.tenants?.crossing?.includes(pattern) !== true

/** The attributes in the templates of a key, in their order. */
export const placeholders = (templates: readonly string[]): readonly string[] => [
  ...new Set(templates.flatMap((each) => [...each.matchAll(/\{(\w+)/g)].map(([, name = '']) => name))),
]

const firstNames = ['first_name', 'firstName', 'givenName']
const lastNames = ['last_name', 'lastName', 'familyName']
const names = ['name', 'displayName', 'display_name', 'title', 'email', 'label', 'code']

/** True for an entity whose items may be called by something. */
export const hasLabel = ({ kind, attributes = {} }: ToldEntity): boolean =>
  kind === 'entity' && [...names, ...firstNames].some((name) => attributes[name] !== undefined)

/** How people call an item: its name, else the text that finds it. Undefined if it has nothing but ids. */
export function labelOf(item: Values): string | undefined {
  const full = [...firstNames, ...lastNames]
    .map((each) => item[each])
    .filter((each) => typeof each === 'string')
    .join(' ')
  const own = names.map((each) => item[each]).find((each) => typeof each === 'string' && each !== '')
  return full !== '' ? full : typeof own === 'string' ? own : undefined
}

/** The entity of an item. One with an attribute `type` is named by `entity`. */
export const entityOf = (item: Values): string => String(item.Type ?? item.entity ?? '')

/** `role_owner` and `roleOwner` as `role owner`. */
export const words = (name: string): string =>
  name
    .replaceAll('_', ' ')
    .replace(/([a-z0-9])([A-Z])/g, (_, one: string, other: string) => `${one} ${other.toLowerCase()}`)
    .replace(/ i?ds?$/i, (id) => (id === ' id' ? '' : id))

/** A name without what tells styles of names apart: `client_id` and `clientId` are alike. */
export const plain = (name: string): string => name.replaceAll('_', '').toLowerCase()

export const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

/** The attributes that the key of an entity is made of. */
export const keyPlaceholders = ({ form }: ToldDesign, entity: string | undefined): readonly string[] =>
  placeholders(form.entities[entity ?? '']?.key ?? [])

/** The attribute of its key that is an item's own: the last. */
export const ownKey = (design: ToldDesign, entity: string | undefined): string | undefined => keyPlaceholders(design, entity).at(-1)

/** The attributes of an item that name it. */
export function keyOf(design: ToldDesign, entity: string, item: Values): Values | undefined {
  const told = design.form.entities[entity]
  if (told === undefined) return undefined
  const entries = placeholders(told.key).flatMap((name) => (item[name] === undefined || item[name] === null ? [] : [[name, item[name]]]))
  return Object.fromEntries(entries)
}

/**
 * The key of an item by the names that evidence gives it. One of these may be called by what it means, as the owner of a role is: then it is the one that the key
 * lacks. Undefined where the evidence is of a part of an item.
 */
export function keyByEvidence(design: ToldDesign, entity: string, id: Values): Values | undefined {
  const names = keyPlaceholders(design, entity)
  const lacks = names.filter((name) => id[name] === undefined)
  const others = Object.keys(id).filter((name) => !names.includes(name))
  const [lack, other] = [lacks[0], others[0]]
  const own = Object.fromEntries(names.flatMap((name) => (id[name] === undefined ? [] : [[name, id[name]]])))
  if (names.length === 0 || lacks.length !== others.length || lacks.length > 1) return undefined
  return lack === undefined || other === undefined ? own : { ...own, [lack]: id[other] }
}

/** Text of any value, for one line. */
export const textOf = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : value === null || value === undefined
      ? ''
      : typeof value === 'object'
        ? JSON.stringify(value)
        : String(value)
