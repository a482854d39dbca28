import { execFile } from 'node:child_process'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { bundle } from '../../../../test/bundle.js'
import { freshFolder } from '../../test/processes.ts'
import { readSecret } from './secret.ts'

test('FREEHOLD_SECRET is the secret, and no file is made', () => {
  const directory = freshFolder()
  expect(readSecret({ secret: '0123456789abcdef' }, directory)).toBe('0123456789abcdef')
  expect(() => statSync(directory)).toThrow('ENOENT')
})

test('a FREEHOLD_SECRET of 15 characters is refused, without being repeated', () => {
  const call = (): string => readSecret({ secret: '0123456789abcde' }, undefined)
  expect(call).toThrow(expect.objectContaining({ code: 'InvalidInput', message: expect.not.stringContaining('0123') }))
})

test('a secret is made once, of 32 bytes, in a file that only its owner may read', () => {
  const directory = freshFolder()
  const secret = readSecret({}, directory)
  expect(Buffer.from(secret, 'base64url')).toHaveLength(32)
  expect(readSecret({}, directory)).toBe(secret)
  expect(statSync(join(directory, 'secret')).mode & 0o777).toBe(0o600)
  expect(statSync(directory).mode & 0o777).toBe(0o700)
  expect(readFileSync(join(directory, '.gitignore'), 'utf8')).toBe('*\n')
  expect(readSecret({}, freshFolder())).not.toBe(secret)
})

test('without a data folder each secret is new', () => {
  expect(readSecret({}, undefined)).not.toBe(readSecret({}, undefined))
})

test('a damaged secret file is refused, and kept', () => {
  const directory = freshFolder()
  readSecret({}, directory)
  writeFileSync(join(directory, 'secret'), 'short\n')
  expect(() => readSecret({}, directory)).toThrow(expect.objectContaining({ code: 'InvalidInput' }))
  expect(readFileSync(join(directory, 'secret'), 'utf8')).toBe('short\n')
})

test('processes that make it at once end with the same', async () => {
  const directory = freshFolder()
  const module = await bundle(join(import.meta.dirname, 'secret.ts'))
  const script = `const { readSecret } = await import(${JSON.stringify(module)}); console.log(readSecret({}, ${JSON.stringify(directory)}))`
  const run = promisify(execFile)
  const runs = await Promise.all(Array.from({ length: 6 }, () => run(process.execPath, ['--input-type=module', '-e', script])))
  expect(new Set(runs.map(({ stdout }) => stdout.trim()))).toEqual(new Set([readSecret({}, directory)]))
})
