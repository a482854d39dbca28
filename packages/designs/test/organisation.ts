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

export const ada = idOf('user', 1)
export const berlin = idOf('location', 1)
export const teachers = idOf('group', 1)

/** Ada, a teacher in Berlin, who may read the plan. */
export const adaInBerlin: readonly LiteralItem[] = [
  ...userItems(ada, 'Ada', { email: 'ada@example.org' }),
  ...locationItems(berlin, 'BER01'),
  ...groupItems(teachers, berlin),
  ...roleItems('reader'),
  ...pageItems('plan'),
  ...membershipItems(ada, berlin),
  ...groupMembershipItems(ada, teachers, berlin),
  ...groupRoleItems(teachers, 'reader'),
  ...permissionItems('reader', 'plan'),
]

/** Further users of Ada's group, by number. */
export const furtherTeachers = (numbers: readonly number[]): LiteralItem[] =>
  numbers.flatMap((number) => [
    ...userItems(idOf('user', number), `User ${number}`),
    ...membershipItems(idOf('user', number), berlin),
    ...groupMembershipItems(idOf('user', number), teachers, berlin),
  ])
