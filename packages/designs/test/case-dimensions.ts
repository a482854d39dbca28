import type { AccountCase, accountCases } from './account-cases.ts'

type Organisation = ReturnType<typeof accountCases>['organisation']
type Assigned = NonNullable<Organisation['assignments']>[number]

/** The dimensions of decisions, as issue and spec name them, each with its values. */
export const dimensions = {
  scope: ['client', 'project', 'building'],
  reach: ['direct', 'inherited'],
  time: ['always', 'not yet started', 'ends exactly now', 'expired'],
  user: ['own', 'internal', 'disabled', 'foreign'],
  client: ['active', 'suspended'],
  role: ['own', 'system', 'foreign', 'deleted', 'being deleted'],
  form: ['embedded', 'linked', 'by its parent'],
  wildcard: ['none', 'module', 'action', 'resource'],
  entitlement: ['not asked', 'on', 'off'],
  danger: ['none', 'dangerous'],
  building: ['stays', 'moved'],
  actor: ['none', 'grants what it holds', 'grants more than it holds'],
} as const
export type Dimension = keyof typeof dimensions
type Values = { readonly [D in Dimension]: ReadonlySet<string> }

const levels = ['client', 'project', 'building'] as const

/** The values of each dimension that a case has, by its data alone and not by its name. */
export function valuesOf(organisation: Organisation, now: string, one: AccountCase): Values {
  const { add = {}, remove = [], set = [], question = {}, steps = [] } = one
  const all = [organisation, add]
  const roles = new Map(all.flatMap((each) => Object.entries(each.roles ?? {})))
  const users = new Map(all.flatMap((each) => Object.entries(each.users ?? {})))
  const catalogue = new Map(all.flatMap((each) => Object.entries(each.permissions ?? {})))
  const nameOf = (text: unknown) => String(text).trim().replace(/^\$/, '').replace(/@.*/, '').toLowerCase()
  const user = nameOf(question.user ?? 'ada')
  const isSet = (PK: string, SK: string, attribute: string, value?: unknown) =>
    set.some((each) => each[0] === PK && each[1] === SK && each[2] === attribute && (value === undefined || each[3] === value))

  const given = steps.flatMap((step): Assigned[] => {
    const { user_id, role_id, start_at, expires_at } = step.with
    if (step.do !== 'assignRole' || step.at === undefined) return []
    const bound = (value: unknown) => (typeof value === 'string' ? value : null)
    return [[`${nameOf(user_id)} ${nameOf(role_id)} ${step.at}`, bound(start_at), bound(expires_at)]]
  })
  const own = [...all.flatMap((each) => each.assignments ?? []), ...given].filter(([who]) => who.startsWith(`${user} `))
  const asked = question.building !== null ? 'building' : question.project !== null ? 'project' : 'client'
  const scopes = own.map(([who]) => who.split(' ')[2] ?? '')
  const assigned = [...new Set(own.map(([who]) => who.split(' ')[1] ?? ''))]

  const ownerOf = (role: string) => {
    const of = roles.get(role)?.of
    const PK = of === 'system' ? 'SYSTEM' : `CLIENT#$${of}`
    if (remove.some((each) => each[0] === PK && each[1] === `ROLE#$${role}`)) return ['deleted', ...(of === 'system' ? ['system'] : [])]
    if (isSet(PK, `ROLE#$${role}`, 'deleting')) return ['being deleted', ...(of === 'system' ? ['system'] : [])]
    return of === 'system' ? ['system'] : of === 'acme' ? ['own'] : ['foreign']
  }
  const formOf = (role: string) => {
    const { links, parent } = roles.get(role) ?? {}
    return [
      ...(parent === undefined ? [] : ['by its parent']),
      ...(links !== undefined ? ['linked'] : parent === undefined ? ['embedded'] : []),
    ]
  }
  const patternsOf = (role: string, seen: readonly string[] = []): readonly string[] => {
    const { permissions = [], links = [], parent } = roles.get(role) ?? {}
    const above = parent === undefined || seen.includes(parent) ? [] : patternsOf(parent, [...seen, role])
    return [...permissions, ...links.flatMap((link) => catalogue.get(link) ?? []), ...above]
  }
  const wildcards = assigned.flatMap((role) => patternsOf(role)).map((pattern) => pattern.split(':').map((part) => part === '*'))
  const isEntitled = (one.add?.subscriptions ?? []).some(([what]) => /active|trial/.test(what))
  // Every user there is denied.
  const isSuspended = isSet('CLIENT#$acme', 'METADATA', 'status', 'suspended')
  const grants = steps.filter((step) => step.as !== undefined)

  const times = own.map(([, start, end]) => {
    if (typeof end === 'string' && end <= now) return end === now ? 'ends exactly now' : 'expired'
    return typeof start === 'string' && start > now ? 'not yet started' : 'always'
  })
  const kind = users.get(user)
  return {
    scope: new Set(scopes),
    reach: new Set(
      scopes.flatMap((scope) => {
        const distance = levels.indexOf(asked) - levels.indexOf(scope as (typeof levels)[number])
        return distance === 0 ? ['direct'] : distance > 0 ? ['inherited'] : []
      }),
    ),
    time: new Set(times),
    user: new Set([
      kind === 'internal' ? 'internal' : kind === 'acme' ? 'own' : 'foreign',
      ...(isSet(`USER#$${user}`, 'METADATA', 'status', 'disabled') ? ['disabled'] : []),
    ]),
    client: new Set([isSuspended ? 'suspended' : 'active']),
    role: new Set(assigned.flatMap(ownerOf)),
    form: new Set(assigned.flatMap(formOf)),
    wildcard: new Set(
      wildcards.flatMap(([module, action, resource]) => [
        ...(module ? ['module'] : []),
        ...(action ? ['action'] : []),
        ...(resource ? ['resource'] : []),
        ...(module || action || resource ? [] : ['none']),
      ]),
    ),
    entitlement: new Set([question.module_id === undefined ? 'not asked' : isEntitled ? 'on' : 'off']),
    danger: new Set([set.some((each) => each[2] === 'is_dangerous') ? 'dangerous' : 'none']),
    building: new Set([steps.some((step) => step.do === 'moveBuilding') ? 'moved' : 'stays']),
    actor: new Set(
      grants.length === 0
        ? ['none']
        : grants.map(({ refused }) => `grants ${refused === 'Denied' && !isSuspended ? 'more than' : 'what'} it holds`),
    ),
  }
}

const names = Object.keys(dimensions) as readonly Dimension[]

/** Every pair of values of two dimensions, as text. */
export function allPairs(): readonly string[] {
  return names.flatMap((one, index) =>
    names.slice(index + 1).flatMap((other) => dimensions[one].flatMap((a) => dimensions[other].map((b) => `${one} ${a} × ${other} ${b}`))),
  )
}

export function pairsOf(values: Values): readonly string[] {
  return names.flatMap((one, index) =>
    names
      .slice(index + 1)
      .flatMap((other) => [...values[one]].flatMap((a) => [...values[other]].map((b) => `${one} ${a} × ${other} ${b}`))),
  )
}
