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

test('variables of a Service of Kubernetes with our name set nothing', () => {
  // See "Service", section "Environment variables", in the documentation of Kubernetes.
  const injected = {
    FREEHOLD_SERVICE_HOST: '10.0.0.11',
    FREEHOLD_SERVICE_PORT: '3000',
    FREEHOLD_SERVICE_PORT_HTTP: '3000',
    FREEHOLD_PORT: 'tcp://10.0.0.11:3000',
    FREEHOLD_PORT_3000_TCP: 'tcp://10.0.0.11:3000',
    FREEHOLD_PORT_3000_TCP_PROTO: 'tcp',
    FREEHOLD_PORT_3000_TCP_PORT: '3000',
    FREEHOLD_PORT_3000_TCP_ADDR: '10.0.0.11',
  }
  for (const [name, value] of Object.entries(injected)) vi.stubEnv(name, value)
  const read = readEnvironment()
  expect(Object.keys(injected).filter((name) => name in read)).toEqual([])
  vi.stubEnv('FREEHOLD_PORT', '8080')
  vi.stubEnv('FREEHOLD_PORTS', '1')
  expect(readEnvironment()).toMatchObject({ FREEHOLD_PORT: '8080', FREEHOLD_PORTS: '1' })
})
