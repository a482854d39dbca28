import { authorization } from '@freehold/designs/authorization'

/** What every template gives the function. */
export const functionSettings = Object.freeze({
  description: 'Authorizer of an API, by the policies of the authorization design',
  /** The table's name, unless the deployer says another one. */
  table: authorization.table,
  handler: 'index.handler',
  runtime: 'nodejs22.x',
  architecture: 'arm64',
  /** Lambda gives CPU by memory: the policies and Cedar are loaded at the start. */
  memory_mb: 1_024,
  /** A gateway waits for ten seconds. */
  timeout_s: 10,
  retention_days: 30,
  /** All that the function asks of the table. */
  actions: ['dynamodb:GetItem', 'dynamodb:BatchGetItem'],
  /** All that it asks of a policy store: to decide, in batches too, and to read what decides at its start. */
  storeActions: ['IsAuthorized', 'GetSchema', 'ListPolicies', 'GetPolicy', 'ListPolicyTemplates', 'GetPolicyTemplate'].map(
    (name) => `verifiedpermissions:${name}`,
  ),
  /** About the package, for whoever makes it. */
  packing: '`freehold authorizer pack` before makes it start faster',
  store: 'Id of a policy store in Amazon Verified Permissions that decides, if one does; the function needs a handler of handlerByStore',
  logActions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
  /** No answer is kept. */
  ttl_s: 0,
})
