import { createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { lambdaAuthorizer, openAuthorizer, readAuthorizerMap } from '@freehold/authorizer'
import { authorization } from '@freehold/designs/authorization'
import { starterFiles } from '@freehold/designs/authorization/policies'
import { localEngine, schemaFile } from '@freehold/designs/cedar'
import { connect } from '@freehold/table'
import { ensureTable, type Sender, senderOf } from '@freehold/table/runtime'
import { startBenchEngine } from '../engine.js'
import type { Package } from './bundle.js'

const secret = 'a secret of at least thirty-two bytes, for the bench'
const [tenant, user, role] = ['01HB0000000000000000000001', '01HA0000000000000000000001', '01HC0000000000000000000001']
const requests = 500

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

function event() {
  const exp = Math.floor(Date.now() / 1000) + 3_600
  const signed = `${encoded({ alg: 'HS256' })}.${encoded({ iss: 'https://id.example.org/', aud: 'tickets', sub: user, exp })}`
  const token = `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
  const path = `/tenants/${tenant}/tickets/t-1/close`
  return {
    ...{ version: '2.0', type: 'REQUEST', routeArn: 'arn:aws:execute-api:eu-central-1:123456789012:abcdef123/x/POST/y', rawPath: path },
    ...{ headers: { authorization: `Bearer ${token}` }, requestContext: { stage: '$default', http: { method: 'POST' } } },
  }
}

/** A request to a function that has its roles in memory: its round trips to DynamoDB, and how long it takes with the embedded engine, in microseconds. */
export async function warmRequest({ folder }: Package): Promise<{ readonly roundTrips: number; readonly median_us: number }> {
  const engine = await startBenchEngine()
  const sender = senderOf({ endpoint: engine.endpoint })
  const count = { sent: 0 }
  const counting: Sender = {
    send: (operation, input, options) => {
      count.sent += 1
      return sender.send(operation, input, options)
    },
    close: () => {},
  }
  try {
    const table = connect(authorization, { sender })
    await ensureTable(table.runtime)
    await table.Role.create({ roleId: role, name: 'agent', scope: 'tenant' })
    await table.Tenant.create({ tenantId: tenant, name: 'acme' })
    await table.User.create({ userId: user, email: 'ada@example.org' })
    await table.TenantGrant.create({ userId: user, tenantId: tenant, roles: [role] })
    const cedar = Object.entries(starterFiles).filter(([name]) => name.endsWith('.cedar'))
    const authorizer = openAuthorizer({
      map: readAuthorizerMap(await readFile(join(folder, 'authorizer.yaml'), 'utf8')),
      policies: await localEngine({ policies: new Map(cedar), schema: starterFiles[schemaFile] ?? '' }),
      ...{ sender: counting, secret, log: () => {} },
    })
    const handle = lambdaAuthorizer(authorizer)
    const [asked, took]: [unknown, number[]] = [event(), []]
    for (let request = 0; request < requests; request += 1) {
      if (request === 1) count.sent = 0
      const begin_ms = performance.now()
      const answer = await handle(asked)
      took.push((performance.now() - begin_ms) * 1000)
      if (!('isAuthorized' in answer && answer.isAuthorized)) throw new Error('The request is not allowed.')
    }
    const median_us = took.sort((one, other) => one - other)[Math.floor(requests / 2)] ?? Number.NaN
    return { roundTrips: count.sent / (requests - 1), median_us }
  } finally {
    sender.close()
    await engine.stop()
  }
}
