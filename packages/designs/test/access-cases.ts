import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import {
  groupItems,
  groupMembershipItems,
  groupRoleItems,
  idOf,
  type LiteralItem,
  locationItems,
  membershipItems,
  pageItems,
  permissionItems,
  roleItems,
  userItems,
} from './literal-items.ts'

type Names<T> = Readonly<Record<string, T>>

/** A small organisation by names. */
export interface Organisation {
  /** E-mail addresses. */
  readonly users?: Names<string>
  /** Codes. */
  readonly locations?: Names<string>
  /** The group's location. */
  readonly groups?: Names<string>
  readonly roles?: readonly string[]
  readonly pages?: readonly string[]
  readonly memberships?: Names<readonly string[]>
  readonly groupMemberships?: Names<readonly string[]>
  readonly groupRoles?: Names<readonly string[]>
  readonly permissions?: Names<Names<'ALLOW' | 'DENY'>>
}

type Question = 'can' | 'why' | 'what' | 'who' | 'where'

export interface AccessCase {
  readonly name: string
  readonly add?: Organisation
  readonly remove?: readonly (readonly [PK: string, SK: string])[]
  readonly set?: readonly (readonly [PK: string, SK: string, attribute: string, value: string | number | boolean])[]
  /** The difference from the question: may ada open the page plan at ber? */
  readonly question?: { readonly user?: string; readonly location?: string; readonly page?: string }
  readonly about?: { readonly user?: string; readonly location?: string }
  readonly answer: 'allowed' | { readonly kind: string; readonly code: string }
  /** Questions that do not name what the case is about, and so are not asked. */
  readonly differs?: readonly Question[]
}

export interface AccessCases {
  readonly organisation: Organisation
  readonly cases: readonly AccessCase[]
}

export function accessCases(file: URL): AccessCases {
  return parse(readFileSync(file, 'utf8'))
}

/** Ids by name, over organisations that add to one another. */
export class Ids {
  private readonly ids = new Map<string, string>()

  constructor(organisations: readonly Organisation[]) {
    for (const kind of ['user', 'location', 'group'] as const) {
      const names = organisations.flatMap((organisation) => Object.keys(organisation[`${kind}s`] ?? {}))
      for (const [number, name] of names.entries()) this.ids.set(name, idOf(kind, number + 1))
    }
  }

  /** The id of a name; other text as it stands. */
  of(name: string): string {
    return this.ids.get(name) ?? name
  }

  /** Text in which `$ada` stands for an id, and `$ada.lower` for it in lower case. */
  in(text: string): string {
    return text.replace(/\$([a-z]+)(\.lower)?/g, (_, name: string, lower?: string) => (lower ? this.of(name).toLowerCase() : this.of(name)))
  }
}

const pairs = <T>(names: Names<readonly T[]> = {}): [string, T][] =>
  Object.entries(names).flatMap(([name, values]) => values.map((value): [string, T] => [name, value]))

/** `all`: every organisation of the case, since an edge may lead to what another one has. */
export function organisationItems(organisation: Organisation, ids: Ids, all: readonly Organisation[]): LiteralItem[] {
  const {
    users = {},
    locations = {},
    groups = {},
    roles = [],
    pages = [],
    memberships,
    groupMemberships,
    groupRoles,
    permissions = {},
  } = organisation
  const locationOf = (group: string): string => ids.of(all.flatMap((each) => each.groups?.[group] ?? [])[0] ?? '')
  return [
    ...Object.entries(users).flatMap(([name, email]) => userItems(ids.of(name), name, { email })),
    ...Object.entries(locations).flatMap(([name, code]) => locationItems(ids.of(name), code)),
    ...Object.entries(groups).flatMap(([name, location]) => groupItems(ids.of(name), ids.of(location))),
    ...roles.flatMap(roleItems),
    ...pages.flatMap(pageItems),
    ...pairs(memberships).flatMap(([user, location]) => membershipItems(ids.of(user), ids.of(location))),
    ...pairs(groupMemberships).flatMap(([user, group]) => groupMembershipItems(ids.of(user), ids.of(group), locationOf(group))),
    ...pairs(groupRoles).flatMap(([group, role]) => groupRoleItems(ids.of(group), role)),
    ...Object.entries(permissions).flatMap(([role, ofPages]) =>
      Object.entries(ofPages).flatMap(([page, permission]) => permissionItems(role, page, permission)),
    ),
  ]
}
