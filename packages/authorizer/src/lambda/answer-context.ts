import type { Allowed } from '../deciding/authorizer.ts'

/** What goes on to the integration. API Gateway and AppSync take texts alone, so that the lists of roles are JSON. */
export const answerContext = ({ id, user, tenant, roles, globalRoles }: Allowed) => ({
  userId: user,
  tenantId: tenant,
  roles: JSON.stringify(roles),
  globalRoles: JSON.stringify(globalRoles),
  decisionId: id,
})
export type AnswerContext = ReturnType<typeof answerContext>
