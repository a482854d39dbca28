import { createHmac } from 'node:crypto'
import { authorization } from '@freehold/designs/authorization'
import { connect } from '@freehold/table'
import { ensureTable, senderOf } from '@freehold/table/runtime'
import { startBenchEngine } from '../engine.js'

export const secret = 'a secret of at least thirty-two bytes, for the bench'
const [tenant, user, role] = ['01HB0000000000000000000001', '01HA0000000000000000000001', '01HC0000000000000000000001']
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** An event whose request is allowed. */
function event() {
  const exp = Math.floor(Date.now() / 1000) + 3_600
  const signed = `${encoded({ alg: 'HS256' })}.${encoded({ iss: 'https://id.example.org/', aud: 'tickets', sub: user, exp })}`
  const token = `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
  const path = `/tenants/${tenant}/tickets/t-1/close`
  return {
    ...{ version: '2.0', type: 'REQUEST', rawPath: path },
    routeArn: `arn:aws:execute-api:eu-central-1:123456789012:abcdef123/$default/POST${path}`,
    ...{ headers: { authorization: `Bearer ${token}` }, requestContext: { stage: '$default', http: { method: 'POST' } } },
  }
}

/** A table with a member of a tenant, and an event in which it closes a ticket. */
export interface Scene {
  readonly endpoint: string
  readonly event: unknown
}

export async function withScene<T>(work: (scene: Scene) => Promise<T>): Promise<T> {
  const engine = await startBenchEngine()
  const sender = senderOf({ endpoint: engine.endpoint })
  try {
    const table = connect(authorization, { sender })
    await ensureTable(table.runtime)
    await table.Role.create({ roleId: role, name: 'agent', scope: 'tenant' })
    await table.Tenant.create({ tenantId: tenant, name: 'acme' })
    await table.User.create({ userId: user, email: 'ada@example.org' })
    await table.TenantGrant.create({ userId: user, tenantId: tenant, roles: [role] })
    return await work({ endpoint: engine.endpoint, event: event() })
  } finally {
    sender.close()
    await engine.stop()
  }
}
