import { readFileSync } from 'node:fs'
import type { Stored } from '@freehold/table/runtime'
import { parse } from 'yaml'
import * as items from './account-items.ts'

type Names<T> = Readonly<Record<string, T>>

/** A small organisation by names. What is of no client is of the system, and a user without one internal. */
interface Organisation {
  readonly clients?: readonly string[]
  /** Each with its client. */
  readonly projects?: Names<string>
  /** Each with its project. */
  readonly buildings?: Names<string>
  /** Each with its client, or `internal`. */
  readonly users?: Names<string>
  readonly roles?: Names<{
    readonly of: string
    readonly permissions?: readonly string[]
    readonly links?: readonly string[]
    readonly parent?: string
    /** The parent in the list of parents, if that is another than its own. */
    readonly listed?: readonly string[]
  }>
  /** The catalogue: names with what they are. */
  readonly permissions?: Names<string>
  /** `user role scope_type scope`, perhaps with a start and an end. */
  readonly assignments?: readonly (readonly [who: string, start?: string | null, end?: string | null])[]
  /** `scope_type scope status`, perhaps with an end and whether it renews itself. */
  readonly subscriptions?: readonly (readonly [what: string, end?: string | null, renews?: boolean])[]
}

/** A flow, run on behalf of a user or else of an operator. */
export interface Step {
  readonly do: string
  readonly with: Names<unknown>
  /** `scope_type scope`, where the flow takes a scope. */
  readonly at?: string
  readonly as?: string
  /** The code of the error by which the flow refuses. */
  readonly refused?: string
}

export interface AccountCase {
  readonly name: string
  readonly add?: Organisation
  readonly remove?: readonly (readonly [PK: string, SK: string])[]
  readonly set?: readonly (readonly [PK: string, SK: string, attribute: string, value: unknown])[]
  /** Flows that are run before the case is asked. */
  readonly steps?: readonly Step[]
  /** The difference from the question: may ada do devices:read:camera at the building pier? Null takes a field away. */
  readonly question?: Names<string | boolean | null>
  /** Whom and which place the lists must name or not name, where the question spells them otherwise. */
  readonly about?: { readonly user?: string; readonly place?: string }
  readonly answer: 'allowed' | { readonly kind: string; readonly code: string }
  /** Codes of the reasons of lists, or `nothing`, where they tell another one than `can`. */
  readonly tells?: Names<string>
  /** Lists that do not name what the case is about, and so are not asked. */
  readonly differs?: readonly string[]
}

interface Written extends AccountCase {
  /** Words for which the case stands once for each of their values, in every combination. */
  readonly each?: Names<readonly string[]>
}

function combined(each: Names<readonly string[]>): Names<string>[] {
  return Object.entries(each).reduce<Names<string>[]>(
    (all, [word, values]) => all.flatMap((before) => values.map((value) => ({ ...before, [word]: value }))),
    [{}],
  )
}

function spelledOut({ each, ...one }: Written): AccountCase[] {
  if (each === undefined) return [one]
  const text = JSON.stringify(one)
  return combined(each).map((words) => JSON.parse(text.replace(/<([a-z]+)>/g, (_, word: string) => words[word] ?? word)))
}

export function accountCases(file: URL): {
  readonly now: string
  readonly organisation: Organisation
  readonly cases: readonly AccountCase[]
} {
  const { now, organisation, cases }: { now: string; organisation: Organisation; cases: readonly Written[] } = parse(
    readFileSync(file, 'utf8'),
  )
  return { now, organisation, cases: cases.flatMap(spelledOut) }
}

const kinds = {
  clients: 'client',
  projects: 'project',
  buildings: 'building',
  users: 'user',
  roles: 'role',
  permissions: 'permission',
} as const

/** Ids by name, over organisations that add to one another. */
export class AccountIds {
  private readonly ids = new Map<string, string>([['module', items.idOf('module', 1)]])

  constructor(organisations: readonly Organisation[]) {
    for (const [of, kind] of Object.entries(kinds) as [keyof typeof kinds, (typeof kinds)[keyof typeof kinds]][]) {
      const names = organisations.flatMap((organisation) => {
        const named = organisation[of] ?? []
        return Array.isArray(named) ? named : Object.keys(named)
      })
      for (const [number, name] of names.entries()) this.ids.set(name, items.idOf(kind, number + 1))
    }
  }

  /** The id of a name; other text as it stands. */
  of(name: string): string {
    return this.ids.get(name) ?? name
  }

  /** Text in which `$ada` stands for an id. */
  in(text: string): string {
    return text.replace(/\$([a-z]+)/g, (_, name: string) => this.of(name))
  }
}

