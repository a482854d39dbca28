import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { lambdaAuthorizer, openAuthorizer, readAuthorizerMap } from '@freehold/authorizer'
import { starterFiles } from '@freehold/designs/authorization/policies'
import { localEngine, schemaFile } from '@freehold/frame/cedar'
import { type Sender, senderOf } from '@freehold/table/runtime'
import type { Package } from './bundle.js'
import { type Scene, secret } from './scene.js'

const requests = 500

/** A request to a function that has its roles in memory: its round trips to DynamoDB, and how long it takes with the embedded engine, in microseconds. */
export async function warmRequest(
  { folder }: Package,
  { endpoint, event }: Scene,
): Promise<{ readonly roundTrips: number; readonly median_us: number }> {
  const sender = senderOf({ endpoint })
  const count = { sent: 0 }
  const counting: Sender = {
    send: (operation, input, options) => {
      count.sent += 1
      return sender.send(operation, input, options)
    },
    close: () => {},
  }
  try {
    const cedar = Object.entries(starterFiles).filter(([name]) => name.endsWith('.cedar'))
    const authorizer = openAuthorizer({
      map: readAuthorizerMap(await readFile(join(folder, 'authorizer.yaml'), 'utf8')),
      policies: await localEngine({ policies: new Map(cedar), schema: starterFiles[schemaFile] ?? '' }),
      ...{ sender: counting, secret, log: () => {} },
    })
    const handle = lambdaAuthorizer(authorizer)
    const took: number[] = []
    for (let request = 0; request < requests; request += 1) {
      if (request === 1) count.sent = 0
      const begin_ms = performance.now()
      const answer = await handle(event)
      took.push((performance.now() - begin_ms) * 1000)
      if (!('isAuthorized' in answer && answer.isAuthorized)) throw new Error('The request is not allowed.')
    }
    const median_us = took.sort((one, other) => one - other)[Math.floor(requests / 2)] ?? Number.NaN
    return { roundTrips: count.sent / (requests - 1), median_us }
  } finally {
    sender.close()
  }
}
