import type { ErrorCode } from '../../src/errors.ts'

// The depot as plain records, to compare with what lies in a table. It knows the keys of the design by heart, not by its templates.

type Values = Record<string, unknown>
interface Node {
  readonly Type: string
  version: number
  readonly values: Values
}

const present = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== null))
const pick = (values: Values, ...names: string[]) => present(Object.fromEntries(names.map((name) => [name, values[name]])))

function indexes(Type: string, v: Values): Values {
  const { id, team, hired, city, region, place } = v
  switch (Type) {
    case 'Person':
      return {
        ...(team && hired ? { GSI1PK: `TEAM#${team}`, GSI1SK: `PERSON#${v.rank}#${hired}#${id}` } : {}),
        GSI2PK: city ? `CITY#${city}` : 'NOWHERE',
        GSI2SK: `${v.email}#${id}`,
      }
    case 'Room':
      return region ? { GSI1PK: `REGION#${region}`, GSI1SK: `ROOM#${v.name}#${id}` } : {}
    case 'Sensor':
      return place ? { GSI2PK: `REGION#${place}`, GSI2SK: `SENSOR#${id}` } : {}
    case 'Policy':
      return v.owner ? { GSI1PK: `OWNER#${v.owner}`, GSI1SK: `POLICY#${v.name}` } : {}
    default:
      return {}
  }
}

/** The guards and mirrors of an item: their keys, and what they carry. */
function derivedItems({ Type, values: v }: Node): [PK: string, SK: string, Type: string, values: Values][] {
  switch (Type) {
    case 'Person':
      return [
        [`EMAIL#${v.email}`, `EMAIL#${v.email}`, 'PersonEmail', pick(v, 'id', 'email', 'rank')],
        ...(v.handle
          ? [[`HANDLE#${v.handle}`, `HANDLE#${v.handle}`, 'PersonHandle', pick(v, 'id', 'handle')] as [string, string, string, Values]]
          : []),
        ['DIRECTORY#PERSON', `PERSON#${v.id}`, 'PersonEntry', pick(v, 'id', 'handle', 'email')],
      ]
    case 'Room':
      return [[`ROOM#${v.id}`, 'META', 'RoomPlace', pick(v, 'id', 'site', 'name', 'region')]]
    case 'Sensor':
      return [[`SENSOR#${v.id}`, 'META', 'SensorById', pick(v, 'id', 'room', 'place')]]
    case 'Task':
      return [[`PERSON#${v.person}`, `TASK#${v.id}`, 'TaskOfPerson', pick(v, 'id', 'person')]]
    case 'Remark':
      return v.person ? [[`REMARKS#${v.person}`, `REMARK#${v.id}`, 'RemarkOfPerson', pick(v, 'id', 'person')]] : []
    case 'Policy':
      return [
        [
          v.owner ? `POLICY_NAME#${v.owner}#${v.name}` : `POLICY_NAME#SYSTEM#${v.name}`,
          'META',
          'PolicyName',
          pick(v, 'id', 'owner', 'name', 'body'),
        ],
      ]
    default:
      return []
  }
}

const keys: Record<string, (v: Values) => readonly [PK: string, SK: string]> = {
  Person: ({ id }) => [`PERSON#${id}`, 'META'],
  Site: ({ site }) => [`SITE#${site}`, 'META'],
  Room: ({ id, site }) => [`SITE#${site}`, `ROOM#${id}`],
  Sensor: ({ id, room }) => [`ROOM#${room}`, `SENSOR#${id}`],
  PersonSite: ({ id, site }) => [`PERSON#${id}`, `SITE#${site}`],
  SitePerson: ({ id, site }) => [`SITE#${site}`, `PERSON#${id}`],
  PersonRoom: ({ id, room }) => [`PERSON#${id}`, `ROOM#${room}`],
  RoomPerson: ({ id, room }) => [`ROOM#${room}`, `PERSON#${id}`],
  PersonBadge: ({ id, badge }) => [`PERSON#${id}`, `BADGE#${badge}`],
  BadgeShelf: ({ badge, shelf }) => [`SHELF#${shelf}`, `BADGE#${badge}`],
  Task: ({ id }) => [`TASK#${id}`, 'META'],
  Remark: ({ id }) => [`REMARK#${id}`, 'META'],
  Policy: ({ id, owner }) => [owner ? `OWNER#${owner}` : 'SYSTEM', `POLICY#${id}`],
}
const sides: Record<string, string> = { PersonSite: 'SitePerson', PersonRoom: 'RoomPerson', PersonBadge: 'BadgeShelf' }
const siblings: Record<string, string> = { ...sides, ...Object.fromEntries(Object.entries(sides).map(([a, b]) => [b, a])) }

