import { afterAll } from 'vitest'
import { endEngine, startEngine } from './endpoint.ts'

await startEngine()
afterAll(endEngine)
