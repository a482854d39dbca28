import { type AnyDesign, connect, type ErrorCode } from '@freehold/table'
import { ensureTable, errorCodes } from '@freehold/table/runtime'
import { expect } from 'vitest'
import { freehold, freshTable } from '../../packages/cli/test/recorded-shell.ts'
import { engineSender } from '../engine/endpoint.ts'
import type { Face, Outcome, Values } from './face.ts'
import { outcomeOf } from './library.ts'

/** The exit codes of docs/reference/command.md. */
function exitOf(code: ErrorCode): number {
  return ['missing', 'conflict', 'denied'].includes(errorCodes[code]) ? 1 : 2
}

/** The error that a command told of. */
function errorOf(exit: number, out: string, err: string): Outcome {
  const { error }: { readonly error: { readonly code: ErrorCode; readonly message: string } } = JSON.parse(err)
  expect({ exit, out, message: error.message }).toEqual({ exit: exitOf(error.code), out: '', message: expect.stringMatching(/\.$/) })
  return { code: error.code }
}

/** The command `freehold`, with `--json`, on a table of its own. */
export function command(ofDesign: AnyDesign): Face {
  const { name: design } = ofDesign
  const table = freshTable()
  const open = connect(ofDesign, { table, sender: engineSender() })

  async function run(verb: string, ...operands: readonly string[]): Promise<Outcome> {
    const { exit, out, err } = await freehold([verb, design, ...operands, '--table', table, '--json'])
    if (exit === 0) {
      expect(err).toBe('')
      return { item: JSON.parse(out) }
    }
    return errorOf(exit, out, err)
  }

  const json = (...values: readonly Values[]) => values.map((value) => JSON.stringify(value))
  return {
    create: (entity, input) => run('create', entity, ...json(input)),
    get: (entity, id) => run('get', entity, ...json(id)),
    update: (entity, id, change) => run('update', entity, ...json({ ...id, ...change })),
    move: (entity, id, change) => run('move', entity, ...json(id, change)),
    remove: async (entity, id) => {
      const { item, ...outcome } = await run('remove', entity, ...json(id))
      expect(item).toEqual(outcome.code === undefined ? { removed: true } : undefined)
      return outcome
    },
    query: async (pattern, parameters) => {
      const { exit, out, err } = await freehold(['query', design, pattern, JSON.stringify(parameters), '--table', table, '--json', '--all'])
      expect({ exit, err }).toEqual({ exit: 0, err: '' })
      const page: { readonly items: readonly Values[] } = JSON.parse(out)
      return page.items
    },
    flow: async (name, input, as) => {
      const user = as === undefined ? [] : ['--as', as]
      const { exit, out, err } = await freehold(['do', design, name, JSON.stringify(input), '--table', table, '--json', ...user])
      if (exit !== 0) return errorOf(exit, out, err)
      expect(err).toBe('')
      const lines: Values[] = out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
      const [first] = lines
      if (lines.length > 1) return { items: lines }
      return first?.done === true || first === undefined ? {} : { item: first }
    },
    seed: async (entity, input) => {
      await ensureTable(open.runtime)
      return outcomeOf(() => open.repositoryNamed(entity).create(input))
    },
    close: () => open.close(),
  }
}
