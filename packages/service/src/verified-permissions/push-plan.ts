import { isDeepStrictEqual } from 'node:util'
import type { EntityUid, PolicyLink, PolicySet, ReadPolicy } from '@freehold/frame/cedar'
import type { StoredLink, StoredPolicies } from './stored-policies.ts'

/** A policy of the store that the table knows. */
export interface PolicyRecord {
  readonly policyId: string
  readonly name: string
}

/** A policy to be created: with a text of its own, or of a template. */
export type NewPolicy = { readonly statement: string } | { readonly link: PolicyLink }

/** One change of the policy store or of the table. `id`: that of the folder. */
export type PushStep =
  | { readonly does: 'put schema' }
  | { readonly does: 'create template'; readonly id: string; readonly statement: string }
  | { readonly does: 'update template'; readonly id: string; readonly policyTemplateId: string; readonly statement: string }
  | { readonly does: 'delete template'; readonly id: string; readonly policyTemplateId: string }
  /** Records the policy, too. */
  | { readonly does: 'create'; readonly id: string; readonly policy: NewPolicy }
  | { readonly does: 'update'; readonly id: string; readonly policyId: string; readonly statement: string }
  /** Removes the record, too. */
  | { readonly does: 'delete'; readonly id: string; readonly policyId: string }
  | { readonly does: 'record'; readonly id: string; readonly policyId: string }
  | { readonly does: 'rename record'; readonly id: string; readonly policyId: string }
  | { readonly does: 'remove record'; readonly id: string; readonly policyId: string }

/** The content of the policy store with its texts read. */
export interface ReadStore extends StoredPolicies {
  readonly readTemplates: ReadonlyMap<string, ReadPolicy>
  /** Those with a text of their own. */
  readonly readPolicies: ReadonlyMap<string, ReadPolicy>
}

export interface PushPlan {
  readonly steps: readonly PushStep[]
  /** Policies and templates that are not the folder's, and that the table does not know: they stay unless they are pruned. */
  readonly foreign: readonly { readonly id: string; readonly name: string }[]
  /** The ids in the store of templates that stay, by their `@id`. */
  readonly templateIds: ReadonlyMap<string, string>
}

/** The same heads: a store changes only actions and conditions of a policy. */
type Heads = ReadonlyMap<string, string>

const isSameUid = (one: EntityUid | undefined, other: EntityUid | undefined) => isDeepStrictEqual(one ?? null, other ?? null)
const isSameJson = (one: string | undefined, other: string) => one !== undefined && isDeepStrictEqual(JSON.parse(one), JSON.parse(other))

/** Of those with the same `@id` the one that stays: with the same text, or else with a text that can be updated. */
function kept(candidates: readonly ReadPolicy[], text: string, head: string | undefined): ReadPolicy | undefined {
  return candidates.find((one) => one.text === text) ?? candidates.find((one) => one.head === head)
}

const isForbid = (set: PolicySet, id: string) => set.policies.get(id)?.effect === 'forbid'

/**
 * What makes a policy store equal to a folder. Run again after any part of it was done, it plans the rest: nothing is remembered but what store and table
 * hold. Only policies that the table knows are deleted, and records go after their policies.
 * @param heads the heads of the folder's policies and templates, by their ids
 */
