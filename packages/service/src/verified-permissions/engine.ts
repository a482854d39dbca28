import { createHash } from 'node:crypto'
import type { BatchIsAuthorizedOutputItem, EntityIdentifier } from '@aws-sdk/client-verifiedpermissions'
import {
  type CedarPolicy,
  type EntityUid,
  entitiesNamed,
  localEngine,
  type PolicyAnswer,
  type PolicyEngine,
  type PolicyError,
  type PolicyRequest,
  readPolicies,
  schemaFromJson,
} from '@freehold/frame/cedar'
import { FreeholdError, isFreeholdError } from '@freehold/table'
import { compareKeys } from '@freehold/table/runtime'
import { type RequestGroup, requestGroups } from './request-groups.ts'
import { type StoreClient, type StoreOptions, storeClient } from './store-client.ts'
import { type ListedStore, listStore, malformed, readStore } from './stored-policies.ts'

/** Decides by Amazon Verified Permissions. */
export interface VerifiedPermissionsEngine extends PolicyEngine {
  /** Reads schema and policies again. An answer that names a policy which is not known does so, too. */
  reload(): Promise<void>
  /** Reads them again if the store has changed. Tells whether it has. */
  refresh(): Promise<boolean>
  close(): void
}

/** What is known of the policy store. */
interface Known {
  readonly version: string
  /** The state of the store that was read. */
  readonly stamp: string
  /** An engine without policies: it refuses what does not fit the schema. */
  readonly validator: PolicyEngine
  /** By their ids in the store. */
  readonly policies: ReadonlyMap<string, CedarPolicy>
  readonly named: readonly EntityUid[]
}

async function known(store: StoreClient, listed?: ListedStore): Promise<Known> {
  const { schema: json, stamp, templates, policies } = await readStore(store, listed)
  if (json === undefined) throw new FreeholdError('Unavailable', 'The policy store has no schema. Push one: `freehold policies push`.')
  const schema = await schemaFromJson(json)
  const validator = await localEngine({ schema, policies: new Map() })
  const texts = policies.flatMap(({ policyId, statement, link }): [string, string][] => {
    const text = statement ?? (link && templates.get(link.template))
    // The list of templates was read before a template was added.
    return [[policyId, text ?? '']]
  })
  const read = await readPolicies(new Map(texts))
  const named = [
    ...texts.flatMap(([, text]) => entitiesNamed(text)),
    ...policies.flatMap(({ link }) => [link?.principal ?? [], link?.resource ?? []].flat()),
  ]
  const links = new Map(policies.flatMap(({ policyId, link }) => (link === undefined ? [] : [[policyId, link] as const])))
  const told = [...read].map(([policyId, policy]): [string, CedarPolicy] => {
    const link = links.get(policyId)
    // A linked policy has no @id of its own: that is its template's.
    return [policyId, link === undefined ? policy : { ...policy, id: link.name ?? policyId }]
  })
  const parts = [json, [...texts].sort(([one], [other]) => compareKeys(one, other)), [...links]]
  const version = createHash('sha256').update(JSON.stringify(parts)).digest('hex')
  return { version, stamp, validator, policies: new Map(told), named }
}

const refused = (message: string): PolicyAnswer => ({ decision: 'deny', policies: [], errors: [{ message }] })
const named = ({ type, id }: EntityUid): EntityIdentifier => ({ entityType: type, entityId: id })
const isNamed = (given: EntityIdentifier | undefined, { type, id }: EntityUid) => given?.entityType === type && given.entityId === id

function send(store: StoreClient, { requests, entities }: RequestGroup) {
  return store.isAuthorized({
    entities: { cedarJson: JSON.stringify(entities.map(({ uid, attrs = {}, parents = [] }) => ({ uid, attrs, parents }))) },
    requests: requests.map(({ principal, action, resource, context }) => ({
      principal: named(principal),
      action: { actionType: action.type, actionId: action.id },
      resource: named(resource),
      context: { cedarJson: JSON.stringify(context) },
    })),
  })
}

/** The results of a batch, if there is one of each request, in their order. Throws `Unavailable` for any other answer. */
function resultsOf({ requests }: RequestGroup, results: readonly BatchIsAuthorizedOutputItem[] | undefined) {
  if (!Array.isArray(results) || results.length !== requests.length) throw malformed('another number of decisions than of questions')
  return requests.map(({ principal, action, resource }, index) => {
    const { request, decision, determiningPolicies, errors } = (results[index] ?? {}) as Partial<BatchIsAuthorizedOutputItem>
    const isSame = isNamed(request?.principal, principal) && isNamed(request?.resource, resource)
    if (!isSame || request?.action?.actionType !== action.type || request.action.actionId !== action.id) throw malformed('another question')
    if (decision !== 'ALLOW' && decision !== 'DENY') throw malformed('no decision')
    if (!Array.isArray(determiningPolicies) || !Array.isArray(errors)) throw malformed('half a decision')
    const ids = determiningPolicies.map(({ policyId }) => String(policyId))
    return { decision, ids, errors: errors.map(({ errorDescription }) => String(errorDescription)) }
  })
}

