import { expect } from 'vitest'
import * as design from '../src/account-management/design.ts'
import type { FlowRow, Values } from './conformance/flow-scene.ts'

const signsOut = { also: ['revokeSessions', 'revokeTokens'] }
/** Links are told as the permissions that they give, in words. */
const linking = {
  unsaid: [design.RolePermissionLink],
  told: () => ({ more: expect.objectContaining({ granted: [expect.stringMatching(/^lamp:switch:lamp-\d+$/)] }) }),
}

/** What more the records of a flow tell than its items. */
export const accountRecords: Readonly<Record<string, Partial<FlowRow>>> = {
  moveBuilding: { renames: ({ project_id }) => ({ project_id: { before: expect.any(String), after: project_id } }) },
  changeUserEmail: signsOut,
  disableUser: signsOut,
  setPassword: signsOut,
  setMfa: signsOut,
  unsetMfa: signsOut,
  'createRole 2': linking,
  changeRoleForm: linking,
}

/** An entry of the audit, in the words of all designs. */
export function toldByAudit(item: Values) {
  if (item.Type !== design.AuditLog.name) return undefined
  const { metadata = {} } = item as { readonly metadata?: Values }
  const { changes = {}, via, operator, identity_provider } = metadata
  const other = identity_provider === undefined ? `operator ${operator}` : `identity-provider ${identity_provider}`
  return {
    ...{ flow: item.action, actor: item.user_id ?? other, via, status: item.status, scope: item.client_id },
    ...{ entity: item.entity_type, id: item.entity_id, changes: changes as Values, more: metadata },
  }
}
