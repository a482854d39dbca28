import type { CedarValue, PolicySchema } from '@freehold/frame/cedar'
import { Tenant, User } from '../design.ts'

export type Values = Readonly<Record<string, CedarValue>>

/** What a caller tells beyond what is stored. Policies see what their schema declares, and never in place of what is stored. */
export interface AskedProperties {
  readonly user?: Values | undefined
  readonly resource?: Values | undefined
  /** Cedar's actions have no attributes, so none of these is declared. */
  readonly action?: Values | undefined
  readonly context?: Values | undefined
}

const namesIn = ({ attributes }: { readonly attributes: object }) => Object.keys(attributes).filter((name) => name !== 'roles')
/** The attributes that the table alone tells, also by having none. Roles are no attribute: they are parents. */
const kept: ReadonlyMap<string, readonly string[]> = new Map([
  ['User', namesIn(User)],
  ['Tenant', namesIn(Tenant)],
])

const some = (values: object, takes: (name: string) => boolean): Values =>
  Object.fromEntries(Object.entries(values).filter(([name]) => takes(name)))

/** Attributes as they are stored, if the schema declares them: of a user and a tenant those of the item. */
export function storedAttributes(schema: PolicySchema, type: string, stored: object): Values {
  const declared = schema.attributesOf(type) ?? []
  const own = kept.get(type)
  return some(stored, (name) => declared.includes(name) && own?.includes(name) !== false)
}

/** What a caller may tell of an entity: all that the table does not tell itself. */
export const addedAttributes = (type: string, given: Values): Values => some(given, (name) => kept.get(type)?.includes(name) !== true)

/** The properties that none of these actions has policies see. */
export function ignoredByAll(
  schema: PolicySchema,
  type: string,
  actions: readonly string[],
  properties: AskedProperties,
): readonly string[] {
  const [first = [], ...others] = actions.map((action) => countedProperties(schema, type, action, properties).ignored)
  return first.filter((name) => others.every((names) => names.includes(name)))
}

/** The properties that count, and the names of the others: `resource.colour`. */
export function countedProperties(
  schema: PolicySchema,
  type: string,
  action: string,
  { user = {}, resource = {}, context = {}, ...more }: AskedProperties,
) {
  const declaredOf = (of: string, values: Values) =>
    addedAttributes(
      of,
      some(values, (name) => schema.attributesOf(of)?.includes(name) === true),
    )
  const counted = {
    user: declaredOf('User', user),
    resource: declaredOf(type, resource),
    context: some(context, (name) => name !== 'tenant' && schema.contextOf(action).includes(name)),
  }
  const namesOf = (part: string, values: Values, taken: Values) =>
    Object.keys(values).flatMap((name) => (Object.hasOwn(taken, name) ? [] : [`${part}.${name}`]))
  const ignored = [
    ...namesOf('user', user, counted.user),
    ...namesOf('resource', resource, counted.resource),
    ...namesOf('action', more.action ?? {}, {}),
    ...namesOf('context', context, counted.context),
  ]
  return { counted, ignored }
}
