import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { codeOf } from '../../test/depot/refused.ts'
import { directSender, noWait } from '../../test/depot/table.ts'
import { code, design, entity, mirror, opaqueId, text } from '../language.ts'
import { connect } from './connect.ts'
import { ensureTable } from './ensure-table.ts'

const Firm = entity('Firm', { attributes: { firm: code() }, key: ['FIRM#{firm}', 'META'] })
const Project = entity('Project', {
  attributes: { project: opaqueId(), firm: code(), name: text() },
  key: ['PROJECT#{project}', 'META'],
  refers: { firm: Firm },
})
const ProjectOf = mirror('ProjectOf', Project, ['FIRM#{firm}', 'PROJECT#{project}'])
const Task = entity('Task', {
  attributes: { task: opaqueId(), firm: code(), project: opaqueId(), name: text().from('project') },
  key: ['TASK#{task}', 'META'],
  refers: { project: Project },
})
const TaskOf = mirror('TaskOf', Task, ['TASKS#{project}', 'TASK#{task}'], ['firm'])
const Page = entity('Page', {
  attributes: { page: opaqueId(), firm: code().from('project'), project: opaqueId() },
  key: ['PAGE#{page}', 'META'],
  refers: { project: Project },
})
const PageOf = mirror('PageOf', Page, ['PAGES#{project}', 'PAGE#{page}'], ['firm'])
const firms = design({
  name: 'firms',
  table: 'firms',
  entities: { Firm, Project, ProjectOf, Task, TaskOf, Page, PageOf },
  patterns: {},
  tenants: { by: 'firm' },
})

test('an item comes to another tenant only if nothing of its former one is left that refers to it', async () => {
  const table = connect(firms, { table: `firms-${randomUUID()}`, sender: directSender(), sleep: noWait })
  await ensureTable(table.runtime)
  for (const firm of ['A', 'B']) await table.Firm.create({ firm })
  await table.Project.create({ project: 'p', firm: 'A', name: 'one' })
  await table.Task.create({ task: 't', firm: 'A', project: 'p' })
  await table.Page.create({ page: 'g', project: 'p' })
  expect(await codeOf(table.Project.update({ project: 'p' }, { firm: 'B' }))).toBe('InUse')
  await table.Task.remove({ task: 't' })
  await table.Project.update({ project: 'p' }, { firm: 'B' })
  expect(await table.forTenant('B').Page.get({ page: 'g' })).toMatchObject({ firm: 'B' })
  expect(await table.forTenant('A').Page.get({ page: 'g' })).toBeUndefined()
})
