import { designModules } from '@freehold/designs'
import type { AnyDesign } from '@freehold/table'
import { expect } from 'vitest'
import { type Called, startServiceOf } from '../../packages/service/test/serving.ts'
import { allPages } from './all-pages.ts'
import type { Face, Outcome, Values } from './face.ts'
import { outcomeOf as ofProgram } from './library.ts'

/** The statuses of docs/reference/errors.md, of the errors that are met here. */
const statusOf: Readonly<Record<string, number>> = {
  InvalidInput: 400,
  InvalidKey: 400,
  Denied: 403,
  NotFound: 404,
  AlreadyExists: 409,
  MissingEnd: 409,
  InUse: 409,
  DerivedItem: 409,
  Immutable: 409,
  VersionConflict: 409,
}

function parametersOf(values: Values): string {
  return new URLSearchParams(Object.entries(values).map(([name, value]): [string, string] => [name, String(value)])).toString()
}

/** The service's routes of a design. */
export async function http(design: AnyDesign): Promise<Face> {
  const service = await startServiceOf(design, { module: { ...designModules.get(design.name), design } })
  const at = (entity: string, id?: Values) => `/v1/${design.name}/entities/${entity}${id === undefined ? '' : `?${parametersOf(id)}`}`

  /** An item as the other faces tell it: over HTTP one with an attribute `type` has no `Type` beside. */
  const named = (item: Values): Values => {
    const entity = typeof item.entity === 'string' ? design.entities[item.entity] : undefined
    if (item.Type !== undefined || entity === undefined) return item
    expect(Object.keys(entity.attributes)).toContain('type')
    const { entity: Type, ...others } = item
    return { Type, ...others }
  }

  function outcomeOf({ status, body }: Called, done: number): Outcome {
    if (status === done) return status === 204 ? {} : { item: named(body) }
    const code = String(body.code)
    expect({ code, status, detail: body.detail }).toEqual({ code, status: statusOf[code], detail: expect.stringMatching(/\.$/) })
    return { code }
  }

  /** The address that an answer names is the item's. */
  async function checkLocation({ status, headers, body }: Called): Promise<void> {
    if (status >= 300) return
    const found = await service.call('GET', headers.get('location') ?? '')
    expect(found).toMatchObject({ status: 200, body })
    expect(found.headers.get('etag')).toBe(`"${body.version}"`)
  }

  return {
    create: async (entity, input) => {
      const answer = await service.call('POST', at(entity), input)
      await checkLocation(answer)
      return outcomeOf(answer, 201)
    },
    get: async (entity, id) => outcomeOf(await service.call('GET', at(entity, id)), 200),
    update: async (entity, id, change) => outcomeOf(await service.call('PATCH', at(entity, id), change), 200),
    move: async (entity, id, change) => {
      const answer = await service.call('POST', at(`${entity}/move`, id), change)
      await checkLocation(answer)
      return outcomeOf(answer, 200)
    },
    remove: async (entity, id) => outcomeOf(await service.call('DELETE', at(entity, id)), 204),
    query: async (pattern, parameters) => {
      const items: Values[] = []
      let cursor: unknown
      do {
        const page = { ...parameters, limit: 1000, ...(cursor === undefined ? {} : { cursor }) }
        const { status, body } = await service.call('POST', `/v1/${design.name}/patterns/${pattern}`, page)
        expect({ status, malformed: body.malformed }).toEqual({ status: 200 })
        // A page of the service has them, each an object.
        items.push(...(body.items as readonly Values[]).map(named))
        cursor = body.cursor
      } while (cursor !== undefined)
      return items
    },
    flow: async (name, input, as) => {
      const run = async (more: Values = {}) => {
        const answer = await service.call('POST', `/v1/${design.name}/flows/${name}`, {
          ...input,
          ...more,
          ...(as === undefined ? {} : { as }),
        })
        return outcomeOf(answer, answer.status === 204 ? 204 : 200)
      }
      return allPages(await run(), (cursor) => run({ cursor }))
    },
    seed: (entity, input) => ofProgram(() => service.table.repositoryNamed(entity).create(input)),
    close: () => {},
  }
}