type Result = ReturnType<typeof resultsOf>[number]

/** An error names the policy that was skipped, if it names one alone. Otherwise it counts as one of the request, which denies. */
function errorOf(message: string, policies: Known['policies']): PolicyError {
  const [skipped, ...others] = [...policies].filter(([policyId]) => message.includes(policyId))
  return skipped === undefined || others.length > 0 ? { message } : { policy: skipped[1].id, effect: skipped[1].effect, message }
}

/** The answer that a decision means. It is held to what the store's own policies can decide. Throws `Unavailable`. */
function answerOf({ decision, ids, errors }: Result, policies: Known['policies']): PolicyAnswer {
  const deciding = ids.map((id) => policies.get(id))
  const effect = decision === 'ALLOW' ? 'permit' : 'forbid'
  if (decision === 'ALLOW' && deciding.length === 0) throw malformed('what no policy permits')
  const found = deciding.filter((policy) => policy?.effect === effect)
  if (found.length < deciding.length) throw malformed('by a policy that cannot decide so')
  return {
    decision: decision === 'ALLOW' ? 'allow' : 'deny',
    policies: found.flatMap((policy) => policy ?? []).sort((one, other) => compareKeys(one.id, other.id)),
    errors: errors.map((message) => errorOf(message, policies)),
  }
}

interface Waiting {
  readonly request: PolicyRequest
  readonly resolve: (answer: PolicyAnswer) => void
  readonly reject: (error: unknown) => void
}

/**
 * An engine that asks Amazon Verified Permissions: one more round trip, with a consistency of its own. Questions that are asked at the same time go together,
 * 30 at most, and none with one of another tenant. `isAuthorized` throws `Busy` and `Unavailable` if there is no whole answer.
 * @throws Busy, Unavailable, NotFound or InvalidInput if the policy store cannot be read
 */
export async function verifiedPermissions(options: StoreOptions): Promise<VerifiedPermissionsEngine> {
  const store = storeClient(options)
  let now = await known(store)
  let reloading: Promise<void> | undefined
  const reload = (listed?: ListedStore) => {
    reloading ??= known(store, listed)
      .then((read) => {
        now = read
      })
      .finally(() => {
        reloading = undefined
      })
    return reloading
  }

  const decide = async (group: RequestGroup): Promise<readonly PolicyAnswer[]> => {
    let results: readonly Result[]
    try {
      results = resultsOf(group, (await send(store, group)).results)
    } catch (error) {
      if (!isFreeholdError(error, 'InvalidInput')) throw error
      // One wrong request fails all that go with it.
      if (group.requests.length === 1) return [refused(error.message)]
      const alone = await Promise.all(group.requests.map((request) => decide({ requests: [request], entities: request.entities })))
      return alone.flat()
    }
    // A policy may have been pushed meanwhile.
    if (results.some(({ ids }) => ids.some((id) => !now.policies.has(id)))) await reload()
    return results.map((result) => answerOf(result, now.policies))
  }

  let waiting: Waiting[] = []
  const flush = () => {
    const all = waiting
    waiting = []
    const left = new Map<PolicyRequest, Waiting>(all.map((one) => [one.request, one]))
    for (const group of requestGroups([...left.keys()], now.named))
      decide(group).then(
        (answers) => {
          for (const [index, request] of group.requests.entries())
            left.get(request)?.resolve(answers[index] ?? refused('There is no answer.'))
        },
        (error: unknown) => {
          for (const request of group.requests) left.get(request)?.reject(error)
        },
      )
  }

  const isAuthorized = async (given: PolicyRequest): Promise<PolicyAnswer> => {
    const refusal = await now.validator.isAuthorized(given)
    if (refusal.errors.length > 0) return refusal
    // A copy of its own: the same object may be asked twice.
    const request = { ...given }
    return new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(flush)
      waiting.push({ request, resolve, reject })
    })
  }

  return Object.freeze({
    get version() {
      return now.version
    },
    actionsOn: (type: string, principal?: string) => now.validator.actionsOn(type, principal),
    attributesOf: (type: string) => now.validator.attributesOf(type),
    contextOf: (action: string) => now.validator.contextOf(action),
    isAuthorized,
    reload: () => reload(),
    refresh: async () => {
      const listed = await listStore(store)
      const isOther = listed.stamp !== now.stamp
      if (isOther) await reload(listed)
      return isOther
    },
    close: () => store.close(),
  })
}