function permissionOf(text: string) {
  const [module = '', action = '', resource = ''] = text.split(':')
  return { module, action, resource }
}

/** The items of an organisation, as a foreign writer would write them. `all`: every organisation of the case. */
export function accountItems(organisation: Organisation, ids: AccountIds, all: readonly Organisation[]): Stored[] {
  const owner = (name: string) => (name === 'system' || name === 'internal' ? undefined : ids.of(name))
  const clientOf = (type: string, name: string): string => {
    const find = (kind: 'projects' | 'buildings') => all.flatMap((each) => each[kind]?.[name] ?? [])[0] ?? ''
    if (type === 'client') return name
    return type === 'project' ? find('projects') : clientOf('project', find('buildings'))
  }
  const roleOwner = (name: string) => all.flatMap((each) => each.roles?.[name]?.of ?? [])[0] ?? ''
  const {
    clients = [],
    projects = {},
    buildings = {},
    users = {},
    roles = {},
    permissions = {},
    assignments = [],
    subscriptions = [],
  } = organisation
  return [
    ...clients.flatMap((name) => items.client(ids.of(name))),
    ...Object.entries(projects).flatMap(([name, client]) => items.project(ids.of(client), ids.of(name))),
    ...Object.entries(buildings).flatMap(([name, project]) =>
      items.building(ids.of(clientOf('project', project)), ids.of(project), ids.of(name)),
    ),
    ...Object.entries(users).flatMap(([name, client]) => items.user(owner(client), ids.of(name), `${name}@example.org`)),
    ...Object.entries(permissions).flatMap(([name, text]) => {
      const { module, action, resource } = permissionOf(text)
      return items.permission(ids.of(name), module, action, resource)
    }),
    ...Object.entries(roles).flatMap(([name, { of, permissions: embedded = [], links, parent, listed }]) => [
      ...items.role(owner(of), ids.of(name), name, parent === undefined ? {} : { parent: ids.of(parent) }).flatMap((item) => {
        if (item.Type === 'RoleParent' && listed !== undefined) return []
        if (item.Type !== 'Role') return [item]
        return [{ ...item, permissions: embedded.map(permissionOf), permission_form: links === undefined ? 'embedded' : 'linked' }]
      }),
      ...(listed ?? []).map((above) => items.roleParent(owner(of), ids.of(name), ids.of(above))),
      ...(links ?? []).flatMap((permission) => items.link(owner(of), ids.of(name), ids.of(permission))),
    ]),
    ...assignments.flatMap(([who, start_at, expires_at]) => {
      const [user = '', role = '', type = '', scope = ''] = who.split(' ')
      const of = roleOwner(role)
      const more = {
        role_owner: of === 'system' ? 'SYSTEM' : ids.of(of),
        ...(typeof start_at === 'string' ? { start_at } : {}),
        ...(typeof expires_at === 'string' ? { expires_at } : {}),
      }
      const literal = items.assignment(ids.of(clientOf(type, scope)), ids.of(user), ids.of(role), type as items.ScopeType, ids.of(scope))
      return literal.map((item) => ({ ...item, ...more }))
    }),
    ...subscriptions.map(([what, end_date, auto_renew = false]) => {
      const [type = '', scope = '', status = ''] = what.split(' ')
      const literal = items.subscription(ids.of(clientOf(type, scope)), type as items.ScopeType, ids.of(scope), ids.of('module'))
      return { ...literal, status, auto_renew, ...(typeof end_date === 'string' ? { end_date } : {}) }
    }),
  ]
}

/** The places of organisations by their ids, each with all that it lies in. */
export function pathsIn(
  all: readonly Organisation[],
  ids: AccountIds,
): ReadonlyMap<string, { readonly client: string; readonly project?: string; readonly building?: string }> {
  const projects = new Map(all.flatMap((each) => Object.entries(each.projects ?? {})))
  const buildings = new Map(all.flatMap((each) => Object.entries(each.buildings ?? {})))
  const inClient = (name: string) => ({ client: ids.of(name) })
  const inProject = (name: string) => ({ ...inClient(projects.get(name) ?? ''), project: ids.of(name) })
  return new Map([
    ...all.flatMap(({ clients = [] }) => clients).map((name) => [ids.of(name), inClient(name)] as const),
    ...[...projects.keys()].map((name) => [ids.of(name), inProject(name)] as const),
    ...[...buildings].map(([name, of]) => [ids.of(name), { ...inProject(of), building: ids.of(name) }] as const),
  ])
}