interface Written {
  readonly content: string
  readonly version: number
}

export class Model {
  readonly nodes: Node[] = []
  /** The item and version under the key of each guard and lookup item. */
  #derivedItems = new Map<string, Written>()

  find(Type: string, match: Values): Node | undefined {
    return this.all(Type, match)[0]
  }
  all(Type: string, match: Values = {}): Node[] {
    return this.nodes.filter((node) => node.Type === Type && Object.entries(match).every(([name, value]) => node.values[name] === value))
  }
  at(Type: string, values: Values): Node | undefined {
    const key = String(keys[Type]?.(values))
    return this.nodes.find((node) => node.Type === Type && String(keys[Type]?.(node.values)) === key)
  }

  /** The obstacles to an item with these values: codes of errors. One of them must occur. */
  obstacles(Type: string, values: Values, own?: Node): ErrorCode[] {
    const codes: ErrorCode[] = []
    const taken = this.at(Type, values)
    const sibling = siblings[Type]
    if (taken !== undefined && taken !== own) codes.push('AlreadyExists')
    const other = sibling === undefined ? undefined : this.at(sibling, values)
    const isOwn = own !== undefined && sibling !== undefined && other === this.at(sibling, own.values)
    if (other !== undefined && !isOwn) codes.push('AlreadyExists')
    const mine = derivedItems({ Type, values, version: 0 }).map(([PK, SK]) => `${PK} ${SK}`)
    const others = this.nodes.filter((node) => node !== own).flatMap(derivedItems)
    if (others.some(([PK, SK]) => mine.includes(`${PK} ${SK}`))) codes.push('AlreadyExists')
    return codes
  }

  /** The missing targets of an item. */
  missing(Type: string, { id, site, room, person }: Values): ErrorCode[] {
    const place = room === undefined ? undefined : this.find('Room', { id: room })
    const needs: Record<string, boolean> = {
      Room: this.at('Site', { site }) !== undefined,
      Sensor: place !== undefined,
      Task: this.at('Person', { id: person }) !== undefined,
      Remark: person === undefined || person === null || this.at('Person', { id: person }) !== undefined,
      PersonSite: this.at('Person', { id }) !== undefined && this.at('Site', { site }) !== undefined,
      PersonRoom:
        this.at('Person', { id }) !== undefined &&
        place !== undefined &&
        this.at('PersonSite', { id, site: place.values.site }) !== undefined,
      PersonBadge: this.at('Person', { id }) !== undefined,
    }
    const main = sides[Type] === undefined ? (siblings[Type] ?? Type) : Type
    return needs[main] === false ? ['MissingEnd'] : []
  }

  put(Type: string, values: Values): void {
    this.nodes.push({ Type, version: 1, values: { ...values } })
    const sibling = siblings[Type]
    if (sibling !== undefined) this.nodes.push({ Type: sibling, version: 1, values: { ...values } })
    for (const side of [Type, sibling]) if (side !== undefined) this.#copy(this.at(side, values), false)
    if (Type === 'Person') this.#copyToRemarks(values)
  }

  change(node: Node, change: Values): void {
    const sibling = siblings[node.Type] === undefined ? undefined : this.at(siblings[node.Type] ?? '', node.values)
    const [person, rank, handle] = [node.values.person, node.values.rank, node.values.handle]
    for (const each of [node, sibling]) {
      if (each === undefined) continue
      each.version++
      Object.assign(each.values, change)
    }
    if (node.Type === 'Remark' && node.values.person === person) return
    this.#copy(node, false)
    const isFollowed = node.Type !== 'Person' || node.values.rank !== rank || node.values.handle !== handle
    if (isFollowed) this.settle(node)
  }