export function pushPlan(
  set: PolicySet,
  schema: string,
  heads: Heads,
  store: ReadStore,
  records: readonly PolicyRecord[],
  isPruned: boolean,
): PushPlan {
  const steps: PushStep[] = isSameJson(store.schema, schema) ? [] : [{ does: 'put schema' }]
  const templateIds = new Map<string, string>()
  for (const { id, text } of set.templates.values()) {
    const candidates = [...store.readTemplates.values()].filter((each) => each.id === id)
    const found = kept(candidates, text, heads.get(id))
    if (found === undefined) steps.push({ does: 'create template', id, statement: text })
    else {
      templateIds.set(id, found.file)
      if (found.text !== text) steps.push({ does: 'update template', id, policyTemplateId: found.file, statement: text })
    }
  }

  const stays = new Map<string, string>()
  const changes: PushStep[] = []
  for (const { id, text } of [...set.policies.values()].filter((each) => !set.links.has(each.id))) {
    const found = kept(
      [...store.readPolicies.values()].filter((each) => each.id === id),
      text,
      heads.get(id),
    )
    if (found === undefined) changes.push({ does: 'create', id, policy: { statement: text } })
    else {
      stays.set(found.file, id)
      if (found.text !== text) changes.push({ does: 'update', id, policyId: found.file, statement: text })
    }
  }
  const links = store.policies.flatMap(({ policyId, link }): (StoredLink & { readonly policyId: string })[] =>
    link === undefined ? [] : [{ ...link, policyId }],
  )
  /** Links of the name that has to be free again before the link is made. */
  const inTheWay: PushStep[] = []
  for (const link of set.links.values()) {
    const templateId = templateIds.get(link.template)
    const isIt = (one: StoredLink) =>
      one.template === templateId && isSameUid(one.principal, link.principal) && isSameUid(one.resource, link.resource)
    const found = links.filter((one) => isIt(one) && !stays.has(one.policyId)).sort((one) => (one.name === link.id ? -1 : 1))[0]
    if (found !== undefined) stays.set(found.policyId, link.id)
    else {
      changes.push({ does: 'create', id: link.id, policy: { link } })
      for (const one of links.filter((each) => each.name === link.id))
        inTheWay.push({ does: 'delete', id: link.id, policyId: one.policyId })
    }
  }
  // What is forbidden is forbidden before anything more is permitted.
  const order = (step: PushStep) => ('id' in step && isForbid(set, step.id) ? 0 : 1)
  steps.push(...inTheWay, ...changes.sort((one, other) => order(one) - order(other)))

  const recordOf = new Map(records.map((record) => [record.policyId, record]))
  const gone = new Set(inTheWay.flatMap((step) => ('policyId' in step ? [step.policyId] : [])))
  const nameOf = (policyId: string) => recordOf.get(policyId)?.name ?? store.readPolicies.get(policyId)?.id ?? policyId
  const others = store.policies.filter(({ policyId }) => !stays.has(policyId) && !gone.has(policyId))
  const isDeleted = ({ policyId }: { readonly policyId: string }) => isPruned || recordOf.has(policyId)
  // What is permitted goes first.
  const effectOf = (policyId: string) => (store.readPolicies.get(policyId)?.effect === 'forbid' ? 1 : 0)
  const deleted = others.filter(isDeleted).sort((one, other) => effectOf(one.policyId) - effectOf(other.policyId))
  for (const { policyId } of deleted) {
    steps.push({ does: 'delete', id: nameOf(policyId), policyId })
    gone.add(policyId)
  }

  const foreign = others.filter((one) => !isDeleted(one)).map(({ policyId }) => ({ id: policyId, name: nameOf(policyId) }))
  for (const [policyTemplateId, { id }] of store.readTemplates) {
    if (templateIds.get(id) === policyTemplateId) continue
    // With a template its links would go.
    const isUsed = links.some((one) => one.template === policyTemplateId && !gone.has(one.policyId))
    if (!isUsed && (isPruned || set.templates.has(id))) steps.push({ does: 'delete template', id, policyTemplateId })
    else foreign.push({ id: policyTemplateId, name: id })
  }

  // Records of policies that the store has not, and of those that stay.
  const there = new Set(store.policies.map(({ policyId }) => policyId))
  for (const { policyId, name } of records) if (!there.has(policyId)) steps.push({ does: 'remove record', id: name, policyId })
  for (const [policyId, id] of stays) {
    const name = recordOf.get(policyId)?.name
    if (name === undefined) steps.push({ does: 'record', id, policyId })
    else if (name !== id) steps.push({ does: 'rename record', id, policyId })
  }
  return { steps, foreign, templateIds }
}
