import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type Issuer, readIssuers } from '@freehold/frame/issuers'
import { readJson } from '@freehold/frame/reading'
import { invalidInput } from '@freehold/table/runtime'
import type { Environment } from '../environment.ts'
import type { Log } from '../http/access-log.ts'
import { createService } from '../service.ts'
import { type DeployedTables, requestToLog } from './deployed-tables.ts'
import { type GatewayAnswer, lambdaService } from './lambda-service.ts'

async function issuersIn({ LAMBDA_TASK_ROOT: root = '.', FREEHOLD_ISSUERS: file }: Environment): Promise<readonly Issuer[]> {
  if (file === undefined) return []
  const read = readJson(await readFile(resolve(root, file)))
  if (read.problem === undefined) return readIssuers(read.value)
  throw invalidInput('The function', [{ path: ['FREEHOLD_ISSUERS'], message: `names a file that ${read.problem}` }])
}

/**
 * The handler of a function that serves tables as its environment says.
 * @throws InvalidInput for settings that are malformed
 */
export async function deployedService(
  env: Environment,
  { tables, keys }: DeployedTables,
  log: Log = requestToLog,
): Promise<(event: unknown) => Promise<GatewayAnswer>> {
  const { FREEHOLD_PUBLIC_URL: publicUrl, FREEHOLD_AUTHZEN_TENANT: authzenTenant } = env
  const issuers = await issuersIn(env)
  return lambdaService(createService({ tables, keys, log, issuers, publicUrl, authzenTenant, console: false }))
}
