import {
  type AuthzenMapping,
  type AuthzenServed,
  type Evaluation,
  type Fields,
  type ListItem,
  quoted,
  type SearchKind,
  type Taken,
  textIn,
} from '@freehold/frame/authzen'
import type { PolicySchema } from '@freehold/frame/cedar'
import type { Reason } from '@freehold/frame/decision'
import { isFreeholdError } from '@freehold/table'
import type { AuthorizationTable } from './authorization-table.ts'
import { type AskedProperties, ignoredByAll, type Values } from './deciding/properties.ts'
import { nameOfUser, tenantId } from './deciding/question.ts'
import { faultsOfRequests } from './deciding/verdict.ts'

// The table is of this module's design.
const tableOf = (table: AuthzenServed['table']) => table as unknown as AuthorizationTable

/** Text that no name can be names nothing. */
function absentIfMalformed(error: unknown): undefined {
  if (isFreeholdError(error, 'InvalidInput') || isFreeholdError(error, 'InvalidKey')) return undefined
  throw error
}

type Members = Readonly<Record<string, unknown>>

/** A member that is null is as good as absent, as the specification has it: Cedar has no null. */
const present = (members: Members): Members => Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null))

const noTenant: Reason = {
  kind: 'policy',
  code: 'NoTenant',
  message: 'The context names no tenant, and none is meant by default: give it as context.tenant.',
}
const unknownTenant = (named: unknown): Reason => ({
  kind: 'unknown',
  code: 'UnknownTenant',
  message: `There is no tenant ${quoted(named)}.`,
})

/** The id of a named tenant: by its id, else by its name. In a tenant scope there is no other tenant, also for the read of a name. */
async function tenantOf({ table, tenant: byDefault }: AuthzenServed, named: unknown): Promise<string | Reason> {
  const own = table.runtime.tenantScope?.tenant
  const asked = named ?? own ?? byDefault
  if (asked === undefined) return noTenant
  if (typeof asked !== 'string' || asked === '') return unknownTenant(asked)
  const id = tenantId(asked)
  if (typeof id === 'string') return own === undefined || own === id ? id : unknownTenant(asked)
  const found = await tableOf(table).tenantIdOfName({ name: asked }, { consistent: true }).catch(absentIfMalformed)
  return found?.tenantId ?? unknownTenant(asked)
}

/** The properties of a request, as those of a question. Cedar's actions have no attributes: theirs are members of the context, unless that has them itself. */
function propertiesOf({ subject, action, resource, context: { tenant: _, ...context } }: Evaluation): AskedProperties {
  // Any JSON; Cedar refuses what it has no type for.
  const values = (members: Members) => present(members) as Values
  return {
    user: values(subject.properties),
    resource: values(resource.properties),
    context: { ...values(action.properties), ...values(context) },
  }
}

/** The properties but for those that no policy sees: they are not even sent to the decider, whatever they hold. */
function withoutIgnored({ user, resource, context }: AskedProperties, ignored: readonly string[]): AskedProperties {
  const counted = (part: string, values: Values = {}) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => !ignored.includes(`${part}.${name}`)))
  return { user: counted('user', user), resource: counted('resource', resource), context: counted('context', context) }
}

/** What no policy sees, in the words of the request. */
function unusedOf({ action, context }: Evaluation, ignored: readonly string[]): string[] {
  const twice = Object.keys(action.properties)
    .filter((name) => Object.hasOwn(context, name))
    .map((name) => `action.properties.${name}`)
  return ignored
    .map((name) => {
      const member = name.slice(name.indexOf('.') + 1)
      if (name.startsWith('user.')) return `subject.properties.${member}`
      if (name.startsWith('resource.')) return `resource.properties.${member}`
      return `${Object.hasOwn(context, member) ? 'context' : 'action.properties'}.${member}`
    })
    .concat(twice)
}

/**
 * A user of a tenant does what the schema calls an action, with what it calls a resource.
 * @param schema of the policies that decide now; undefined where something else decides
 */
export function authorizationAuthzen(served: AuthzenServed, schema: () => PolicySchema | undefined): AuthzenMapping {
  const question = async (asked: Evaluation, searched: SearchKind | undefined): Promise<Taken> => {
    const { subject, action, resource, context } = asked
    const told = propertiesOf(asked)
    const now = schema()
    const actions = searched === 'action' ? (now?.actionsOn(resource.type) ?? []) : [action.name]
    const ignored = now === undefined ? [] : ignoredByAll(now, resource.type, actions, told)
    const properties = withoutIgnored(told, ignored)
    const unused = now === undefined ? [] : unusedOf(asked, ignored)
    const tenant = await tenantOf(served, context.tenant)
    if (typeof tenant !== 'string') return { question: {}, unused, reason: tenant }
    const fields: Fields = {
      ...{ tenant, properties, resource: { type: resource.type, ...(searched === 'resource' ? {} : { id: resource.id }) } },
      ...(searched === 'subject' ? {} : { user: subject.id }),
      ...(searched === 'action' ? {} : { action: action.name }),
    }
    return { question: fields, unused }
  }
  const idOfUser = (item: ListItem) => {
    const [userId, preferredUsername] = [textIn(item, 'userId')[0], textIn(item, 'preferredUsername')[0]]
    return userId === undefined ? [] : [nameOfUser({ userId, preferredUsername })]
  }
  return {
    // API gateways of the interoperability tests call a user who has signed in an identity.
    subject: (type) => (type === 'user' || type === 'identity' ? { told: idOfUser } : undefined),
    action: { told: (item) => textIn(item, 'action') },
    resource: (type) => {
      const now = schema()
      return now !== undefined && now.attributesOf(type) === undefined ? undefined : { told: (item) => textIn(item, 'id') }
    },
    question,
    // Without an id `what` lists the resources of a type on which the action is permitted.
    lists: { resource: (asked, how) => served.decider.what(asked, how) },
    faultsOfRequests,
  }
}
