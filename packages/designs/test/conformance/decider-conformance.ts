import { meter, type Page } from '@freehold/table'
import type { Sender } from '@freehold/table/runtime'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Consistency, type Decider, questionNames } from '../../../frame/src/decision/decision.ts'
import { type DeciderScene, type ListName, listNames, type Question, type Subject } from './scene.ts'

/** No list grows this long: a cursor that leads back would. */
const pages_max = 1_000

/** Every page, from the first to the one without a cursor. */
export async function pagesOf<T>(ask: (cursor: string | undefined) => Promise<Page<T>>): Promise<(readonly T[])[]> {
  const pages: (readonly T[])[] = []
  for (let cursor: string | undefined; pages.length < pages_max; ) {
    const page = await ask(cursor)
    pages.push(page.items)
    cursor = page.cursor
    if (cursor === undefined) return pages
  }
  throw new Error('The pages do not end.')
}

/** The promises of every decider (spec rules 18 to 21), tried on a scene of its design. */
export function deciderConforms(scene: DeciderScene): void {
  describe(`the decider of ${scene.name}`, () => {
    let table: Awaited<ReturnType<DeciderScene['open']>>
    beforeAll(async () => {
      // Without patience nothing is sent again.
      table = await scene.open({ patience_ms: 0 })
    })
    // The bound is out of reach, so that nothing grows cold while it is asked.
    const deciderOf = (): Decider => scene.decide(table.runtime, { maxStalenessMs: 600_000 })

    agreement(scene, deciderOf)
    paging(scene, deciderOf)
    cursors(scene, deciderOf)
    roundTrips(scene, deciderOf)
    faults(scene, (sender) => scene.decide({ ...table.runtime, sender: sender(table.runtime.sender) }))
  })
}

const join = (...subjects: readonly Subject[]): Question => Object.assign({}, ...subjects.map(({ ask }) => ask))

/** Everything that each list can be asked in the scene, with the whole list that must come. */
function listsOf({ users, scopes, permissions }: DeciderScene): readonly { readonly name: ListName; readonly question: Question }[] {
  return [
    ...users.flatMap((user) => scopes.map((scope) => ({ name: 'what' as const, question: join(user, scope) }))),
    ...scopes.flatMap((scope) => permissions.map((permission) => ({ name: 'who' as const, question: join(scope, permission) }))),
    ...users.flatMap((user) => permissions.map((permission) => ({ name: 'where' as const, question: join(user, permission) }))),
  ]
}

const listed = async ({ told }: DeciderScene, decider: Decider, name: ListName, question: Question, consistency: Consistency) => {
  // With `expand` a list of scopes names each, also where one holds others.
  const how = { consistency, limit: 1000, ...(name === 'where' ? { expand: true } : {}) }
  return (await decider[name](question, how)).items.flatMap(told[name])
}

/** How each list is paged. */
const pagedBy = ({ pagesExpanded = false }: DeciderScene, name: ListName) => (name === 'where' && pagesExpanded ? { expand: true } : {})

