import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { designModules } from '@freehold/designs'
import { expect, test } from 'vitest'
import { sources } from '../sources.ts'
import { pageAt, root } from './pages.ts'

const { text } = pageAt('ARCHITECTURE.md')
const paths = sources().map(({ path }) => path)

test('each file that ARCHITECTURE.md names is there', () => {
  const named = [...text.matchAll(/`([\w/-]+\.ts)`/g)].map(([, name = '']) => name)
  expect(named.length).toBeGreaterThan(50)
  expect(named.filter((name) => !existsSync(join(root, name)) && !paths.some((path) => path.endsWith(`/${name}`)))).toEqual([])
})

test('ARCHITECTURE.md names each folder of the sources', () => {
  const folders = paths.flatMap((path) => /^packages\/\w+\/src\/([\w-]+)\//.exec(path)?.[1] ?? [])
  const unnamed = [...new Set(folders)].filter((folder) => !designModules.has(folder) && !text.includes(`src/${folder}/`))
  expect(unnamed).toEqual([])
})
