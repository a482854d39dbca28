import { afterEach, expect, test, vi } from 'vitest'
import { readEnvironment } from './environment.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

test('the environment is read afresh, and an empty variable counts as absent', () => {
  vi.stubEnv('DYNAMODB_ENDPOINT', 'http://127.0.0.1:8000')
  vi.stubEnv('FREEHOLD_SECRET', '')
  expect(readEnvironment()).toMatchObject({ DYNAMODB_ENDPOINT: 'http://127.0.0.1:8000' })
  expect(readEnvironment()).not.toHaveProperty('FREEHOLD_SECRET')
  vi.stubEnv('DYNAMODB_ENDPOINT', undefined)
  expect(readEnvironment()).not.toHaveProperty('DYNAMODB_ENDPOINT')
})