function agreement(scene: DeciderScene, deciderOf: () => Decider): void {
  const { users, scopes, permissions } = scene

  test('says the same by each question of each user, scope and permission: strong, bounded, and bounded again', async () => {
    const [strong, bounded] = [deciderOf(), deciderOf()]
    const counts = { allowed: 0, denied: 0 }
    for (const user of users)
      for (const scope of scopes)
        for (const permission of permissions) {
          const question = join(user, scope, permission)
          const can = await strong.can(question, { consistency: 'strong' })
          counts[can.allowed ? 'allowed' : 'denied']++
          for (const [decider, consistency] of [
            [strong, 'strong'],
            [bounded, 'bounded'],
            [bounded, 'bounded'],
          ] as const) {
            const lists = {
              what: (await listed(scene, decider, 'what', join(user, scope), consistency)).includes(permission.told),
              who: (await listed(scene, decider, 'who', join(scope, permission), consistency)).includes(user.told),
              where: (await listed(scene, decider, 'where', join(user, permission), consistency)).includes(scope.told),
            }
            const { chains, missing, ...why } = await decider.why(question, { consistency })
            expect({ question, can: await decider.can(question, { consistency }), why }).toEqual({ question, can, why: can })
            expect({ chains: chains.length > 0, missing: missing.length > 0 }).toEqual({ chains: can.allowed, missing: !can.allowed })
            expect({ question, lists }).toEqual({ question, lists: { what: can.allowed, who: can.allowed, where: can.allowed } })
          }
        }
    // A scene in which all or nothing is allowed tells nothing.
    expect([counts.allowed > 0, counts.denied > 0]).toEqual([true, true])
  })

  test('answers strong and bounded lists alike, with their reasons', async () => {
    const [strong, bounded] = [deciderOf(), deciderOf()]
    for (const { name, question } of listsOf(scene)) {
      const expected = await strong[name](question, { consistency: 'strong' })
      for (let times = 0; times < 2; times++) expect(await bounded[name](question, { consistency: 'bounded' })).toEqual(expected)
    }
  })

  test('answers many questions in their order', async () => {
    const questions = users.flatMap((user) => scopes.flatMap((scope) => permissions.map((permission) => join(user, scope, permission))))
    const decider = deciderOf()
    const alone = []
    for (const question of questions) alone.push(await decider.can(question))
    expect(await deciderOf().canMany(questions)).toEqual(alone)
  })
}

function paging(scene: DeciderScene, deciderOf: () => Decider): void {
  describe.each(listNames)('%s', (name) => {
    test.each([1, 2, 3, 7, 100])('pages of %i join to the whole', async (limit) => {
      const decider = deciderOf()
      const how = pagedBy(scene, name)
      const lengths: number[] = []
      for (const { question } of listsOf(scene).filter((list) => list.name === name)) {
        const whole = (await decider[name](question, { ...how, limit: 1000 })).items
        const pages = await pagesOf((cursor) => decider[name](question, { ...how, limit, cursor }))
        expect({ question, items: pages.flat() }).toEqual({ question, items: whole })
        expect(pages.every(({ length }) => length <= limit)).toBe(true)
        expect(new Set(whole.map((item) => JSON.stringify(scene.told[name](item)))).size).toBe(whole.length)
        lengths.push(whole.length)
      }
      // One list at least takes more than one page of one.
      expect(Math.max(...lengths)).toBeGreaterThan(1)
    })

    test.each([0, -1, 1001, 1.5, Number.NaN, '10'])('refuses a limit of %j', async (limit) => {
      // As a program without types would ask.
      await expect(deciderOf()[name](scene.asked[name], { limit: limit as number })).rejects.toMatchObject({
        code: 'InvalidInput',
        details: { issues: [expect.objectContaining({ path: ['limit'] })] },
      })
    })
  })
}

function cursors(scene: DeciderScene, deciderOf: () => Decider): void {
  /** A cursor of each list question that has two items or more. */
  async function held(decider: Decider) {
    const all = []
    for (const { name, question } of listsOf(scene)) {
      const { cursor } = await decider[name](question, { ...pagedBy(scene, name), limit: 1 })
      if (cursor !== undefined) all.push({ name, question, cursor })
    }
    return all
  }

  test('a cursor goes on with its own question only, in another process too', async () => {
    const all = await held(deciderOf())
    expect(new Set(all.map(({ name }) => name))).toEqual(new Set(listNames))
    const other = deciderOf()
    for (const { name, question, cursor } of all) {
      const how = { ...pagedBy(scene, name), limit: 1000 }
      const whole = (await other[name](question, how)).items
      expect((await other[name](question, { ...how, cursor })).items).toEqual(whole.slice(1))
      for (const list of listsOf(scene)) {
        if (list.name === name && JSON.stringify(list.question) === JSON.stringify(question)) continue
        await expect(other[list.name](list.question, { ...pagedBy(scene, list.name), cursor })).rejects.toMatchObject({
          code: 'InvalidCursor',
        })
      }
    }
  })

  test('a cursor that was changed is refused', async () => {
    const decider = deciderOf()
    for (const { name, question, cursor } of await held(decider)) {
      const flipped = (at: number) => cursor.slice(0, at) + (cursor[at] === 'A' ? 'B' : 'A') + cursor.slice(at + 1)
      for (const forged of ['', 'ada', flipped(0), flipped(cursor.length >> 1), cursor.slice(0, -4), `${cursor}=`])
        await expect(decider[name](question, { ...pagedBy(scene, name), cursor: forged })).rejects.toMatchObject({ code: 'InvalidCursor' })
    }
  })
}

