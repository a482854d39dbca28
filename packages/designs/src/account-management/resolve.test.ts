import { randomUUID } from 'node:crypto'
import type { Consistency } from '@freehold/frame/decision'
import { connect } from '@freehold/table'
import { ensureTable } from '@freehold/table/runtime'
import { restoreItems } from '@freehold/table/testing'
import { expect, test } from 'vitest'
import { engineSender } from '../../../../test/engine/endpoint.ts'
import { assignment, building, idOf, project } from '../../test/account-items.ts'
import { acme, ada, adaAtHarbour, camera, harbour, pier, reader } from '../../test/account-organisation.ts'
import { heldSender } from '../../test/held-sender.ts'
import { type AccountDecider, decideAccountManagement } from './decide.ts'
import { accountManagement } from './design.ts'

const dock = idOf('project', 2)

const questions: Readonly<Record<string, (decider: AccountDecider, consistency: Consistency) => Promise<unknown>>> = {
  can: async (decider, consistency) => (await decider.can({ user: ada, building: pier, permission: camera }, { consistency })).allowed,
  'can in a client': async (decider, consistency) =>
    (await decider.can({ user: ada, client: acme, building: pier, permission: camera }, { consistency })).allowed,
  why: async (decider, consistency) =>
    (await decider.why({ user: ada, building: pier, permission: camera }, { consistency })).chains.length === 1,
  what: async (decider, consistency) => (await decider.what({ user: ada, building: pier }, { consistency })).items.length === 1,
  who: async (decider, consistency) => (await decider.who({ building: pier, permission: camera }, { consistency })).items.length === 1,
  access: async (decider, consistency) => (await decider.access({ user: ada, building: pier }, { consistency })).can(camera),
}

// A bare building is looked up, and then read in its project: it is in one project before it moves and in the other afterwards, and never in none.
test.each(Object.keys(questions))('%s finds a building that moves between the look for it and the read', async (name) => {
  const { sender, hold, held, pass, release } = heldSender()
  const table = `moving-${randomUUID()}`
  const asking = connect(accountManagement, { table, sender })
  const moving = connect(accountManagement, { table, sender: engineSender() })
  await ensureTable(moving.runtime)
  await restoreItems(moving.runtime, [...adaAtHarbour, ...project(acme, dock), ...building(acme, dock, idOf('building', 2))])
  await restoreItems(moving.runtime, assignment(acme, ada, reader, 'project', dock))
  for (const consistency of ['bounded', 'strong'] as const) {
    const decider = decideAccountManagement(asking.runtime)
    hold((places) => places.includes(`BUILDING#${pier}`) && places.includes('METADATA') && !places.includes(`CLIENT#${acme}`))
    const answer = questions[name]?.(decider, consistency)
    await held()
    const from = (await moving.BuildingPlace.get({ id: pier }, { consistent: true }))?.project_id ?? ''
    await moving.Building.move({ project_id: from, id: pier }, { project_id: from === harbour ? dock : harbour })
    pass()
    release()
    expect(await answer).toBe(true)
  }
})
