import { rebac, rebacModule } from '@freehold/designs/rebac'
import { connect, type FreeholdError } from '@freehold/table'
import { ensureTable, senderOf } from '@freehold/table/runtime'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { freehold, freshTable, withoutFlows } from '../../packages/cli/test/recorded-shell.ts'
import { startService } from '../../packages/service/test/serving.ts'
import { engineSender } from '../engine/endpoint.ts'
import { type FaultProxy, startFaultProxy } from '../faults/fault-proxy.ts'

// Uncertain and pending results reach the caller at each face: the library, the command and HTTP (spec rule 13).

let proxy: FaultProxy
beforeEach(async () => {
  proxy = await startFaultProxy()
})
afterEach(() => proxy.close())

type Told = Readonly<Record<string, unknown>>

/** The result of a call at a face: its answer, or its error. */
interface Face {
  readonly table: string
  createRole(roleName: string): Promise<Told>
  removeLocation(locationId: string): Promise<Told>
  renameUser(userId: string, displayName: string): Promise<Told>
  close(): void
}

const told = ({ code, details }: FreeholdError): Told => ({ code, uncertain: details.uncertain })

const faces: Readonly<Record<string, () => Promise<Face>>> = {
  'the library': async () => {
    const sender = senderOf({ endpoint: proxy.endpoint })
    const name = freshTable()
    const table = connect(rebac, { sender, table: name })
    await ensureTable(table.runtime)
    return {
      table: name,
      createRole: (roleName) => table.Role.create({ roleName }).then((item) => item, told),
      removeLocation: (locationId) => table.Location.remove({ locationId }),
      renameUser: (userId, displayName) => table.User.update({ userId }, { displayName }),
      close: () => sender.close(),
    }
  },
  'the command': async () => {
    const name = freshTable()
    const run = async (verb: string, entity: string, input: object) => {
      const argv = [verb, 'rebac', entity, JSON.stringify(input), '--table', name, '--json']
      const { out, err } = await freehold(argv, { env: { DYNAMODB_ENDPOINT: proxy.endpoint }, designs: withoutFlows })
      return out === '' ? JSON.parse(err).error : JSON.parse(out)
    }
    await freehold(['setup', 'rebac', '--table', name], { env: { DYNAMODB_ENDPOINT: proxy.endpoint } })
    return {
      table: name,
      createRole: (roleName) => run('create', 'Role', { roleName }),
      removeLocation: (locationId) => run('remove', 'Location', { locationId }),
      renameUser: (userId, displayName) => run('update', 'User', { userId, displayName }),
      close: () => {},
    }
  },
  HTTP: async () => {
    const sender = senderOf({ endpoint: proxy.endpoint })
    const service = await startService({ sender })
    const call = async (method: string, path: string, body?: object) =>
      (await service.call(method, `/v1/rebac/entities/${path}`, body)).body
    return {
      table: service.table.runtime.table,
      createRole: (roleName) => call('POST', 'Role', { roleName }),
      removeLocation: (locationId) => call('DELETE', `Location?locationId=${locationId}`),
      renameUser: (userId, displayName) => call('PATCH', `User?userId=${userId}`, { displayName }),
      close: () => {
        sender.close()
      },
    }
  },
}

describe.each(Object.entries(faces))('%s', (_, open) => {
  let face: Face
  const direct = () => connect(rebac, { table: face.table, sender: engineSender() })
  beforeEach(async () => {
    face = await open()
  })
  afterEach(() => face.close())

  test('says that a refusal after a lost answer is uncertain, and that another is not', async () => {
    const others = direct()
    const run = () => others.Role.create({ roleName: 'contested' }).then(() => undefined)
    proxy.add({ operation: 'TransactWriteItems', fault: { kind: 'lose-request' } })
    proxy.add({ operation: 'TransactWriteItems', fault: { kind: 'interleave', run } })
    expect(await face.createRole('contested')).toMatchObject({ code: 'AlreadyExists', uncertain: true })
    const again = await face.createRole('contested')
    expect(again).toMatchObject({ code: 'AlreadyExists' })
    expect(again.uncertain).toBeUndefined()
  })

  test.each(['a removal', 'a change'])('says of %s that it is done, and which job is pending', async (what) => {
    const others = direct()
    const { locationId } = await others.Location.create({ locationCode: 'NYC001', name: 'New York' })
    const { userId } = await others.User.create({ displayName: 'Ada' })
    await others.UserLocationEdge.create({ userId, locationId })
    // From the record of the job on nothing is allowed any more.
    const isRecorded = () => proxy.log.some(({ input }) => JSON.stringify(input).includes('"JOB#'))
    proxy.add({ fault: { kind: 'deny' }, when: isRecorded, times: Number.POSITIVE_INFINITY })
    const answer = what === 'a removal' ? await face.removeLocation(locationId) : await face.renameUser(userId, 'Countess')
    const [job] = await others.jobs.list()
    const kind = what === 'a removal' ? 'remove' : 'follow'
    expect(answer).toMatchObject({
      pending: [{ job: job?.id, kind, reason: { code: 'Unavailable', message: expect.stringMatching(/\.$/) } }],
    })
    if (what === 'a change') expect(answer).toMatchObject({ displayName: 'Countess', version: 2 })
  })
})