function roundTrips(scene: DeciderScene, deciderOf: () => Decider): void {
  test.each(questionNames)('%s takes its round trips cold, warm and strong', async (name) => {
    const trips = async (decider: Decider, consistency: Consistency) => {
      const { result, cost } = await meter<unknown>(() => decider[name](scene.asked[name], { consistency }))
      expect(result).toMatchObject(
        name === 'can' || name === 'why' ? { allowed: true } : { items: expect.arrayContaining([expect.anything()]) },
      )
      return cost.roundTrips
    }
    const decider = deciderOf()
    const [cold, warm] = [await trips(decider, 'bounded'), await trips(decider, 'bounded')]
    expect([cold, warm, await trips(deciderOf(), 'strong')]).toEqual(scene.roundTrips[name])
  })
}

function faults(scene: DeciderScene, decideBy: (sender: (inner: Sender) => Sender) => Decider): void {
  /**
   * A decider of which one request is not answered: the n-th after `breakAt(n)`. Each counts its own: requests that were sent side by side
   * with one that failed go on after the answer.
   */
  function breakable() {
    const count = { left: 0, sent: 0 }
    const decider = decideBy((inner) => ({
      send: (operation, input, options) => {
        count.sent++
        return --count.left === 0 ? Promise.reject(new Error('the connection broke')) : inner.send(operation, input, options)
      },
      close: () => {},
    }))
    const breakAt = (request: number) => {
      count.left = request
      count.sent = 0
    }
    return { decider, count, breakAt }
  }

  /** The answers to a question when each of the requests that it sends fails in turn. */
  async function withEachFailing<T>(isWarm: boolean, ask: (decider: Decider) => Promise<T>): Promise<T[]> {
    const answers: T[] = []
    for (let request = 1; ; request++) {
      const { decider, count, breakAt } = breakable()
      if (isWarm) await ask(decider)
      breakAt(request)
      const answer = await ask(decider)
      if (count.sent < request) break
      answers.push(answer)
    }
    expect(answers.length).toBeGreaterThan(0)
    return answers
  }

  describe.each([
    ['cold', false],
    ['warm', true],
  ])('where a read fails, %s', (_, isWarm) => {
    test('can denies, whichever read it is, and says that it is a fault', async () => {
      const answers = await withEachFailing(isWarm, (decider) => decider.can(scene.asked.can))
      expect(answers).toHaveLength(scene.requestsOfCan[isWarm ? 1 : 0])
      for (const answer of answers) expect(answer).toMatchObject({ allowed: false, reason: { kind: 'fault', code: 'StorageFault' } })
    })

    test('why denies alike', async () => {
      for (const answer of await withEachFailing(isWarm, (decider) => decider.why(scene.asked.why)))
        expect(answer).toMatchObject({ allowed: false, reason: { kind: 'fault', code: 'StorageFault' }, chains: [], missing: [] })
    })

    test.each([
      ['what', (decider: Decider) => decider.what(scene.asked.what)],
      ['who', (decider: Decider) => decider.who(scene.asked.who)],
      ['where', (decider: Decider) => decider.where(scene.asked.where)],
      ['where, expanded,', (decider: Decider) => decider.where(scene.asked.where, { expand: true })],
    ])('%s answers no page, which would say that nothing is allowed', async (_name, ask) => {
      const settled = await withEachFailing<unknown>(isWarm, (decider) => ask(decider).catch((error: unknown) => error))
      for (const answer of settled) expect(answer).toMatchObject({ code: 'Unavailable' })
    })
  })

  test('a fault is over with the next question', async () => {
    const { decider, breakAt } = breakable()
    breakAt(Math.min(2, scene.requestsOfCan[0]))
    expect((await decider.can(scene.asked.can)).allowed).toBe(false)
    expect(await decider.can(scene.asked.can)).toEqual({ allowed: true })
  })
}
