import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

// No container engine is at hand here, so this holds what can be seen without one.

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const dockerfile = read('Dockerfile')
const admitted = read('.dockerignore')
  .split('\n')
  .flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []))

test('the images are made of a Node that the packages run on', () => {
  const versions = [...dockerfile.matchAll(/^FROM node:(\d+)/gm)].map(([, major]) => Number(major))
  expect(versions.length).toBe(2)
  for (const major of versions) expect(major).toBeGreaterThanOrEqual(22)
})

test('what the build needs is let in, and nothing else', () => {
  const { workspaces, scripts } = JSON.parse(read('package.json'))
  expect(scripts.build).toBe('tsc -b && vite build packages/console')
  const references = JSON.parse(read('tsconfig.json')).references.map(({ path }: { path: string }) => path)
  for (const path of [...workspaces, ...references]) expect(path).toMatch(/^packages\/[a-z]+$/)
  expect(admitted.sort()).toEqual(['package-lock.json', 'package.json', 'packages', 'tsconfig.base.json', 'tsconfig.json'])
  for (const path of admitted) expect(existsSync(join(root, path))).toBe(true)
})

test('they start the command', () => {
  expect(dockerfile).toContain('"/freehold/packages/cli/bin/freehold.js"')
  expect(existsSync(join(root, 'packages/cli/bin/freehold.js'))).toBe(true)
})
