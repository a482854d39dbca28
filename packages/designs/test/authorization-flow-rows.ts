import { Change } from '../src/authorization/design.ts'
import { type AuthorizationScene, type AuthorizationWork, authorizationSamples } from '../src/authorization/flows/samples.ts'
import { rowsOf } from './conformance/flow-conformance.ts'
import type { FlowRow } from './conformance/flow-scene.ts'
import { toldBy } from './conformance/told-by-change.ts'

/** What more the records of a flow tell than its items. */
function authorizationRecords({ ours }: AuthorizationScene): Readonly<Record<string, Partial<FlowRow>>> {
  const atOurs = { told: () => ({ scope: ours }) }
  const ofTenant = ['renameTenant', 'createGrant', 'changeGrantRoles', 'removeGrant', 'createResource', 'updateResource', 'removeResource']
  const renaming: Partial<FlowRow> = { renames: ({ name }) => ({ name: { before: String(name).replace(', renamed', ''), after: name } }) }
  return { ...Object.fromEntries(ofTenant.map((flow) => [flow, atOurs])), renameRole: renaming, renamePolicy: renaming }
}

/** One row for each flow that writes, and more. */
export const authorizationRows = (work: AuthorizationWork, scene: AuthorizationScene): readonly FlowRow[] =>
  rowsOf(authorizationSamples(work, scene).samples, authorizationRecords(scene))

export const toldByAuthorization = toldBy(Change, 'tenantId')
