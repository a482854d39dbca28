import type { EntityIdentifier } from '@aws-sdk/client-verifiedpermissions'
import type { EntityUid } from '@freehold/frame/cedar'
import { FreeholdError, isFreeholdError } from '@freehold/table'
import { parallelMap } from '@freehold/table/runtime'
import type { StoreClient } from './store-client.ts'

/** A policy of a store: with a text of its own, or linked to a template. */
export interface StoredPolicy {
  readonly policyId: string
  readonly statement?: string
  readonly link?: StoredLink
}

export interface StoredLink {
  /** The name that `push` gave it; undefined for a link of another's. */
  readonly name: string | undefined
  /** The id of the template in the store. */
  readonly template: string
  readonly principal: EntityUid | undefined
  readonly resource: EntityUid | undefined
}

/** AWS wants it before each name. */
export const namePrefix = 'name/'

/** The content of a policy store. */
export interface StoredPolicies {
  /** As JSON text; undefined if there is none. */
  readonly schema: string | undefined
  /** The texts of templates, by their ids in the store. */
  readonly templates: ReadonlyMap<string, string>
  readonly policies: readonly StoredPolicy[]
  /** The same content has the same stamp. */
  readonly stamp: string
}

export const malformed = (what: string): FreeholdError => new FreeholdError('Unavailable', `Verified Permissions answered ${what}.`)

function given(value: string | undefined, what: string): string {
  if (typeof value !== 'string' || value === '') throw malformed(`without ${what}`)
  return value
}

const uidOf = (given: EntityIdentifier | undefined): EntityUid | undefined =>
  given?.entityType === undefined || given.entityId === undefined ? undefined : { type: given.entityType, id: given.entityId }

/** All pages of a list. */
async function pages<T>(
  page: (token: string | undefined) => Promise<{ readonly items: readonly T[] | undefined; readonly next: string | undefined }>,
) {
  const all: T[] = []
  let token: string | undefined
  do {
    const { items, next } = await page(token)
    if (items === undefined) throw malformed('without a list')
    all.push(...items)
    if (next !== undefined && next === token) throw malformed('with the same page again')
    token = next
  } while (token !== undefined)
  return all
}

/** An item that was deleted after it was listed is none. */
const unlessGone = <T>(read: Promise<T>): Promise<T | undefined> =>
  read.catch((error: unknown) => {
    if (isFreeholdError(error, 'NotFound')) return undefined
    throw error
  })

/** What a policy store has, without the texts of templates and policies. */
export type ListedStore = Awaited<ReturnType<typeof listStore>>

/** Lists a policy store: its schema, and which templates and policies it has. */
export async function listStore(store: StoreClient) {
  const schema = (await unlessGone(store.schema()))?.schema
  const templates = await pages(async (token) => {
    const { policyTemplates, nextToken } = await store.templates(token)
    return { items: policyTemplates, next: nextToken }
  })
  const policies = await pages(async (token) => {
    const { policies, nextToken } = await store.policies(token)
    return { items: policies, next: nextToken }
  })
  const states = [
    ...templates.map(({ policyTemplateId, lastUpdatedDate }) => [policyTemplateId, lastUpdatedDate]),
    ...policies.map(({ policyId, lastUpdatedDate }) => [policyId, lastUpdatedDate]),
  ]
  return { schema, templates, policies, stamp: JSON.stringify([schema, states]) }
}

/**
 * Reads all of a policy store: the schema, each template and each policy.
 * @param listed as it was listed before
 */
export async function readStore(store: StoreClient, listed?: ListedStore): Promise<StoredPolicies> {
  const { schema, stamp, ...found } = listed ?? (await listStore(store))
  const templates = await parallelMap(found.templates, async ({ policyTemplateId }): Promise<[string, string][]> => {
    const id = given(policyTemplateId, 'the id of a template')
    const read = await unlessGone(store.template(id))
    return read === undefined ? [] : [[id, given(read.statement, 'the text of a template')]]
  })
  const policies = await parallelMap(found.policies, async ({ policyId, definition, name }): Promise<StoredPolicy[]> => {
    const id = given(policyId, 'the id of a policy')
    const linked = definition?.templateLinked
    if (linked !== undefined) {
      const template = given(linked.policyTemplateId, 'the template of a link')
      const told = name?.startsWith(namePrefix) === true ? name.slice(namePrefix.length) : undefined
      return [{ policyId: id, link: { name: told, template, principal: uidOf(linked.principal), resource: uidOf(linked.resource) } }]
    }
    const read = await unlessGone(store.policy(id))
    return read === undefined ? [] : [{ policyId: id, statement: given(read.definition?.static?.statement, 'the text of a policy') }]
  })
  return { schema, stamp, templates: new Map(templates.flat()), policies: policies.flat() }
}
