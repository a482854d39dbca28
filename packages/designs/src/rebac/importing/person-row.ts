import { fitting, naming, rowError } from '@freehold/frame/exchange'
import type { Attribute } from '@freehold/table'
import { EmailIdentity, Location, Role, User, UserGroup } from '../design.ts'

/** One row about one person, normalised: as much of the way from the person to a role as it goes. */
export interface PersonRow {
  readonly email: string
  readonly displayName: string
  readonly userType?: 'MEMBER' | 'LEAD' | undefined
  readonly place?: PersonPlace | undefined
}

export interface PersonPlace {
  readonly locationCode: string
  readonly locationName: string
  readonly group?: PersonGroup | undefined
}

export interface PersonGroup {
  readonly name: string
  readonly groupType?: 'TEACHER' | 'VOLUNTEER' | undefined
  readonly roleName?: string | undefined
}

/** The columns of a CSV file of people. */
export const personColumns = {
  must: ['email'],
  may: ['displayName', 'userType', 'location', 'locationName', 'group', 'groupType', 'role'],
} as const

/** The name of a new user: the local part of the address unless given. Throws `InvalidInput`. */
export function displayNameOf(address: string, displayName: string | undefined): string {
  if (displayName === undefined) return address.slice(0, address.lastIndexOf('@'))
  return naming(User.attributes.displayName, 'displayName', displayName)
}

/** As `fitting`, for a cell that may be empty. */
function fittingOrNone<V>(attribute: Attribute<V>, column: string, cell: string | undefined): V | undefined {
  return cell === undefined ? undefined : fitting(attribute, column, cell)
}

function needs(column: string, cell: string | undefined, other: string): void {
  if (cell !== undefined) throw rowError(`needs a ${other} in the same row`, column)
}

/** A person as a row of a CSV file has it. Throws `InvalidInput` for a cell that does not fit, or that says something of a cell that is empty. */
export function personRow(cells: Readonly<Record<string, string>>): PersonRow {
  const { email, displayName, userType, location, locationName, group, groupType, role } = cells
  const address = fitting(EmailIdentity.attributes.email, 'email', email)
  const person = {
    email: address,
    displayName: displayNameOf(address, displayName),
    userType: fittingOrNone(User.attributes.userType, 'userType', userType),
  }
  if (group === undefined) {
    needs('groupType', groupType, 'group')
    needs('role', role, 'group')
  }
  if (location === undefined) {
    needs('locationName', locationName, 'location')
    needs('group', group, 'location')
    return person
  }
  const locationCode = naming(Location.attributes.locationCode, 'location', location)
  const place = {
    locationCode,
    locationName: locationName === undefined ? locationCode : naming(Location.attributes.name, 'locationName', locationName),
  }
  if (group === undefined) return { ...person, place }
  return {
    ...person,
    place: {
      ...place,
      group: {
        name: naming(UserGroup.attributes.name, 'group', group),
        groupType: fittingOrNone(UserGroup.attributes.groupType, 'groupType', groupType),
        roleName: role === undefined ? undefined : naming(Role.attributes.roleName, 'role', role),
      },
    },
  }
}
