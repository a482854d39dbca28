import { schemaToJson } from '@freehold/frame/cedar'
import { type StoreOptions, verifiedPermissions } from '@freehold/service/verified-permissions'
import { afterEach, vi } from 'vitest'
import { cedarCases } from '../../packages/frame/test/cedar-cases.ts'
import { type PolicyStoreStub, policyStoreStub } from './policy-store-stub.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (let close = closers.pop(); close !== undefined; close = closers.pop()) await close()
  vi.unstubAllEnvs()
})

/** An empty policy store on loopback, closed after the test. No call waits between attempts. */
export async function emptyStore(): Promise<{ readonly stub: PolicyStoreStub; readonly options: StoreOptions }> {
  for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) vi.stubEnv(name, 'none')
  const stub = await policyStoreStub()
  closers.push(stub.close)
  const { policyStoreId, endpoint } = stub
  return { stub, options: { policyStoreId, endpoint, region: 'eu-central-1', sleep: async () => {} } }
}

/** A policy store with these policies, and the engine that asks it. Policies that do not fit the schema are kept, as a store keeps them whose schema changed. */
export async function openedStore(policies: readonly string[], schema: string = cedarCases.schema, more: Partial<StoreOptions> = {}) {
  const { stub, options } = await emptyStore()
  stub.put(await schemaToJson(schema), policies)
  const engine = await verifiedPermissions({ ...options, ...more })
  closers.push(engine.close)
  stub.asked.length = 0
  return { stub, engine }
}
