import { describe, expect, test } from 'vitest'
import { createClient } from './client.ts'
import type { ClientOptions } from './client-options.ts'
import { HttpHandler } from './http-handler.ts'

const configOf = (options: ClientOptions) => createClient(options, new HttpHandler(1)).config
const own = { accessKeyId: 'mine', secretAccessKey: 'secret' }

describe('a client', () => {
  test.each(['http://127.0.0.1:8000', 'http://dynamodb:8000', 'https://amazonaws.com.example.org'])(
    'needs neither region nor credentials at %s',
    async (endpoint) => {
      const config = configOf({ endpoint })
      expect(await config.region()).toBe('us-east-1')
      expect(await config.credentials()).toMatchObject({ accessKeyId: 'local', secretAccessKey: 'local' })
    },
  )

  test('takes the region and credentials that it is given', async () => {
    const config = configOf({ endpoint: 'http://127.0.0.1:8000', region: 'eu-central-1', credentials: own })
    expect(await config.region()).toBe('eu-central-1')
    expect(await config.credentials()).toMatchObject(own)
  })

  test("invents no credentials for AWS's own endpoints", () => {
    const names = ['https://dynamodb.eu-central-1.amazonaws.com', 'https://vpce-1.dynamodb.eu-central-1.vpce.amazonaws.com', undefined]
    for (const endpoint of names) {
      const config = configOf({ ...(endpoint === undefined ? {} : { endpoint }), region: 'eu-central-1' })
      // The SDK marks what it was given in code; what is not so marked comes from its own chain, which is not asked here.
      expect(config.credentials.memoized).toBe(true)
      expect(config.credentials.attributed).not.toBe(true)
    }
  })
})
