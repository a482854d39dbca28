import { deciderConforms } from '../../test/conformance/decider-conformance.ts'
import {
  groupItems,
  groupMembershipItems,
  groupRoleItems,
  idOf,
  locationItems,
  membershipItems,
  pageItems,
  permissionItems,
  writeLiterally,
} from '../../test/literal-items.ts'
import { ada, adaInBerlin, berlin, furtherTeachers } from '../../test/organisation.ts'
import { ownTable } from '../../test/own-table.ts'
import { decideRebac } from './decide.ts'

const [munich, nowhere] = [idOf('location', 2), idOf('location', 9)]
const tutors = idOf('group', 2)
const subject = (field: string, told: string, name = told) => ({ ask: { [field]: name }, told })

deciderConforms({
  name: 'rebac',
  open: async (options) => {
    const table = await ownTable(options)
    await writeLiterally(table.runtime, [
      ...adaInBerlin,
      ...furtherTeachers([2, 3, 4]),
      ...['map', 'news', 'safe'].flatMap(pageItems),
      ...permissionItems('reader', 'map'),
      ...permissionItems('reader', 'news'),
      ...locationItems(munich, 'MUC01'),
      ...groupItems(tutors, munich),
      ...groupRoleItems(tutors, 'reader'),
      ...membershipItems(ada, munich),
      ...groupMembershipItems(ada, tutors, munich),
    ])
    return table
  },
  decide: decideRebac,
  users: [
    subject('user', ada),
    subject('user', ada, 'ada@example.org'),
    subject('user', idOf('user', 2)),
    subject('user', idOf('user', 9)),
  ],
  scopes: [subject('location', berlin), subject('location', berlin, 'BER01'), subject('location', munich), subject('location', nowhere)],
  permissions: ['plan', 'map', 'safe', 'none'].map((page) => subject('page', page)),
  told: { what: ({ page }) => String(page), who: ({ userId }) => String(userId), where: ({ locationId }) => String(locationId) },
  asked: {
    can: { user: 'ada@example.org', location: 'BER01', page: 'plan' },
    why: { user: 'ada@example.org', location: 'BER01', page: 'plan' },
    what: { user: 'ada@example.org', location: 'BER01' },
    who: { location: 'BER01', page: 'plan' },
    where: { user: 'ada@example.org', page: 'plan' },
  },
  roundTrips: { can: [3, 1, 3], why: [3, 1, 3], what: [3, 1, 3], who: [4, 2, 4], where: [3, 1, 3] },
  requestsOfCan: [7, 2],
})
