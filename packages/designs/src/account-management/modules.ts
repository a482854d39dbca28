import type { ScopedAsked, ScopeFacts, ScopeNeed } from '@freehold/frame/access'
import { anyOf, type Evidence, evidence, field, isWithin, optional, policy, textField, unusableAmong } from '@freehold/frame/decision'
import { flag, type Item, uuid, verbatim } from '@freehold/table'
import { lookedForText } from '@freehold/table/runtime'
import { ServiceSubscription } from './design.ts'

// A module that a question asks for: a function beside the declaration of access, since one question needs it, at two kinds of scope, by three attributes.

type Subscription = Item<typeof ServiceSubscription>

/** A subscription is active by its status, and until its end unless it renews itself. */
export function isActiveSubscription(
  { status, end_date, auto_renew }: Pick<Subscription, 'status' | 'end_date' | 'auto_renew'>,
  now: string,
  include_trial: boolean,
): boolean {
  const isOpen = status === 'active' || (include_trial && status === 'trial')
  return isOpen && (auto_renew || end_date === undefined || end_date > now)
}

/** True or false, also as the text that a CSV has. */
const include_trial = field({ ...anyOf(flag(), verbatim()), description: 'A trial of the module counts, too.' }, (value) => {
  if (typeof value === 'boolean') return value
  return value === 'true' || value === 'false' ? value === 'true' : { problem: 'is not true or false' }
})
const moduleId = uuid().describe('A module that the scope must have by a subscription.')
const module_id = textField(moduleId, (text) => {
  const read = lookedForText(moduleId.kind, text)
  return typeof read === 'string' ? read : { problem: read.message }
})

const subscriptionsOf = ({ needed }: ScopeFacts) =>
  // `itemsAt` gives nothing else.
  needed.map(
    (each) =>
      each as typeof each &
        ({ readonly state: 'found'; readonly item: Subscription } | { readonly state: Exclude<typeof each.state, 'found'> }),
  )

const told = ({ scope_type, scope_id, module_id: id }: Subscription, state: Evidence['state'], message: string) =>
  evidence('entitlement', ServiceSubscription, { scope_type, scope_id, module_id: id }, state, message)

function missingBy(subscription: Subscription, { path }: ScopeFacts, { include_trial: isTrial }: ScopedAsked, now: string): Evidence {
  const { status, end_date } = subscription
  if (!isWithin('client_id', subscription, path)) return told(subscription, 'denies', 'The subscription is of another client.')
  if (status === 'trial' && isTrial !== true)
    return told(subscription, 'denies', 'The subscription is a trial, which counts only with include_trial.')
  const isPast = end_date !== undefined && end_date <= now && !isActiveSubscription(subscription, now, isTrial === true)
  return told(subscription, 'expired', `The subscription is ${status}${isPast ? ` and ended at ${end_date}` : ''}.`)
}

/** The sentence for a scope without the module. */
function withoutModule([, project, building]: readonly string[]): string {
  if (building !== undefined) return 'Neither the building nor its project has an active subscription of the module.'
  if (project !== undefined) return 'The project has no active subscription of the module.'
  return 'A client as a whole has no subscription of a module: ask about a project or a building.'
}

/** The scope must have a module: a subscription of the building or its project that is active. */
export const moduleNeed: ScopeNeed = {
  called: 'a module',
  fields: { module_id: optional(module_id), include_trial: optional(include_trial) },
  isAsked: (asked) => asked.module_id !== undefined,
  itemsAt: ({ fact }, [, project, building], asked) => {
    const at = (scope_type: 'building' | 'project', scope_id: string | undefined) =>
      scope_id === undefined ? [] : [fact(ServiceSubscription, { scope_type, scope_id, module_id: String(asked.module_id) })]
    const all = [...at('building', building), ...at('project', project)]
    const found = all.flatMap((each) => each ?? [])
    return found.length < all.length ? undefined : found
  },
  metBy: (scope, asked, now) => {
    for (const each of subscriptionsOf(scope)) {
      if (each.state !== 'found' || !isWithin('client_id', each.item, scope.path)) continue
      if (isActiveSubscription(each.item, now, asked.include_trial === true)) return each.item
    }
    return undefined
  },
  refusal: (path) => policy('NotEntitled', withoutModule(path)),
  // `metBy` gave it.
  found: (item) => told(item as Subscription, 'found', `The ${item.scope_type} has the module.`),
  missing: (scope, asked, now) => {
    const { path, needed } = scope
    const none = evidence('entitlement', ServiceSubscription, { module_id: String(asked.module_id) }, 'missing', withoutModule(path))
    const all = needed.flatMap((each): readonly Evidence[] => {
      if (each.state === 'missing') return []
      return each.state === 'found' ? [missingBy(each.item as Subscription, scope, asked, now)] : unusableAmong('entitlement', [each])
    })
    return needed.every(({ state }) => state === 'missing') ? [none, ...all] : all
  },
}
