import { afterAll, afterEach, expect } from 'vitest'
import { takeBroken } from './checked-sender.ts'
import { endEngine, startEngine } from './endpoint.ts'

await startEngine()

/** The engine takes more than DynamoDB at AWS. */
const noneBroken = () => expect(takeBroken()).toEqual([])
afterEach(noneBroken)
afterAll(async () => {
  await endEngine()
  noneBroken()
})
