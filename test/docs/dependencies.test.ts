import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { pageAt, root } from './pages.ts'

interface Manifest {
  readonly license?: string
  readonly version?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly scripts?: Readonly<Record<string, string>>
}

function manifestAt(path: string): Manifest {
  return JSON.parse(readFileSync(join(root, path), 'utf8'))
}

const manifests = [
  'package.json',
  'bench/package.json',
  ...readdirSync(join(root, 'packages')).map((name) => `packages/${name}/package.json`),
]
const wanted = new Map(
  manifests.flatMap((path) => {
    const { dependencies = {}, optionalDependencies = {}, devDependencies = {} } = manifestAt(path)
    return Object.entries({ ...dependencies, ...optionalDependencies, ...devDependencies }).filter(
      ([name]) => !name.startsWith('@freehold/'),
    )
  }),
)

const rows = [...pageAt('docs/decisions/dependencies.md').text.matchAll(/^\| `([^`]+)` ([^|]+) \| ([^|]+) \|/gm)].map(
  ([, name = '', version = '', licence = '']) => ({ name, version: version.trim(), licence: licence.trim() }),
)

test('the page lists every dependency with its version, and no other', () => {
  expect(Object.fromEntries(rows.map(({ name, version }) => [name, version]))).toEqual(Object.fromEntries(wanted))
  expect(rows.length).toBe(wanted.size)
})

// Those of bench/ are installed by `npm run bench` only.
const installed = rows.filter(({ name }) => existsSync(join(root, 'node_modules', name, 'package.json')))

/**
 * Packages whose install script is not needed: it looks for the binary of the platform, which is an optional package of its own, and builds one
 * only where there is none. npm runs no script of a dependency unless it is told to, and these work without.
 */
const needless = ['lmdb', 'msgpackr-extract']

describe.each(installed)('$name', ({ name, licence }) => {
  const manifest = manifestAt(`node_modules/${name}/package.json`)

  test('has the licence that the page says', () => {
    expect(manifest.license?.replace(/[()]/g, '')).toBe(licence)
  })

  test.skipIf(needless.includes(name))('runs nothing when it is installed', () => {
    const scripts = Object.keys(manifest.scripts ?? {})
    expect(scripts.filter((script) => ['preinstall', 'install', 'postinstall'].includes(script))).toEqual([])
  })
})

test('all are pinned exactly', () => {
  expect([...wanted].filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([])
})

test.each(['package-lock.json', 'bench/package-lock.json'])('nothing in %s runs anything when it is installed', (path) => {
  const lock: { packages: Record<string, { hasInstallScript?: boolean }> } = JSON.parse(readFileSync(join(root, path), 'utf8'))
  const running = Object.keys(lock.packages).filter((name) => lock.packages[name]?.hasInstallScript === true)
  expect(running.filter((path) => !needless.some((name) => path === `node_modules/${name}`))).toEqual([])
})
