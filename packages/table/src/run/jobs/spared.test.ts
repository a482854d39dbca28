import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { ownTableOf } from '../../../../../test/engine/own-table.ts'
import { rawItem, takeLease } from '../../../test/depot/raw.ts'
import { codeOf } from '../../../test/depot/refused.ts'
import { DyingSender, WatchedSender } from '../../../test/depot/senders.ts'
import { Clock, directSender, noWait } from '../../../test/depot/table.ts'
import { design, entity, mirror, opaqueId, text } from '../../language.ts'
import { connect } from '../connect.ts'
import { ensureTable } from '../ensure-table.ts'
import { lease_ms } from './job.ts'

const Club = entity('Club', { attributes: { club: opaqueId(), name: text() }, key: ['CLUB#{club}', 'META'] })
const Team = entity('Team', {
  attributes: { team: opaqueId(), club: opaqueId(), name: text(), clubName: text().from('club', 'name') },
  key: ['TEAM#{team}', 'META'],
  refers: { club: Club },
})
const TeamOfClub = mirror('TeamOfClub', Team, ['CLUB_TEAMS#{club}', 'TEAM#{team}'])
const Fan = entity('Fan', {
  attributes: { team: opaqueId(), fan: opaqueId(), teamName: text().from('team', 'name') },
  key: ['TEAM#{team}', 'FAN#{fan}'],
  refers: { team: Team },
})
const Match = entity('Match', {
  attributes: { team: opaqueId(), match: opaqueId() },
  key: ['TEAM#{team}', 'MATCH#{match}'],
  refers: { team: { to: Team, onRemove: 'refuse' } },
})
const league = design({ name: 'league', table: 'league', entities: { Club, Team, TeamOfClub, Fan, Match }, patterns: {} })

// A job for copies leaves items alone that are being removed, and so it does those that copy from them.
test.each(['Team', 'Club'] as const)(
  'what is spared since it is in use has the copies of a %s that changed while it was marked',
  async (changed) => {
    const table = await ownTableOf(league)
    await table.Club.create({ club: 'c', name: 'old' })
    await table.Team.create({ team: 't', club: 'c', name: 'old' })
    await table.Fan.create({ team: 't', fan: 'f' })
    await table.Match.create({ team: 't', match: 'm' })
    if (changed === 'Team') await table.Team.update({ team: 't' }, { name: 'new' }, { wait: false })
    else await table.Club.update({ club: 'c' }, { name: 'new' }, { wait: false })
    await table.Team.remove({ team: 't' }, { wait: false })
    const [follow, removal] = await table.jobs.list()
    expect([follow?.kind, removal?.kind]).toEqual(['follow', 'remove'])
    await table.jobs.resume()
    expect(await table.jobs.list()).toEqual([])
    const team = await rawItem(table, 'TEAM#t', 'META')
    expect(team).not.toHaveProperty('deleting')
    expect(team).toMatchObject(changed === 'Team' ? { name: 'new' } : { clubName: 'new' })
    expect(await rawItem(table, 'TEAM#t', 'FAN#f')).toMatchObject({ teamName: changed === 'Team' ? 'new' : 'old' })
  },
)

// A caller waits for a removal. Its worker falls silent for longer than the lease; another takes the removal back, and ends before the copies are made.
test.each(['at once', 'later'] as const)(
  'a worker that was silent leaves the job for copies that its removal became, and tells that the item is in use: taken back %s',
  async (when) => {
    const clock = new Clock()
    const name = `league-${randomUUID()}`
    const open = (sender = directSender(), sleep = noWait) => connect(league, { table: name, sender, sleep, now: clock.now })
    const table = open()
    await ensureTable(table.runtime)
    await table.Club.create({ club: 'c', name: 'c' })
    await table.Team.create({ team: 't', club: 'c', name: 'old' })
    await table.Fan.create({ team: 't', fan: 'f' })
    await table.Match.create({ team: 't', match: 'm' })
    await table.Team.update({ team: 't' }, { name: 'new' }, { wait: false })
    const takeBack = async () => {
      clock.forward(lease_ms + 1)
      // It takes the lease, and the removal back.
      await open(new DyingSender(2))
        .jobs.resume()
        .catch(() => undefined)
      expect(await table.jobs.list()).toMatchObject([{ kind: 'follow' }])
    }
    let transactions = 0
    const sender = new WatchedSender(async (operation) => {
      if (operation !== 'TransactWriteItems' || ++transactions !== 2) return
      // The job for the copies of the change passes by the marked item.
      await table.jobs.resume()
      if (when === 'at once') return takeBack()
      clock.forward(lease_ms + 1)
      await takeLease(table, String((await table.jobs.list())[0]?.id))
    })
    let looks = 0
    const silent = open(sender, async () => {
      if (++looks === 1) await takeBack()
    })
    expect(await codeOf(silent.Team.remove({ team: 't' }))).toBe('InUse')
    expect(await rawItem(table, 'TEAM#t', 'FAN#f')).toMatchObject({ teamName: 'old' })
    clock.forward(lease_ms + 1)
    expect(await table.jobs.resume()).toMatchObject({ done: 1 })
    expect(await rawItem(table, 'TEAM#t', 'FAN#f')).toMatchObject({ teamName: 'new' })
    expect(await table.jobs.list()).toEqual([])
  },
)
