import { designModules } from '@freehold/designs'
import { type DesignModule, describeModule, folderOf, moduleCosts } from '@freehold/frame'
import type { FlowCost } from '@freehold/frame/flow'
import { type AnyDesign, connect } from '@freehold/table'
import { beforeAll, describe, expect, test } from 'vitest'
import { docs, pageAt, sectionOf } from './pages.ts'

// `npm run docs` writes these pages.

const folder = 'docs/designs/'
const designs = [...designModules.values()].map((module) => ({ name: module.design.name, module }))

test('every design has its page, and no page is of something else', () => {
  const paths = docs().flatMap(({ path }) => (path.startsWith(folder) ? [path] : []))
  expect(paths.sort()).toEqual(designs.map(({ name }) => `${folder}${name}.md`).sort())
})

/** The largest number of round trips of a flow that writes once. A job, and work around a write, take more for more items. */
const roundTripsMax = { operator: 4, user: 6, 'identity-provider': 4, session: 3 } as const

describe.each(designs)('the page of $name', ({ name, module }) => {
  let costs: readonly FlowCost[]
  beforeAll(async () => {
    costs = await moduleCosts(module)
  })

  test('is what `freehold docs` prints', () => {
    expect(pageAt(`${folder}${name}.md`).text).toBe(describeModule(module, costs))
  })

  test('tells of each flow that writes once few round trips', () => {
    const over = costs.filter(({ flow, caller, roundTrips, writes }) => {
      // A sweep looks at the items of all.
      return flow !== 'sweep' && writes <= 1 && roundTrips > roundTripsMax[flow === 'createSession' ? 'session' : caller]
    })
    expect(over).toEqual([])
  })
})

const rows = sectionOf(pageAt('docs/README.md'), '## Which design has what')
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
const [heads = [], , ...needs] = rows

test('the table of the start page has a column for each design, and names what is there', () => {
  expect(heads.slice(1)).toEqual(designs.map(({ name }) => name))
  for (const [at, { module }] of designs.entries()) {
    const { entities } = module.design
    const attributes = Object.values(entities).flatMap((entity) => Object.keys(entity.attributes))
    const questions = hasSnapshots(module) ? ['access'] : []
    const flows = module.flows?.describe(module.design).map(({ name }) => name) ?? []
    const there = new Set([...Object.keys(entities), ...attributes, ...questions, ...flows])
    const named = needs.flatMap((cells) => [...(cells[at + 1] ?? '').matchAll(/`(\w+)`/g)].map(([, name = '']) => name))
    expect(named.length).toBeGreaterThan(2)
    expect(named.filter((name) => !there.has(name))).toEqual([])
  }
})

/** True for a design whose decider takes snapshots of access. */
function hasSnapshots({ design, decider }: DesignModule): boolean {
  const made = decider?.(connect<AnyDesign>(design, { dynamo: { endpoint: 'http://127.0.0.1:9' } }).runtime)
  return made !== undefined && 'access' in made
}

test.each([
  { need: 'a snapshot of access for a browser', has: hasSnapshots },
  { need: 'Cedar policies', has: (module: DesignModule) => folderOf(module) !== undefined },
])('the table says no of $need where a design has none', ({ need, has }) => {
  const cells = needs.find(([name]) => name === need)?.slice(1) ?? []
  expect(cells.map((cell) => cell !== 'no')).toEqual(designs.map(({ module }) => has(module)))
})
