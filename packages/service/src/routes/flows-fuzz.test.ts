import { designModules } from '@freehold/designs'
import { accountManagement } from '@freehold/designs/account-management'
import type { InputDescription } from '@freehold/frame/flow'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { deep } from '../../../../test/properties/depth.ts'
import { hostileValue } from '../../test/hostile-request.ts'
import { startServiceOf } from '../../test/serving.ts'

const { flows } = designModules.get('account-management') ?? {}
const described = flows?.describe(accountManagement) ?? []

const ids: string[] = ['0b8f1c8e-6d0f-4e0e-9a53-3f5b9f0c2a11']
const service = await startServiceOf(accountManagement, { ...(flows === undefined ? {} : { module: { flows } }) })
const { table } = service
for (const name of ['Acme', 'Other']) {
  const { id: client_id } = await table.Client.create({ name })
  const project = await table.Project.create({ client_id, name })
  const building = await table.Building.create({ project_id: project.id, name })
  const role = await table.Role.create({ client_id, name: 'opener' })
  const user = await table.User.create({ client_id, email: `ada@${name}.example`, user_type: 'client_admin' })
  const scope = { scope_type: 'client', scope_id: client_id } as const
  await table.UserRoleAssignment.create({ ...scope, user_id: user.id, role_id: role.id, role_owner: client_id })
  ids.push(client_id, project.id, building.id, role.id, user.id)
}
ids.push((await table.Permission.create({ module: 'a', action: 'b', resource: 'c' })).id, 'ada@acme.example')

/** Mostly what the input takes: one of its values, the id of something that is there, whatever it is. */
function inputValue({ kind, values = [] }: InputDescription): fc.Arbitrary<unknown> {
  const fitting = kind === 'uuid' ? ids : kind === 'enum' ? values : ['Ann', 'ada@example.org', 1, true, '2030-01-01T00:00:00.000Z', []]
  return fc.oneof({ weight: 9, arbitrary: fc.constantFrom<unknown>(...fitting) }, { weight: 1, arbitrary: hostileValue(ids) })
}

/** There as often as not, or almost always. */
const perhaps = (value: fc.Arbitrary<unknown>, required = false) =>
  fc.oneof({ weight: required ? 20 : 1, arbitrary: value }, { weight: 1, arbitrary: fc.constant(undefined) })

const call = fc.constantFrom(...described).chain(({ name, input }) => {
  const inputs = Object.fromEntries(input.map((each) => [each.name, perhaps(inputValue(each), each.required)]))
  return fc.record({ ...inputs, as: perhaps(fc.constantFrom<unknown>(...ids, null, '*')) }).map((body) => ({ name, body }))
})

test('no input of any flow makes the service fail, and no answer tells of its insides', async () => {
  const statuses = new Set<number>()
  await fc.assert(
    fc.asyncProperty(call, async ({ name, body }) => {
      const { status, body: answer } = await service.call('POST', `/v1/account-management/flows/${name}`, body)
      statuses.add(status)
      const told = JSON.stringify(answer)
      // Nothing but what is to be tried again.
      if (status >= 500) expect({ name, body, answer }).toMatchObject({ answer: { status: 503, code: 'Busy' } })
      expect(told).not.toMatch(/\.(ts|js|mjs):\d+|node_modules|TypeError|RangeError|SyntaxError/)
    }),
    { numRuns: deep(250) },
  )
  expect(service.lines.filter(({ fault }) => fault !== undefined)).toEqual([])
  expect([...statuses]).toEqual(expect.arrayContaining([200, 400, 403, 404]))
})
