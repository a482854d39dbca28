import { randomUUID } from 'node:crypto'
import type { OfferedFlows } from '@freehold/frame/flow'
import { createService, openKeys, serveOnNode } from '@freehold/service'
import type { AnyDesign } from '@freehold/table'
import { loadProperty } from '../../packages/cli/src/sample/load-property.ts'
import { sampleQuestions } from '../../packages/cli/src/sample/load-samples.ts'
import { loadTickets, withStarterPolicies } from '../../packages/cli/src/sample/load-tickets.ts'
import { shopModule } from '../../packages/cli/starter/shop.ts'
import { accountManagementModule } from '../../packages/designs/src/account-management/index.ts'
import { authorizationModule } from '../../packages/designs/src/authorization/index.ts'
import { platformModule } from '../../packages/designs/src/platform/index.ts'
import { engineSender } from '../engine/endpoint.ts'
import { ownTableOf } from '../engine/own-table.ts'
import { libraryModule } from '../library/index.ts'
import { builtConsole } from './built.ts'

/** Names that would run, turn the line around, be taken for others, or never end. */
export const hostile = [
  '<img src=x onerror="window.ran=1">',
  '"><script>window.ran=1</script>',
  'javascript:window.ran=1',
  '\u202eevil\u202d name',
  'Аdа', // Cyrillic letters that look like Latin ones.
  'x'.repeat(1_000),
  '2025-99-99T99:99Z', // Looks like an instant.
] as const

/** A service with its console on finished designs, the fifth, and the example of `freehold init`. */
export async function servedConsole() {
  await builtConsole()
  const sender = engineSender()
  const open = async <D extends AnyDesign>({
    design,
    flows,
  }: {
    readonly design: D
    readonly flows?: Pick<OfferedFlows, 'jobHandlers'>
  }) => {
    const handlers = flows === undefined ? {} : { jobHandlers: flows.jobHandlers }
    const table = await ownTableOf(design, { sender, ...handlers })
    return table
  }
  const [property, library, shop, platform, tickets] = [
    await open(accountManagementModule),
    await open(libraryModule),
    await open(shopModule),
    await open(platformModule),
    await open(authorizationModule),
  ]
  await loadProperty(property)
  await loadTickets(tickets)
  const branch = await library.Branch.create({ name: 'North' })
  const member = await library.Member.create({ name: 'Ada', email: 'ada@example.org' })
  const clerk = await library.Member.create({ name: 'Bob', email: 'bob@example.org' })
  await library.Post.create({ member_id: member.id, branch_id: branch.id, role: 'librarian' })
  await library.Post.create({ member_id: clerk.id, branch_id: branch.id, role: 'clerk', until: '2020-01-01' })
  for (const title of hostile) await library.Book.create({ branch_id: branch.id, title, on_shelf: 1 })
  for (let count = 0; count < 60; count++) await library.Book.create({ branch_id: branch.id, title: `Volume ${count}`, on_shelf: 1 })
  const keys = await openKeys({ sender, table: `keys-${randomUUID()}` })
  const tables = new Map([
    ['account-management', { module: accountManagementModule, table: property }],
    ['library', { module: libraryModule, table: library }],
    ['shop', { module: shopModule, table: shop }],
    ['platform', { module: platformModule, table: platform }],
    ['authorization', { module: await withStarterPolicies(authorizationModule), table: tickets }],
  ])
  const pages = { viewer: async () => '', questions: sampleQuestions }
  const serving = await serveOnNode(createService({ tables, keys, log: () => undefined, pages }), { port: 0, grace_ms: 0 })
  const operator = await keys.newKey('operator')
  return {
    address: serving.address,
    keys,
    operator,
    link: async () => `${serving.address}/console/#open=${(await keys.sessions.newLink(operator.keyId)).text}`,
    ids: { branch: branch.id, member: member.id, clerk: clerk.id },
    shop,
    property,
    library,
    platform,
    close: async () => {
      await serving.close()
    },
  }
}
