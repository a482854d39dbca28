import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { findEngine } from './binary.ts'

test('the engine is found in the package of this platform, in the version that the errors name', () => {
  expect(spawnSync(findEngine({}), ['--version'], { encoding: 'utf8' }).stdout).toBe('dynoxide 1.2.1\n')
})

test('DYNOXIDE_BIN goes before the package', () => {
  expect(findEngine({ DYNOXIDE_BIN: process.execPath })).toBe(process.execPath)
})

test.each(['/no/such/binary', import.meta.dirname, import.meta.filename])('DYNOXIDE_BIN=%s is refused: it is no program', (path) => {
  expect(() => findEngine({ DYNOXIDE_BIN: path })).toThrow(
    expect.objectContaining({ code: 'Unavailable', message: expect.stringContaining(`DYNOXIDE_BIN names ${path}`) }),
  )
})

test('on a platform whose package is not installed, the error says what to add or to set', () => {
  const call = (): string => findEngine({}, { platform: 'plan9', arch: 'mips' })
  expect(call).toThrow(expect.objectContaining({ code: 'Unavailable', details: { package: '@dynoxide/plan9-mips' } }))
  expect(call).toThrow(/npm install @dynoxide\/plan9-mips@1\.2\.1.*DYNOXIDE_BIN.*DYNAMODB_ENDPOINT/)
})
