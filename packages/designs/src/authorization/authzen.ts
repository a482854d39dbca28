import { isFreeholdError, type Page } from '@freehold/table'
import {
  type AuthzenMapping,
  type AuthzenServed,
  attributeOf,
  type Fields,
  type ListAsked,
  type ListItem,
  type OwnList,
  type Taken,
  textIn,
} from '../authzen/mapping.ts'
import type { Evaluation, SearchKind } from '../authzen/request.ts'
import type { Reason } from '../decision/decision.ts'
import type { AuthorizationTable } from './authorization-table.ts'
import { type AskedProperties, countedProperties, type Values } from './deciding/properties.ts'
import { nameOfUser, tenantId } from './deciding/question.ts'
import type { PolicySchema } from './policies/policy-engine.ts'

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
  message: `There is no tenant ${JSON.stringify(named)}.`,
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

/** What no policy sees, in the words of the request. */
function unusedOf(schema: PolicySchema, asked: Evaluation, properties: AskedProperties, searched: SearchKind | undefined): string[] {
  const { action, resource, context } = asked
  const actions = searched === 'action' ? schema.actionsOn(resource.type) : [action.name]
  const each = actions.map((name) => countedProperties(schema, resource.type, name, properties).ignored)
  // Of several actions a member is unused if none of them uses it.
  const ignored = (each[0] ?? []).filter((name) => each.every((names) => names.includes(name)))
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

/** The roles of tenants, then the global ones. */
const globalRoles = 'global '

/** The entities of a type that a tenant has, page by page, by their ids. */
async function entitiesOf(served: AuthzenServed, type: string, tenant: string, { limit, cursor = '' }: ListAsked): Promise<Page<ListItem>> {
  const { grantsOfTenant, rolesOfScope } = tableOf(served.table)
  const how = (from: string) => ({ limit, consistent: true, ...(from === '' ? {} : { cursor: from }) })
  if (type === 'User') return grantsOfTenant({ tenantId: tenant }, how(cursor))
  if (type !== 'Role') return { items: type === 'Tenant' ? [{ tenantId: tenant }] : [] }
  const isGlobal = cursor.startsWith(globalRoles)
  const page = await rolesOfScope({ scope: isGlobal ? 'global' : 'tenant' }, how(isGlobal ? cursor.slice(globalRoles.length) : cursor))
  const next = isGlobal ? page.cursor && `${globalRoles}${page.cursor}` : (page.cursor ?? globalRoles)
  return { items: page.items, ...(next === undefined ? {} : { cursor: next }) }
}

const idIn: Readonly<Record<string, string>> = { User: 'userId', Role: 'roleId', Tenant: 'tenantId' }

/** The entities of a type on which the action is permitted. */
function permittedEntities(served: AuthzenServed): OwnList {
  const { decider } = served
  return async (question, how) => {
    const [type, tenant] = [String(attributeOf(question.resource as object, 'type')), String(question.tenant)]
    const { items, cursor } = await entitiesOf(served, type, tenant, how)
    const ids = items.flatMap((item) => textIn(item, idIn[type] ?? 'id'))
    const answers = await decider.canMany(ids.map((id) => ({ ...question, resource: { type, id } })))
    const [outage] = answers.filter((answer) => answer.reason?.kind === 'fault' && !faultsOfRequests.includes(answer.reason.code))
    const [first] = answers
    const reason = outage?.reason ?? (first?.reason?.kind === 'unknown' ? first.reason : undefined)
    return {
      items: outage === undefined ? ids.flatMap((id, at) => (answers[at]?.allowed === true ? { id } : [])) : [],
      ...(cursor === undefined || outage !== undefined ? {} : { cursor }),
      ...(reason === undefined ? {} : { reason }),
    }
  }
}

/** Policies do not fit the question, or a guardrail could not be asked: that denies, and nothing is out of order. */
const faultsOfRequests = ['PolicyFault']

/**
 * A user of a tenant does what the schema calls an action, with what it calls a resource.
 * @param schema of the policies that decide now; undefined where something else decides
 */
export function authorizationAuthzen(served: AuthzenServed, schema: () => PolicySchema | undefined): AuthzenMapping {
  const question = async (asked: Evaluation, searched: SearchKind | undefined): Promise<Taken> => {
    const { subject, action, resource, context } = asked
    const properties = propertiesOf(asked)
    const now = schema()
    const unused = now === undefined ? [] : unusedOf(now, asked, properties, searched)
    const tenant = await tenantOf(served, context.tenant)
    if (typeof tenant !== 'string') return { question: {}, unused, reason: tenant }
    const fields: Fields = {
      ...{ tenant, properties, resource: { type: resource.type, id: resource.id } },
      ...(searched === 'subject' ? {} : { user: subject.id }),
      ...(searched === 'action' ? {} : { action: action.name }),
    }
    return { question: fields, unused }
  }
  const idOfUser = (item: ListItem) => {
    const [userId, preferredUsername] = [textIn(item, 'userId')[0], textIn(item, 'preferredUsername')[0]]
    if (userId === undefined) return []
    // Within a tenant scope nobody is looked up by name, so that nobody probes for names.
    return [served.table.runtime.tenantScope === undefined ? nameOfUser({ userId, preferredUsername }) : userId]
  }
  return {
    subject: (type) => (type === 'user' ? { told: idOfUser } : undefined),
    action: { told: (item) => textIn(item, 'action') },
    resource: (type) => {
      const now = schema()
      return now !== undefined && now.attributesOf(type) === undefined ? undefined : { told: (item) => textIn(item, 'id') }
    },
    question,
    lists: { resource: permittedEntities(served) },
    faultsOfRequests,
  }
}