describe.each(['refuse', 'deny'] as const)('where storage answers a read by %s', (kind) => {
  const sentence = `${kind === 'refuse' ? 'ValidationException' : 'AccessDeniedException'}, by the test`
  const question = { user: 'ada@example.org', location: 'NYC001', page: 'dashboard' }

  test('HTTP has a fault of storage, and the log its sentence: no error of the caller, and no empty list', async () => {
    const sender = senderOf({ endpoint: proxy.endpoint })
    const service = await startService({ sender, module: rebacModule })
    proxy.add({ fault: { kind }, times: Number.POSITIVE_INFINITY })
    const subject = { type: 'user', id: question.user }
    const search = { subject, action: { name: 'view' }, resource: { type: 'location' } }
    for (const [path, body] of [
      ['/v1/rebac/can', question],
      ['/v1/rebac/what', { user: question.user, location: question.location }],
      ['/v1/rebac/who', { location: question.location, page: question.page }],
      ['/authzen/rebac/access/v1/search/resource', search],
      ['/v1/rebac/patterns/users', undefined],
    ] as const) {
      const { status, body: answer } = await service.call(body === undefined ? 'GET' : 'POST', path, body)
      expect({ path, isFault: status >= 500, answer: JSON.stringify(answer) }).toMatchObject({
        path,
        isFault: true,
        answer: expect.not.stringContaining('by the test'),
      })
      expect(service.lines.at(-1)?.cause).toMatchObject({ failure: kind === 'refuse' ? 'invalid' : 'refused', message: sentence })
    }
    sender.close()
  })

  test('the command prints the sentence, and has no answer', async () => {
    const table = freshTable()
    const env = { DYNAMODB_ENDPOINT: proxy.endpoint }
    await freehold(['setup', 'rebac', '--table', table], { env })
    proxy.add({
      fault: { kind },
      when: (input) => !('TableName' in input) || 'KeyConditionExpression' in input,
      times: Number.POSITIVE_INFINITY,
    })
    for (const argv of [
      ['can', 'rebac', JSON.stringify(question)],
      ['who', 'rebac', JSON.stringify({ location: question.location, page: question.page })],
      ['query', 'rebac', 'users', '{}'],
    ])
      expect(await freehold([...argv, '--table', table], { env })).toMatchObject({ exit: 2, err: expect.stringContaining(sentence) })
  })
})

describe('a person who runs the command', () => {
  test('reads of a pending job what became of it, and what goes on with it', async () => {
    const table = freshTable()
    const env = { DYNAMODB_ENDPOINT: proxy.endpoint }
    await freehold(['setup', 'rebac', '--table', table], { env })
    const others = connect(rebac, { table, sender: engineSender() })
    const { locationId } = await others.Location.create({ locationCode: 'NYC001', name: 'New York' })
    const isRecorded = () => proxy.log.some(({ input }) => JSON.stringify(input).includes('"JOB#'))
    proxy.add({ fault: { kind: 'deny' }, when: isRecorded, times: Number.POSITIVE_INFINITY })
    const ran = await freehold(['remove', 'rebac', 'Location', JSON.stringify({ locationId }), '--table', table], {
      env,
      designs: withoutFlows,
    })
    const [job] = await others.jobs.list()
    expect(ran).toMatchObject({ exit: 0, out: 'Removed the Location.\n' })
    expect(ran.err).toContain(`Done, except for the job ${job?.id}. DynamoDB refused our credentials.`)
    expect(ran.err).toContain('`freehold jobs rebac` shows its progress.')
  })
})
