import { type Entity, FreeholdError } from '@freehold/table'
import { formatKey, lookedFor } from '@freehold/table/runtime'
import {
  EmailIdentity,
  GroupRole,
  Location,
  LocationCodeLookup,
  LocationUserEdge,
  Page,
  Role,
  RolePagePermission,
  User,
  UserGroup,
  UserGroupEdge,
  UserLocationEdge,
} from './design.ts'

type Side = 'partition' | 'sort'

/** Formats one key attribute of an entity from the one value it holds, normalised as readers do. */
function keyOf(entity: Entity, side: Side): (value: string) => string {
  const template = entity.form.key[side]
  const [placeholder = ''] = template.placeholders
  const kind = entity.attributes[placeholder]?.kind
  const lookedUp = (value: string) => kind && lookedFor(kind, value)
  return (value) => {
    const result = lookedUp(value)
    if (result?.success !== true) {
      const message = result?.error.issues[0]?.message ?? 'is missing'
      throw new FreeholdError('InvalidInput', `${entity.name}: ${placeholder} ${message}.`, {
        entity: entity.name,
        issues: [{ path: [placeholder], message }],
      })
    }
    // A template whose one placeholder is filled always gives a key.
    return formatKey(template, { [placeholder]: result.data }, entity.name) ?? ''
  }
}

/** The text before the placeholder of a sort key: the beginning of a query's range. */
function prefixOf({ key: [, sort] }: Entity): string {
  return sort.slice(0, sort.indexOf('{'))
}

/**
 * The document's key helpers, taken from the design's templates. They normalise as readers do, so that any spelling finds the item; they throw
 * `InvalidInput` or `InvalidKey` where no item could have the value.
 */
export const Keys = Object.freeze({
  emailPK: keyOf(EmailIdentity, 'partition'),
  userPK: keyOf(User, 'partition'),
  locationPK: keyOf(Location, 'partition'),
  locationCodePK: keyOf(LocationCodeLookup, 'partition'),
  groupPK: keyOf(UserGroup, 'partition'),
  rolePK: keyOf(Role, 'partition'),
  pagePK: keyOf(Page, 'partition'),

  metaSK: (): string => User.key[1],
  locationSK: keyOf(UserLocationEdge, 'sort'),
  userSK: keyOf(LocationUserEdge, 'sort'),
  groupSK: keyOf(UserGroupEdge, 'sort'),
  roleSK: keyOf(GroupRole, 'sort'),
  pageSK: keyOf(RolePagePermission, 'sort'),

  LOCATION_PREFIX: prefixOf(UserLocationEdge),
  USER_PREFIX: prefixOf(LocationUserEdge),
  GROUP_PREFIX: prefixOf(UserGroupEdge),
  ROLE_PREFIX: prefixOf(GroupRole),
  PAGE_PREFIX: prefixOf(RolePagePermission),
})
