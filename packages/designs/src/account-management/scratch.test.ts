import { prove, without } from '@freehold/table'
import { test } from 'vitest'
import { ownTableOf } from '../../test/own-table.ts'
import { wholeTable } from '../../test/whole-table.ts'
import { accountManagement } from './design.ts'
const log = (...a: unknown[]) => console.log(...a)
const tryIt = async (name: string, f: () => Promise<unknown>) => { try { log(name, await f()) } catch (e) { log(name, 'ERR', (e as any).code, (e as any).message) } }
test('x', async () => {
  const p = prove(accountManagement)
  log(p.isProven, p.findings)
  for (const f of ['devices','audit','tokens','sessions'] as const) { const w = prove(without(accountManagement, f)); log(f, w.isProven, w.findings, w.patterns.length) }
  log(p.patterns.map(({name,request,returns,addition}) => [name, request, returns.join(), addition].join(' | ')).join('\n'))
  log(p.partitions.filter(x => x.heat === 'hot'))
  const t = await ownTableOf(accountManagement)
  const c1 = await t.Client.create({ name: 'A' })
  const c2 = await t.Client.create({ name: 'B' })
  const p1 = await t.Project.create({ client_id: c1.id, name: 'P1' })
  const p1b = await t.Project.create({ client_id: c1.id, name: 'P1b' })
  const p2 = await t.Project.create({ client_id: c2.id, name: 'P2' })
  const b = await t.Building.create({ project_id: p1.id, name: 'B' })
  const u = await t.User.create({ client_id: c1.id, email: 'a@b.c', user_type: 'client_admin' })
  const r = await t.Role.create({ client_id: c1.id, name: 'R' })
  await tryIt('assign', () => t.UserRoleAssignment.create({ user_id: u.id, role_id: r.id, role_owner: c1.id, scope_type: 'building', scope_id: b.id }))
  await tryIt('upper owner', () => t.UserRoleAssignment.create({ user_id: u.id, role_id: r.id, role_owner: c1.id.toUpperCase(), scope_type: 'project', scope_id: p1.id }))
  await tryIt('move building within', () => t.Building.move({ project_id: p1.id, id: b.id }, { project_id: p1b.id }))
  await tryIt('move building to other client', () => t.Building.move({ project_id: p1b.id, id: b.id }, { project_id: p2.id }))
  await tryIt('move project to other client', () => t.Project.move({ client_id: c1.id, id: p1.id }, { client_id: c2.id }))
  await tryIt('user client', () => t.User.update({ id: u.id }, { client_id: c2.id }))
  await tryIt('role remove', () => t.Role.remove({ client_id: c1.id, id: r.id }))
  for (const i of (await wholeTable(t)).filter(i => i.Type !== 'Client')) log(JSON.stringify(i))
  await tryIt('client remove', () => t.Client.remove({ id: c1.id }))
  await tryIt('client remove', () => t.Client.remove({ id: c2.id }))
  for (const i of await wholeTable(t)) log(JSON.stringify(i))
})
