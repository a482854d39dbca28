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
  logActions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
  /** No answer is kept. */
  ttl_s: 0,
})
