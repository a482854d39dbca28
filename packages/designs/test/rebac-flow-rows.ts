import { Change, RolePagePermission } from '../src/rebac/design.ts'
import { type RebacScene, type RebacWork, rebacSamples } from '../src/rebac/flows/samples.ts'
import { rowsOf } from './conformance/flow-conformance.ts'
import type { FlowRow } from './conformance/flow-scene.ts'
import { toldBy } from './conformance/told-by-change.ts'

/** What more the records of a flow tell than its items. */
function rebacRecords({ here }: RebacScene): Readonly<Record<string, Partial<FlowRow>>> {
  const atHere = { told: () => ({ scope: here }) }
  const ofLocation = [
    'joinLocation',
    'leaveLocation',
    'joinGroup',
    'leaveGroup',
    'createGroup',
    'updateGroup',
    'deleteGroup',
    'giveRole',
    'takeRole',
  ]
  // The edges of a name that changes are told by both names: rename.test.ts has those that are lost.
  const renaming = (name: string): Partial<FlowRow> => ({
    renames: (input) => ({ [name]: { before: input[name], after: input.to } }),
    unsaid: [RolePagePermission],
  })
  return {
    ...Object.fromEntries(ofLocation.map((flow) => [flow, atHere])),
    renameRole: renaming('roleName'),
    renamePage: renaming('pageName'),
  }
}

/** One row for each flow that writes, and more. */
export const rebacRows = (work: RebacWork, scene: RebacScene): readonly FlowRow[] =>
  rowsOf(rebacSamples(work, scene).samples, rebacRecords(scene))

/** A record of a change, in the words of all designs. */
export const toldByChange = toldBy(Change, 'locationId')
