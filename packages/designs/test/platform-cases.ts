import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import type { PlatformAccessQuestion } from '../src/platform/decide.ts'
import type { LiteralItem } from './literal-items.ts'
import * as items from './platform-items.ts'
import { adaEdits } from './platform-organisation.ts'

type Names<T> = Readonly<Record<string, T>>

/** A small organisation by names, which are ids and keys as well. */
interface Organisation {
  readonly accounts?: readonly string[]
  /** Each with its account. */
  readonly workstreams?: Names<string>
  readonly users?: Names<string>
  readonly groups?: Names<string>
  /** Each with its account; null for an unscoped one. */
  readonly roles?: Names<string | null>
  readonly members?: Names<readonly string[]>
  readonly groupRoles?: Names<readonly string[]>
  /** The actions of each role in each menu. */
  readonly permissions?: Names<Names<readonly string[]>>
  readonly workstreamUsers?: Names<readonly string[]>
}

interface PlatformCase {
  readonly name: string
  readonly add?: Organisation
  readonly remove?: readonly (readonly [PK: string, SK: string])[]
  readonly set?: readonly (readonly [PK: string, SK: string, attribute: string, value: string | number | boolean | null])[]
  readonly question?: Names<string | null>
  readonly about?: { readonly user?: string; readonly place?: string }
  readonly answer: 'allowed' | { readonly kind: string; readonly code: string }
  /** Lists that do not say what the case is about. */
  readonly differs?: readonly string[]
}

export interface PlatformCases {
  readonly now: string
  readonly organisation: Organisation
  readonly cases: readonly PlatformCase[]
}

export function platformCases(file: URL): PlatformCases {
  return parse(readFileSync(file, 'utf8'))
}

const pairs = <T>(names: Names<readonly T[]> = {}): [string, T][] =>
  Object.entries(names).flatMap(([name, values]) => values.map((value): [string, T] => [name, value]))

const upper = (action: string) => `can${action.charAt(0).toUpperCase()}${action.slice(1)}`

/** @param all every organisation of the case, since an edge may lead to what another one has */
function itemsOf(organisation: Organisation, all: readonly Organisation[]): LiteralItem[] {
  const { accounts = [], workstreams = {}, users = {}, groups = {}, roles = {}, members, groupRoles, permissions = {} } = organisation
  const ofAccount = (kind: 'workstreams' | 'groups' | 'roles', name: string) => all.flatMap((each) => each[kind]?.[name] ?? [])[0]
  return [
    ...accounts.map(items.account),
    ...Object.entries(workstreams).map(([id, account]) => items.workstream(account, id)),
    ...Object.entries(users).flatMap(([id, account]) => items.user(account, id, `${id}@example.org`)),
    ...Object.entries(groups).flatMap(([id, account]) => [items.group(id, account), items.accountGroup(id, account)]),
    ...Object.entries(roles).map(([id, account]) => items.role(id, account ?? undefined)),
    ...pairs(members).flatMap(([group, user]) => items.member(group, user, ofAccount('groups', group))),
    ...pairs(groupRoles).flatMap(([group, role]) => items.groupRole(group, role, ofAccount('groups', group))),
    ...Object.entries(permissions).flatMap(([role, menus]) =>
      Object.entries(menus).flatMap(([menu, actions]) => {
        const account = ofAccount('roles', role)
        const flags = Object.fromEntries(actions.map((action) => [upper(action), true]))
        return items.permission(role, menu, { ...flags, ...(account === undefined ? {} : { accountId: account }) })
      }),
    ),
    ...pairs(organisation.workstreamUsers).flatMap(([workstream, user]) =>
      items.inWorkstream(ofAccount('workstreams', workstream) ?? '', user, workstream),
    ),
  ]
}

/** The items of a case. An item that is written twice is as it was written last. */
export function caseItems(organisation: Organisation, { add = {} }: PlatformCase): readonly LiteralItem[] {
  const all = [organisation, add]
  return [...new Map(all.flatMap((each) => itemsOf(each, all)).map((item) => [`${item.PK} ${item.SK}`, item])).values()]
}

/** The question of a case. */
export function caseQuestion({ question = {} }: PlatformCase): PlatformAccessQuestion {
  const given = Object.entries({ ...adaEdits, ...question }).filter(([, value]) => value !== null)
  // The cases are written for it; malformed questions are another test's.
  return Object.fromEntries(given) as unknown as PlatformAccessQuestion
}
