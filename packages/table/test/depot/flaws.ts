import type { Stored } from '../../src/plan/stored.ts'
import { keyOf, rawItems } from './raw.ts'
import type { Depot } from './table.ts'

// Invariants of a whole table when nothing is running, written with literal keys and not with the code under test.

interface Companion {
  readonly key: string
  readonly Type: string
  /** Attributes that it must have, or lack where undefined. */
  readonly has: Readonly<Record<string, unknown>>
}

interface Rule {
  /** Keys of what must be there. */
  readonly needs?: readonly string[]
  /** Items that are written with it, wherever it is. */
  readonly companions?: readonly Companion[]
  /** Attributes that must equal those of others. */
  readonly copies?: Readonly<Record<string, unknown>>
}

type Find = (key: string) => Stored | undefined

const person = (id: unknown) => `PERSON#${id} / META`
const site = (code: unknown) => `SITE#${code} / META`
const place = (room: unknown) => `ROOM#${room} / META`

const rules: Readonly<Record<string, (item: Stored, find: Find) => Rule>> = {
  Person: ({ id, email, handle, rank }) => ({
    companions: [
      { key: `EMAIL#${email} / EMAIL#${email}`, Type: 'PersonEmail', has: { id, email, rank } },
      ...(handle === undefined ? [] : [{ key: `HANDLE#${handle} / HANDLE#${handle}`, Type: 'PersonHandle', has: { id, handle } }]),
      { key: `DIRECTORY#PERSON / PERSON#${id}`, Type: 'PersonEntry', has: { id, email, handle } },
    ],
  }),
  Site: () => ({}),
  Room: ({ id, site: code, name, region }, find) => ({
    needs: [site(code)],
    companions: [{ key: place(id), Type: 'RoomPlace', has: { id, site: code, name, region } }],
    copies: { region: find(site(code))?.region, GSI1PK: region === undefined ? undefined : `REGION#${region}` },
  }),
  Sensor: ({ id, room, place: region }, find) => ({
    needs: [place(room)],
    companions: [{ key: `SENSOR#${id} / META`, Type: 'SensorById', has: { id, room, place: region } }],
    copies: { place: find(place(room))?.region, GSI2PK: region === undefined ? undefined : `REGION#${region}` },
  }),
  PersonSite: ({ id, site: code, joinedAt, remark }, find) => ({
    needs: [person(id), site(code)],
    companions: [
      {
        key: `SITE#${code} / PERSON#${id}`,
        Type: 'SitePerson',
        has: { id, site: code, joinedAt, remark, personRank: find(person(id))?.rank, personHandle: find(person(id))?.handle },
      },
    ],
    copies: { siteName: find(site(code))?.name },
  }),
  PersonRoom: ({ id, room, since }, find) => ({
    needs: [person(id), place(room), `PERSON#${id} / SITE#${find(place(room))?.site}`],
    companions: [{ key: `ROOM#${room} / PERSON#${id}`, Type: 'RoomPerson', has: { id, room, since, personRank: find(person(id))?.rank } }],
    copies: { site: find(place(room))?.site, roomName: find(place(room))?.name },
  }),
  PersonBadge: ({ id, badge, shelf }) => ({
    needs: [person(id)],
    companions: [{ key: `SHELF#${shelf} / BADGE#${badge}`, Type: 'BadgeShelf', has: { id, badge, shelf } }],
  }),
  Task: ({ id, person: owner }) => ({
    needs: [person(owner)],
    companions: [{ key: `PERSON#${owner} / TASK#${id}`, Type: 'TaskOfPerson', has: { id, person: owner } }],
  }),
  // It stays when its person goes, with the last copy.
  Remark: ({ id, person: owner, rank }, find) => ({
    companions: owner === undefined ? [] : [{ key: `REMARKS#${owner} / REMARK#${id}`, Type: 'RemarkOfPerson', has: { id, person: owner } }],
    copies: { rank: find(person(owner))?.rank ?? rank },
  }),
  Session: ({ id, person: owner, token, PK, SK }) => ({
    needs: [person(owner)],
    companions: [
      { key: `SESSION#${id} / META`, Type: 'SessionById', has: { id, person: owner } },
      ...(token === undefined ? [] : [{ key: `TOKEN#${token} / TOKEN#${token}`, Type: 'SessionToken', has: { token, person: owner } }]),
    ],
    copies: { PK, SK },
  }),
  Log: () => ({}),
  Policy: ({ id, owner, name, body }) => ({
    companions: [
      {
        key: owner === undefined ? `POLICY_NAME#SYSTEM#${name} / META` : `POLICY_NAME#${owner}#${name} / META`,
        Type: 'PolicyName',
        has: { id, name, owner, body },
      },
    ],
  }),
}

function differing(item: Stored, wanted: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(wanted).flatMap(([name, value]) =>
    item[name] === value ? [] : [`${keyOf(item)} has ${name} ${item[name]}, not ${value}`],
  )
}

/**
 * Everything that is not as it should be where nothing is under way: half of an edge, a guard of nobody, an edge to nowhere, a copy that
 * has not followed, a mark or a job that was left behind.
 */
export async function flaws(table: Depot): Promise<string[]> {
  const items = new Map((await rawItems(table)).map((item) => [keyOf(item), item]))
  const find: Find = (key) => items.get(key)
  const expected = new Set<string>()
  const found: string[] = []
  for (const [key, item] of items) {
    if (item.deleting !== undefined) found.push(`${key} is marked`)
    const rule = rules[String(item.Type)]
    if (rule === undefined) continue
    expected.add(key)
    const { needs = [], companions = [], copies = {} } = rule(item, find)
    for (const needed of needs) if (!items.has(needed)) found.push(`${key} needs ${needed}`)
    found.push(...differing(item, copies))
    for (const companion of companions) {
      expected.add(companion.key)
      const there = find(companion.key)
      if (there === undefined) found.push(`${key} is without ${companion.key}`)
      else found.push(...differing(there, { Type: companion.Type, ...companion.has }))
    }
  }
  for (const key of items.keys()) if (!expected.has(key)) found.push(`${key} is left over`)
  return found.sort()
}
