import { designModules } from '@freehold/designs'
import { describeModule } from '@freehold/frame'
import { operator } from '@freehold/frame/flow'
import { prove } from '@freehold/table/prove'
import { ensureTable } from '@freehold/table/runtime'
import { beforeAll, describe, expect, test } from 'vitest'
import { freehold, freshTable } from '../../packages/cli/test/recorded-shell.ts'
import { type ServiceUnderTest, startServiceOf } from '../../packages/service/test/serving.ts'
import { engineSender } from '../engine/endpoint.ts'
import type { Action } from './access.ts'
import { library } from './design.ts'
import { libraryModule, open } from './index.ts'

// A fifth design, as a program would write its own: what the four have at every face, it has without a line about faces.

const now = new Date('2026-03-01T12:00:00.000Z')
const table = freshTable()
const opened = open({ sender: engineSender(), table, now: () => now })
const flows = opened.flows({ actor: operator })
const as = (member: string) => opened.flows({ actor: { kind: 'user', user_id: member } })
const strong = { consistency: 'strong' } as const

let [north, south, ada, bob, eve, book] = ['', '', '', '', '', '']
await ensureTable(opened.table.runtime)
const { Branch, Member } = opened.table
const branch = async (name: string) => (await Branch.create({ name })).id
const member = async (name: string) => (await Member.create({ name, email: `${name}@example.org` })).id
north = await branch('North')
south = await branch('South')
ada = await member('ada')
bob = await member('bob')
eve = await member('eve')
await flows.givePost({ member_id: ada, branch_id: north, role: 'librarian' })
await flows.givePost({ member_id: bob, branch_id: north, role: 'clerk', until: '2026-03-31' })
await flows.givePost({ member_id: bob, branch_id: south, role: 'librarian', until: '2026-02-28' })
book = (await flows.addBook({ branch_id: north, title: 'Emma', author: 'Austen', on_shelf: 1 })).id

test('its design is proven', () => {
  expect(prove(library).findings).toEqual([])
})

describe('its five questions', () => {
  // A program without types may ask for what is no action.
  const can = (member: string, branch: string, action: Action | 'burn') =>
    opened.decide.can({ member, branch, action: action as Action }, strong)

  test('can: by a post that has not ended, of an active member', async () => {
    expect(await can(ada, north, 'catalogue')).toEqual({ allowed: true })
    expect(await can(bob, north, 'lend')).toEqual({ allowed: true })
    expect(await can(bob, north, 'catalogue')).toMatchObject({ allowed: false, reason: { kind: 'policy', code: 'NoPost' } })
    expect(await can(bob, south, 'lend')).toMatchObject({ allowed: false, reason: { code: 'NoPost' } })
    expect(await can(eve, north, 'lend')).toMatchObject({ allowed: false, reason: { code: 'NoPost' } })
    expect(await can(north, north, 'lend')).toMatchObject({ allowed: false, reason: { kind: 'unknown', code: 'UnknownMember' } })
    await expect(can(ada, north, 'burn')).rejects.toMatchObject({ code: 'InvalidInput' })
  })

  test('why: the post, or what is missing', async () => {
    expect(await opened.decide.why({ member: ada, branch: north, action: 'staff' })).toMatchObject({
      allowed: true,
      chains: [
        [
          { step: 'member', entity: 'Member', id: { id: ada }, as: { status: 'active' } },
          { step: 'branch', entity: 'Branch', id: { id: north } },
          { step: 'post', entity: 'Post', id: { member_id: ada, branch_id: north }, as: { role: 'librarian', until: null } },
        ],
      ],
    })
    const { missing } = await opened.decide.why({ member: eve, branch: north, action: 'staff' })
    expect(missing).toMatchObject([{ entity: 'Post', state: 'missing' }])
  })

  test('what, who and where: all that can allows, page by page', async () => {
    const { items } = await opened.decide.what({ member: bob, branch: north })
    const until = '2026-03-31'
    expect(items).toEqual([
      { action: 'lend', until },
      { action: 'return', until },
    ])
    const first = await opened.decide.who({ branch: north, action: 'lend' }, { limit: 1 })
    const rest = await opened.decide.who({ branch: north, action: 'lend' }, { cursor: first.cursor })
    expect([...first.items, ...rest.items].map(({ member }) => member)).toEqual([ada, bob].sort())
    expect((await opened.decide.where({ member: bob, action: 'lend' })).items).toEqual([{ member: bob, branch: north, until }])
  })
})

