import { join } from 'node:path'
import { testTable } from '@freehold/table/testing'
import { describe, expect, test } from 'vitest'
import { fair, fairWithoutNotes, isRefusal, losing, published, refused, visited } from '../../docs/concepts/example-language.ts'
import { engineSender } from '../engine/endpoint.ts'
import { functionsOf, functionTable } from './function-pages.ts'
import { root } from './pages.ts'

// `npm run docs` writes these pages.

interface FunctionPage {
  readonly file: string
  readonly folder: string
  readonly name: string
  readonly title: string
  readonly about: string
  /** Each face with what it is for. */
  readonly faces: Readonly<Record<string, string>>
  /** The faces of which each function has an example. */
  readonly withExamples: readonly string[]
}

const functionPages: readonly FunctionPage[] = [
  {
    file: 'language.md',
    folder: 'table',
    name: '@freehold/table',
    title: 'The language',
    about: 'Every function of `@freehold/table`. [Writing a design](../concepts/designs.md) explains how they go together.',
    faces: {
      '.': 'Designs, connected tables, transactions, errors',
      './atomic': 'Atomic changes, conditions and filters, sets',
      './prove': 'Proofs of a design',
      './publish': 'The page of a design, the definition of its table, what differs from a former version',
      './testing': 'Tests of a design',
      './runtime': 'Programs that read and write any design',
    },
    withExamples: ['.', './atomic', './prove'],
  },
  {
    file: 'frame.md',
    folder: 'frame',
    name: '@freehold/frame',
    title: 'The frame',
    about:
      'Every function of `@freehold/frame`. [A design of your own](../guides/own-design.md) uses the first of them; the finished designs use the rest.',
    faces: {
      '.': 'A design with its decisions and flows',
      './access': 'Access, declared',
      './flow': 'Flows and durable jobs',
      './decision': 'The parts of deciders',
      './cedar': 'Cedar policies',
      './authzen': 'AuthZEN',
      './exchange': 'Imports and exports',
      './leaving': 'A person leaves',
      './mail': 'Mails',
      './sweep': 'Sweeps, and calendar days',
      './provisioning': 'Many items step by step',
      './attributes': 'Attributes of several designs',
      './secrets': 'Stored secrets and tokens',
      './reading': 'What callers give',
      './snapshot': 'Browsers',
      './gateway': 'Functions behind API Gateway',
    },
    withExamples: ['./access'],
  },
]

async function textOf({ folder, name, title, about, faces }: FunctionPage): Promise<string> {
  const sections: string[] = []
  for (const [face, words] of Object.entries(faces))
    sections.push(`## \`${join(name, face)}\`\n\n${words}.\n\n${await functionTable(folder, name, face)}`)
  return `# ${title}\n\n${about}\n\n${sections.join('\n\n')}\n`
}

describe.each(functionPages)('docs/reference/$file', (page) => {
  test('is as the docstrings and examples are: `npm run docs` writes it', async () => {
    await expect(await textOf(page)).toMatchFileSnapshot(join(root, 'docs/reference', page.file))
  })

  test('has a sentence of each function, and an example where programs begin', async () => {
    for (const face of Object.keys(page.faces)) {
      const all = await functionsOf(page.folder, page.name, face)
      expect(all.filter(({ sentence }) => sentence === '').map((each) => each.name)).toEqual([])
      if (page.withExamples.includes(face)) expect(all.filter(({ example }) => example === undefined).map((each) => each.name)).toEqual([])
    }
  })
})

test('the examples of the language do what their names say', async () => {
  const table = await testTable(fair)
  const visitor = {
    visitorId: 'v1',
    username: 'ada',
    badge: 'gold',
    tickets: 2,
    bonus: [7],
    address: { street: 'High Street', city: 'Leeds' },
  }
  await table.Visitor.create(visitor)
  await table.Area.create({ building: 'east', words: 'The whole building' })
  const { standId } = await table.Stand.create({ building: 'east', floor: 'all', row: 'A' })
  const { items, inLeeds } = await visited(table, 'v1', { row: 'A', standId })
  expect([items.length, inLeeds.items.length]).toEqual([1, 1])
  expect(await table.Visitor.get({ visitorId: 'v1' })).toMatchObject({ bonus: [] })
  expect((await table.standsUntil({ row: 'B', last: standId })).items).toHaveLength(1)
  const { proof, parts, changes, kept } = published()
  expect(parts).toBeGreaterThan(Object.keys(fair.entities).length)
  expect(proof).toContain('fair is proven')
  expect([changes, kept.length > 100]).toEqual([[], true])
  expect(Object.keys(fairWithoutNotes.entities)).not.toContain('Note')
  expect(isRefusal(refused('It is closed.'))).toBe(true)
  expect(losing(engineSender()).log).toEqual([])
})
