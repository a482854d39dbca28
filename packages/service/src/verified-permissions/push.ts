import { randomUUID } from 'node:crypto'
import type { EntityIdentifier } from '@aws-sdk/client-verifiedpermissions'
import { type EntityUid, type PolicyFiles, type PolicySet, readPolicies, readPolicySet, schemaToJson } from '@freehold/frame/cedar'
import { invalidInput } from '@freehold/table/runtime'
import { type NewPolicy, type PolicyRecord, type PushPlan, type PushStep, pushPlan, type ReadStore } from './push-plan.ts'
import { type StoreClient, type StoreOptions, storeClient } from './store-client.ts'
import { malformed, namePrefix, readStore } from './stored-policies.ts'

/** What the table knows of the policies of the store. */
export interface PolicyRecords {
  list(): Promise<readonly PolicyRecord[]>
  register(record: PolicyRecord): Promise<unknown>
  rename(record: PolicyRecord): Promise<unknown>
  remove(policyId: string): Promise<unknown>
}

/** Quotas of Verified Permissions that a folder can exceed, in bytes of UTF-8. */
const [policyBytesMax, schemaBytesMax, templatesMax] = [10_000, 200_000, 40]
const linkForm = /^[a-zA-Z0-9\-/_]{1,145}$/

/** Throws `InvalidInput` for a folder that no policy store takes, before anything is changed. */
function checkQuotas({ policies, templates, links }: PolicySet, schema: string): void {
  const issues = [...policies.values(), ...templates.values()].flatMap(({ id, text }) =>
    Buffer.byteLength(text) > policyBytesMax ? [{ path: [id], message: `is larger than ${policyBytesMax} bytes` }] : [],
  )
  if (Buffer.byteLength(schema) > schemaBytesMax)
    issues.push({ path: ['schema'], message: `is larger than ${schemaBytesMax} bytes as JSON` })
  if (templates.size > templatesMax) issues.push({ path: ['templates'], message: `are more than ${templatesMax}` })
  for (const id of links.keys())
    if (!linkForm.test(id))
      issues.push({ path: [id], message: 'is no id of a link: letters, digits, hyphens, slashes and underscores, 145 at most' })
  if (issues.length > 0) throw invalidInput('The policies', issues)
}

/** Reads a policy store, and the policies of its texts. */
export async function readTexts(store: StoreClient): Promise<ReadStore> {
  const stored = await readStore(store)
  const texts = stored.policies.flatMap(({ policyId, statement }): [string, string][] =>
    statement === undefined ? [] : [[policyId, statement]],
  )
  return { ...stored, readTemplates: await readPolicies(stored.templates), readPolicies: await readPolicies(new Map(texts)) }
}

/** A folder and a policy store, read, with what is between them. */
interface Compared {
  readonly schema: string
  readonly plan: PushPlan
  readonly known: readonly PolicyRecord[]
}

async function compared(store: StoreClient, files: PolicyFiles, records: PolicyRecords, isPruned: boolean): Promise<Compared> {
  const [set, schema] = [await readPolicySet(files), await schemaToJson(files.schema)]
  checkQuotas(set, schema)
  const read = await readPolicies(new Map([...set.policies, ...set.templates].map(([id, { text }]) => [id, text])))
  const heads = new Map([...read].map(([id, { head }]) => [id, head]))
  const known = await records.list()
  return { schema, known, plan: pushPlan(set, schema, heads, await readTexts(store), known, isPruned) }
}

const named = (uid: EntityUid | undefined): EntityIdentifier | undefined => uid && { entityType: uid.type, entityId: uid.id }

/** How a policy is created. The store and retries of one call know it by its token. */
function definitionOf(policy: NewPolicy, templateIds: ReadonlyMap<string, string>) {
  const clientToken = randomUUID()
  if ('statement' in policy) return { clientToken, definition: { static: { statement: policy.statement } } }
  const { id, template, principal, resource } = policy.link
  const templateLinked = { policyTemplateId: templateIds.get(template), principal: named(principal), resource: named(resource) }
  return { clientToken, name: `${namePrefix}${id}`, definition: { templateLinked } }
}