describe('its flows', () => {
  test('hold a member to its post, and rest on it', async () => {
    await expect(as(bob).changeBook({ branch_id: north, id: book, title: 'x' })).rejects.toMatchObject({
      code: 'Denied',
      details: { reason: 'NoPost' },
    })
    await expect(as(eve).lendBook({ member_id: eve, branch_id: north, book_id: book, due: '2026-04-01' })).rejects.toMatchObject({
      code: 'Denied',
    })
    expect(await as(ada).changeBook({ branch_id: north, id: book, title: 'Emma, again', version: 1 })).toMatchObject({ version: 2 })
    await expect(as(ada).changeBook({ branch_id: north, id: book, title: 'y', version: 1 })).rejects.toMatchObject({
      code: 'VersionConflict',
    })
  })

  test('lend no copy twice, and take each back once', async () => {
    const loan = { branch_id: north, book_id: book, due: '2026-04-01' }
    const outcomes = await Promise.allSettled([ada, eve].map((member_id) => as(bob).lendBook({ ...loan, member_id })))
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { details: { reason: 'NoneOnShelf' } } })
    const [lent] = outcomes.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    const id = { member_id: lent?.member_id ?? '', branch_id: north, book_id: book }
    expect(await as(bob).renewLoan({ ...id, due: '2026-05-01' })).toMatchObject({ due: '2026-05-01' })
    expect(await opened.table.Book.get({ branch_id: north, id: book })).toMatchObject({ on_shelf: 0 })
    await as(bob).returnBook(id)
    await expect(as(bob).returnBook(id)).rejects.toMatchObject({ code: 'NotFound' })
    expect(await opened.table.Book.get({ branch_id: north, id: book })).toMatchObject({ on_shelf: 1 })
  })

  test('record who did what', async () => {
    await as(ada).addBook({ branch_id: north, id: 'b7e23ec2-9af2-4a0b-9a3d-1d3c5f6e7a80', title: 'Persuasion', on_shelf: 2 })
    const { items } = await opened.table.changesOf({ item: 'Book b7e23ec2-9af2-4a0b-9a3d-1d3c5f6e7a80' })
    expect(items).toMatchObject([{ flow: 'addBook', by: `member ${ada}`, changes: { on_shelf: { after: 2 } } }])
  })

  test('end with the post: taken while the flow is under way, nothing is written', async () => {
    await flows.givePost({ member_id: eve, branch_id: south, role: 'librarian' })
    const late = as(eve).addBook({ branch_id: south, title: 'Late', on_shelf: 1 })
    const isWritten = late.then(
      () => true,
      () => false,
    )
    await flows.takePost({ member_id: eve, branch_id: south })
    const written = await isWritten
    // Either it came before the post was taken, or it was denied.
    expect((await opened.table.booksOfBranch({ branch_id: south })).items).toHaveLength(written ? 1 : 0)
    await expect(as(eve).addBook({ branch_id: south, title: 'Later', on_shelf: 1 })).rejects.toMatchObject({ code: 'Denied' })
  })
})

describe('by the command', () => {
  const designs = new Map([...designModules, [library.name, libraryModule] as const])
  const run = (...argv: string[]) => freehold([...argv], { designs })
  const at = ['--table', table]

  test('it is listed, with its flows, and has a page', async () => {
    expect((await run('designs')).out).toContain(libraryModule.summary)
    expect((await run('flows', 'library')).out).toMatch(/lendBook +Lends a copy/)
    expect((await run('docs', 'library')).out).toBe(describeModule(libraryModule))
    expect(describeModule(libraryModule)).toMatch(
      /^\| `removeBook` \| Removes a book from a branch\. \| `library:catalogue:book` \| branch \|/m,
    )
  })

  test('questions are answered and flows run, as a member', async () => {
    const { exit, out } = await run('can', 'library', JSON.stringify({ member: ada, branch: north, action: 'lend' }), ...at)
    expect({ exit, out }).toMatchObject({ exit: 0 })
    const added = await run(
      'do',
      'library',
      'addBook',
      JSON.stringify({ branch_id: north, title: 'Sanditon', on_shelf: 1 }),
      '--as',
      ada,
      '--json',
      ...at,
    )
    expect({ exit: added.exit, err: added.err }).toEqual({ exit: 0, err: '' })
    expect(JSON.parse(added.out)).toMatchObject({ title: 'Sanditon', version: 1 })
    const denied = await run('do', 'library', 'addBook', JSON.stringify({ branch_id: north, title: 'x', on_shelf: 1 }), '--as', eve, ...at)
    expect(denied.exit).toBe(1)
  })
})

describe('over HTTP', () => {
  let service: ServiceUnderTest<typeof library>
  beforeAll(async () => {
    service = await startServiceOf(library, { module: libraryModule })
  })

  test('questions and flows have their routes, and attributes of items are written there', async () => {
    const { table: served } = service
    const [branch, clerk] = [
      await served.Branch.create({ name: 'East' }),
      await served.Member.create({ name: 'cleo', email: 'cleo@example.org' }),
    ]
    const post = { member_id: clerk.id, branch_id: branch.id, role: 'clerk' }
    expect((await service.call('POST', '/v1/library/flows/givePost', post)).status).toBe(200)
    const question = { member: clerk.id, branch: branch.id, action: 'lend' }
    expect((await service.call('POST', '/v1/library/can', question)).body).toEqual({ allowed: true })
    const authzen = (path: string, body: object) => service.call('POST', `/authzen/library/access/v1/${path}`, body)
    const [subject, resource] = [
      { type: 'member', id: clerk.id },
      { type: 'branch', id: branch.id },
    ]
    for (const [name, decision] of [
      ['lend', true],
      ['staff', false],
    ] as const)
      expect((await authzen('evaluation', { subject, action: { name }, resource })).body).toMatchObject({ decision })
    const found = await authzen('search/subject', { subject: { type: 'member' }, action: { name: 'lend' }, resource })
    expect(found.body).toMatchObject({ results: [subject] })
    const taken = await service.call('POST', '/v1/library/flows/takePost', { member_id: clerk.id, branch_id: branch.id })
    expect(taken.status).toBe(204)
    const denied = await service.call('POST', '/v1/library/flows/addBook', { as: clerk.id, branch_id: branch.id, title: 'x', on_shelf: 1 })
    expect(denied).toMatchObject({ status: 403, body: { code: 'Denied' } })
  })
})
