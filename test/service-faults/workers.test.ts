import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { rebac } from '@freehold/designs/rebac'
import { connect } from '@freehold/table'
import { ensureTable } from '@freehold/table/runtime'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadOrganisation } from '../../packages/cli/src/sample/load-organisation.ts'
import { folder } from '../../packages/cli/test/recorded-shell.ts'
import { endSpawned, spawnCommand } from '../../packages/cli/test/spawned.ts'
import { bundle } from '../bundle.js'
import { type CampaignEngine, startCampaignEngine } from '../campaign/campaign-engine.ts'
import { callsTo } from './faulty-service.ts'
import { nothingIsLeft, revocables, revoke, until } from './revocations.ts'
import { type SwitchedProxy, startSwitchedProxy } from './switched-proxy.ts'

let engine: CampaignEngine
let proxy: SwitchedProxy
beforeAll(async () => {
  engine = await startCampaignEngine()
  proxy = await startSwitchedProxy(engine.endpoint)
})
afterAll(async () => {
  if (proxy !== undefined) proxy.weather = 'fair'
  await endSpawned()
  await proxy?.close()
  await engine?.close()
})

test('what one worker acknowledges to have revoked, while the table fails, the other denies, too', async () => {
  const table = connect(rebac, { dynamo: { endpoint: proxy.endpoint } })
  await ensureTable(table.runtime)
  await loadOrganisation(table)
  table.close()
  // A definition is remembered for so long by a worker that did not revoke it, and a key for five seconds.
  const ages = { FREEHOLD_DEFINITION_AGE_MS: '300' }
  const { says, written } = spawnCommand(['serve', '--design', 'rebac', '--port', '0', '--workers', '2', '--json'], {
    module: await bundle(join(import.meta.dirname, 'command.ts')),
    cwd: folder({}),
    env: { DYNAMODB_ENDPOINT: proxy.endpoint, ...ages },
  })
  await says('\n')
  const { address, keyFile, key } = JSON.parse(written.out)
  const call = callsTo(address, key ?? readFileSync(keyFile, 'utf8').trim())
  await until(async () => written.err.match(/The worker \d+ listens/g)?.length === 2)
  for (const weather of ['throttled', 'cut off'] as const) {
    const grants = await revocables(call, false)
    proxy.weather = weather
    proxy.hasBreaks = true
    await Promise.all(grants.map((grant) => revoke(call, grant, false)))
    proxy.weather = 'fair'
    await nothingIsLeft(grants)
  }
  expect(written.err).not.toContain(' died ')
})
