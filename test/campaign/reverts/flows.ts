import type { Revert } from './revert.ts'

/** What flows of platform and authorization rest on: conditions of the transaction that they write. */
export const flowReverts: readonly Revert[] = [
  {
    name: 'a seat is counted, whether one is free or not',
    patches: [
      {
        file: 'packages/designs/src/platform/flows/licenses/seats.ts',
        text: "seatsUsed: below(attribute('seats')),",
        reverted: '',
      },
    ],
    shownBy: ['the last seat of a licence is taken while another claims it'],
  },
  {
    name: 'the members of a list are not looked for',
    patches: [
      { file: 'packages/table/src/plan/copies.ts', text: '!known.has(placeOf(each))', reverted: '!known.has(placeOf(each)) && false' },
    ],
    shownBy: ['a role is deleted while a grant gives it'],
  },
]
