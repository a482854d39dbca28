import { execFile } from 'node:child_process'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { endpoint } from '../engine/endpoint.ts'
import { temporaryFolder } from '../folders/temporary-folder.ts'
import { blocksOf, docs } from './pages.ts'

// The guide is followed by a stranger, in a folder of nothing else, while programs of the first version write.

const bin = join(import.meta.dirname, '..', '..', 'packages', 'cli', 'bin', 'freehold.js')
const shopId = '01ARZ3NDEKTSV4RRFFQ69G5FAV'

test('a shop comes from its first version to its second beside live traffic, without a line of migration code', async () => {
  const page = docs().find(({ path }) => path === 'docs/guides/changing.md')
  const blocks = page === undefined ? [] : blocksOf(page)
  const [first = [], told = [], beside = [], both = [], ended = []] = blocks
    .filter(({ language }) => language === 'sh')
    .map(({ text }) => text.split('\n').filter((line) => line !== ''))
  const [product = '', pattern = ''] = blocks.filter(({ language }) => language === 'ts').map(({ text }) => text)
  const folder = temporaryFolder()
  const freehold = (line: string): Promise<string> => {
    const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '').slice(1)
    const env = { PATH: process.env.PATH, DYNAMODB_ENDPOINT: endpoint }
    return new Promise((resolve, reject) =>
      execFile(process.execPath, [bin, ...words], { cwd: folder, env }, (error, out, err) =>
        error === null ? resolve(out) : reject(new Error(`${line}: ${out}${err}`)),
      ),
    )
  }
  const all = async (lines: readonly string[]) => {
    const printed: string[] = []
    for (const line of lines) printed.push(await freehold(line))
    return printed
  }
  await all(first)
  const path = join(folder, 'shop.ts')
  copyFileSync(path, join(folder, 'first.ts'))
  const source = readFileSync(path, 'utf8')
    .replace(/export const Product = entity\('Product'[\s\S]*?\n\}\)\n/, `${product.trim()}\n`)
    .replace('  noIndexes: true,\n', '')
    .replace('    productsOfShop:', `${pattern.trimEnd()}\n    productsOfShop:`)
    .replace("given: ['shopId', 'name', 'price_cents']", "given: ['shopId', 'title', 'price_cents']")
    .replace('query, stamp,', 'query, queryOn, stamp,')
  writeFileSync(path, source)

  const [differences = ''] = await all(told)
  expect(differences).toContain('needs a backfill: entities.Product.attributes.title')
  expect(differences).not.toContain('breaking')
  // `--dry-run` exits with 1, since there is something to do.
  await expect(freehold(beside[0] ?? '')).rejects.toThrow('The index GSI1 is added')
  const sells = (name: string) =>
    freehold(`freehold create --design ./first.ts Product '${JSON.stringify({ shopId, name, price_cents: 1 })}'`)
  await Promise.all([freehold(beside[1] ?? '').catch(() => 'the traffic was faster'), sells('Coffee'), sells('Cocoa')])
  await sells('Milk')
  expect((await all(both))[1]).toMatch(/title\s+Green tea/)
  const [, listed = ''] = await all(ended)
  expect(['Cocoa', 'Coffee', 'Green tea', 'Milk'].map((title) => listed.indexOf(title) > 0)).toEqual([true, true, true, true])
})