  /** Takes a node, and all that hangs on it. */
  remove(node: Node): void {
    if (!this.nodes.includes(node)) return
    const { Type, values } = node
    const { id, site } = values
    const gone = new Set([node, this.at(siblings[Type] ?? '', values)])
    const hanging: Record<string, () => Node[]> = {
      Person: () => [...this.all('PersonSite', { id }), ...this.all('PersonRoom', { id }), ...this.all('PersonBadge', { id })],
      Site: () => [...this.all('Room', { site }), ...this.all('PersonSite', { site })],
      Room: () => [...this.all('Sensor', { room: id }), ...this.all('PersonRoom', { room: id })],
      PersonSite: () => this.all('PersonRoom', { id, site }),
      SitePerson: () => this.all('PersonRoom', { id, site }),
    }
    const below = hanging[Type]?.() ?? []
    this.nodes.splice(0, this.nodes.length, ...this.nodes.filter((each) => !gone.has(each)))
    for (const each of below) this.remove(each)
  }

  /** Brings copies up to date: of everything that has the node above it. */
  settle(changed: Node): void {
    for (const each of [
      ...this.all('Room'),
      ...this.all('Sensor'),
      ...this.all('PersonSite'),
      ...this.all('SitePerson'),
      ...this.all('PersonRoom'),
      ...this.all('RoomPerson'),
    ])
      this.#copy(each, true)
    if (changed.Type === 'Person') this.#copyToRemarks(changed.values)
  }

  /** Remarks outlive their person, and follow the next one with its id. */
  #copyToRemarks({ id }: Values): void {
    for (const remark of this.all('Remark', { person: id })) this.#copy(remark, true)
  }

  #copy(node: Node | undefined, counts: boolean): void {
    if (node === undefined) return
    const { id, site, room, person } = node.values
    const copies: Record<string, () => Values> = {
      Room: () => ({ region: this.at('Site', { site })?.values.region }),
      Sensor: () => ({ place: this.find('Room', { id: room })?.values.region }),
      PersonSite: () => ({ siteName: this.at('Site', { site })?.values.name }),
      SitePerson: () => ({ personRank: this.at('Person', { id })?.values.rank, personHandle: this.at('Person', { id })?.values.handle }),
      PersonRoom: () => ({ site: this.find('Room', { id: room })?.values.site, roomName: this.find('Room', { id: room })?.values.name }),
      RoomPerson: () => ({ personRank: this.at('Person', { id })?.values.rank }),
      Remark: () => ({ rank: this.at('Person', { id: person })?.values.rank }),
    }
    const before = JSON.stringify(present(node.values), Object.keys(node.values).sort())
    Object.assign(node.values, copies[node.Type]?.() ?? {})
    if (counts && JSON.stringify(present(node.values), Object.keys(node.values).sort()) !== before) node.version++
  }

  /** A mirror that is written anew though it has not changed. */
  touch({ version, values }: Node, Type: string): void {
    for (const [PK, SK, type] of derivedItems({ Type: 'Person', version, values })) {
      const known = this.#derivedItems.get(`${PK} / ${SK}`)
      if (type === Type && known !== undefined) this.#derivedItems.set(`${PK} / ${SK}`, { ...known, version })
    }
  }

  /** Every item that must lie in the table, in the order of their keys. */
  items(): Values[] {
    const seen = new Map<string, Written>()
    const items = this.nodes.flatMap((node): Values[] => {
      const [PK = '', SK = ''] = keys[node.Type]?.(node.values) ?? []
      const derived = derivedItems(node).map(([fPK, fSK, Type, values]) => {
        const key = `${fPK} / ${fSK}`
        const content = JSON.stringify(values)
        const known = this.#derivedItems.get(key)
        const version = known?.content === content ? known.version : node.version
        seen.set(key, { content, version })
        return { PK: fPK, SK: fSK, Type, version, ...values }
      })
      return [{ PK, SK, Type: node.Type, version: node.version, ...present(node.values), ...indexes(node.Type, node.values) }, ...derived]
    })
    this.#derivedItems = seen
    return items.sort((a, b) => (`${a.PK} / ${a.SK}` < `${b.PK} / ${b.SK}` ? -1 : 1))
  }
}
