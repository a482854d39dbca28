import { allowed, created, maxStalenessMs, numbers, type Suite, turn } from './operation.js'

const operations = [
  'can by ids',
  'can by e-mail and code',
  'can, strong',
  'why',
  'what',
  'who page',
  'where page',
  'edge create',
  'edge remove',
] as const

const users = 100
const locations = 10
const groupsOfLocation = 2
const roles = 8
const pages = 20
const pagesOfRole = 5
/** Groups and roles that no question comes upon: edges between them are created and removed. */
const spare = 300
/** The edges that are removed are others than those that are created. */
const removedFrom = (spare * spare) / 2
const limit = 10

/** Relationship-based access: questions about a small organisation, and edges. */
export const rebacSuite: Suite<(typeof operations)[number]> = {
  name: 'rebac',
  operations,
  open: async ({ table: { connect, ensureTable }, designs: { decideRebac, rebac } }, { endpoint, table: name }) => {
    const table = connect(rebac, { dynamo: { endpoint }, table: name })
    await ensureTable(table.runtime)
    const ofLocations = await created(
      table.Location.createMany(numbers(locations).map((each) => ({ locationCode: `LOC00${each}`, name: `Location ${each}` }))),
    )
    const ofGroups = await created(
      table.UserGroup.createMany(
        numbers(locations * groupsOfLocation).map((each) => ({ locationId: turn(ofLocations, each).locationId, name: `Group ${each}` })),
      ),
    )
    const roleNames = numbers(roles).map((each) => `role${each}`)
    const pageNames = numbers(pages).map((each) => `page${each}`)
    await created(table.Role.createMany(roleNames.map((roleName) => ({ roleName }))))
    await created(table.Page.createMany(pageNames.map((pageName) => ({ pageName }))))
    await created(
      table.RolePagePermission.createMany(
        roleNames.flatMap((roleName, role) =>
          numbers(pagesOfRole, role).map((page) => ({ roleName, pageName: turn(pageNames, page), permission: 'ALLOW' as const })),
        ),
      ),
    )
    await created(table.GroupRole.createMany(ofGroups.map(({ groupId }, each) => ({ groupId, roleName: turn(roleNames, each) }))))
    const people = await created(table.User.createMany(numbers(users).map((each) => ({ displayName: `Person ${each}` }))))
    const email = (each: number) => `person${each}@example.org`
    await created(table.EmailIdentity.createMany(people.map(({ userId }, each) => ({ userId, email: email(each), provider: 'import' }))))
    // Everyone is at two locations, and in all groups of both.
    const placesOf = (each: number) => [each % locations, (each + 1) % locations]
    await created(
      table.UserLocationEdge.createMany(
        people.flatMap(({ userId }, each) => placesOf(each).map((place) => ({ userId, locationId: turn(ofLocations, place).locationId }))),
      ),
    )
    await created(
      table.UserGroupEdge.createMany(
        people.flatMap(({ userId }, each) =>
          placesOf(each).flatMap((place) =>
            numbers(groupsOfLocation).map((nth) => ({ userId, groupId: turn(ofGroups, place + nth * locations).groupId })),
          ),
        ),
      ),
    )
    const spareGroups = await created(
      table.UserGroup.createMany(numbers(spare).map((each) => ({ locationId: turn(ofLocations, 0).locationId, name: `Spare ${each}` }))),
    )
    const spareRoles = await created(table.Role.createMany(numbers(spare).map((each) => ({ roleName: `spare${each}` }))))
    const edge = (index: number) => ({
      groupId: turn(spareGroups, index).groupId,
      roleName: turn(spareRoles, Math.floor(index / spare)).roleName,
    })

    const decider = decideRebac(table.runtime, { maxStalenessMs })
    const location = (index: number) => index % locations
    const at = (index: number) => turn(ofLocations, location(index))
    /** One that the role of the first group of the location opens. */
    const page = (index: number) => turn(pageNames, (location(index) % roles) + (Math.floor(index / locations) % pagesOfRole))
    const byIds = (index: number) => ({ user: turn(people, index).userId, location: at(index).locationId, page: page(index) })
    const byNames = (index: number) => ({ user: email(index % users), location: at(index).locationCode, page: page(index) })
    const round = users
    return {
      'can by ids': { round, run: (index) => allowed(decider.can(byIds(index))) },
      'can by e-mail and code': { round, run: (index) => allowed(decider.can(byNames(index))) },
      'can, strong': { round, run: (index) => allowed(decider.can(byIds(index), { consistency: 'strong' })) },
      why: { round, run: (index) => allowed(decider.why(byIds(index))) },
      what: { round, run: (index) => decider.what({ user: turn(people, index).userId, location: at(index).locationId }) },
      'who page': { round, run: (index) => decider.who({ location: at(index).locationId, page: page(index) }, { limit }) },
      'where page': { round, run: (index) => decider.where({ user: turn(people, index).userId, page: page(index) }, { limit }) },
      'edge create': { run: (index) => table.GroupRole.create(edge(index)) },
      'edge remove': {
        prepare: (from, count) => created(table.GroupRole.createMany(numbers(count, removedFrom + from).map(edge))),
        run: (index) => table.GroupRole.remove(edge(removedFrom + index)),
      },
    }
  },
}