function idOf(value: string | undefined): string {
  if (value === undefined || value === '') throw malformed('without the id of what it created')
  return value
}

/** Does the steps of one plan. A store shows its changes some seconds later, so that no second plan may be made at once. */
class Pushing {
  readonly #store: StoreClient
  readonly #records: PolicyRecords
  readonly #schema: string
  readonly #templateIds: Map<string, string>
  /** The recorded policies: their names by their ids. */
  readonly #known: Map<string, string>
  /** Created policies whose name is still that of the policy that they replace. */
  readonly #waiting = new Map<string, string>()

  constructor(store: StoreClient, records: PolicyRecords, { schema, plan, known }: Compared) {
    this.#store = store
    this.#records = records
    this.#schema = schema
    this.#templateIds = new Map(plan.templateIds)
    this.#known = new Map(known.map(({ policyId, name }) => [policyId, name]))
  }

  async do(step: PushStep): Promise<unknown> {
    const store = this.#store
    switch (step.does) {
      case 'put schema':
        return store.putSchema(this.#schema)
      case 'create template': {
        const { policyTemplateId } = await store.createTemplate({ clientToken: randomUUID(), statement: step.statement })
        return this.#templateIds.set(step.id, idOf(policyTemplateId))
      }
      case 'update template':
        return store.updateTemplate(step.policyTemplateId, step.statement)
      case 'delete template':
        return store.deleteTemplate(step.policyTemplateId)
      case 'create': {
        const { policyId } = await store.createPolicy(definitionOf(step.policy, this.#templateIds))
        return this.#record(idOf(policyId), step.id)
      }
      case 'update':
        return store.updatePolicy(step.policyId, step.statement)
      case 'delete':
        await store.deletePolicy(step.policyId)
        return this.#removeRecord(step.policyId)
      case 'record':
        return this.#record(step.policyId, step.id)
      case 'rename record':
        await this.#records.rename({ policyId: step.policyId, name: step.id })
        return this.#known.set(step.policyId, step.id)
      case 'remove record':
        return this.#removeRecord(step.policyId)
    }
  }

  async #record(policyId: string, name: string): Promise<void> {
    if ([...this.#known.values()].includes(name)) {
      this.#waiting.set(name, policyId)
      return
    }
    await this.#records.register({ policyId, name })
    this.#known.set(policyId, name)
  }

  async #removeRecord(policyId: string): Promise<void> {
    const name = this.#known.get(policyId)
    if (name === undefined) return
    await this.#records.remove(policyId)
    this.#known.delete(policyId)
    const next = this.#waiting.get(name)
    this.#waiting.delete(name)
    if (next !== undefined) await this.#record(next, name)
  }
}

export interface PushOptions {
  /** Deletes what the table does not know, too. */
  readonly prune?: boolean | undefined
}

/** What was done, and what was left alone. */
export interface Pushed {
  readonly steps: readonly PushStep[]
  readonly foreign: PushPlan['foreign']
}

/**
 * Makes a policy store equal to a folder, and records its policies. It may be run again after a crash at any request, and does the rest.
 * @throws InvalidInput for a folder that does not check, or that the store refuses; Busy, Unavailable or NotFound as the store answers
 */
export async function pushPolicies(
  options: StoreOptions,
  files: PolicyFiles,
  records: PolicyRecords,
  { prune = false }: PushOptions = {},
): Promise<Pushed> {
  const store = storeClient(options)
  try {
    const found = await compared(store, files, records, prune)
    const pushing = new Pushing(store, records, found)
    for (const step of found.plan.steps) await pushing.do(step)
    const { steps, foreign } = found.plan
    return { steps, foreign }
  } finally {
    store.close()
  }
}

/** What a push would do. */
export async function policyDrift(
  options: StoreOptions,
  files: PolicyFiles,
  records: PolicyRecords,
  { prune = false }: PushOptions = {},
): Promise<Pushed> {
  const store = storeClient(options)
  try {
    const { steps, foreign } = (await compared(store, files, records, prune)).plan
    return { steps, foreign }
  } finally {
    store.close()
  }
}
