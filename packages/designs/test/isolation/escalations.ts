import { requiredPermissions } from '../required-permissions.ts'
import { covers, type Given, type Grants, givenAt, heldAt, patternText, usersOf } from './grants.ts'
import { plantation } from './plant.ts'
import type { Step } from './step.ts'

/** True where one was given already all that the other says, and for no less long. */
const isWithin = (one: Given, other: Given) => one.pattern === other.pattern && other.start <= one.start && one.end <= other.end

/**
 * Permissions that are granted after a step and were not before, or not so long, though its actor did not hold them there as long (spec rule 23): by
 * an assignment, by its end, by a role, or by a place that came to lie elsewhere. A place that was made is what it lies in.
 */
export function escalations(before: Grants, after: Grants, actor: string, client: string): readonly string[] {
  const has = (place: string, { pattern, end }: Given) =>
    heldAt(before, actor, place).some((held) => covers(held.pattern, pattern) && held.end >= end)
  const byRoles = [...after.roles].flatMap(([id, patterns]) =>
    patterns
      // Nobody has it yet, so it is enough to hold it now.
      .filter((pattern) => !before.roles.get(id)?.includes(pattern) && !has(`client ${client}`, { pattern, start: '', end: after.now }))
      .map((pattern) => `role ${id}: ${pattern}`),
  )
  const byPlaces = [...after.places.keys()].flatMap((place) =>
    !before.places.has(place)
      ? []
      : usersOf(after).flatMap((user) => {
          const known = givenAt(before, user, place)
          return givenAt(after, user, place)
            .filter((each) => each.end > after.now && !known.some((other) => isWithin(each, other)) && !has(place, each))
            .map(({ pattern, end }) => `${user} at ${place}: ${pattern} until ${end}`)
        }),
  )
  return [...byRoles, ...byPlaces]
}

/**
 * The work of a flow for a user without the permission that it needs, at its client if it is to be held there, else anywhere; where what
 * is the user's own is not meant.
 */
export function unpermitted({ subject, actor }: Step, before: Grants | undefined): readonly string[] {
  if (before === undefined || actor === undefined || plantation.internal.includes(actor)) return []
  const needs = requiredPermissions[subject]
  if (needs === undefined || needs === 'operator' || needs === 'person') return [`${subject} is for operators only`]
  if (typeof needs === 'string' || needs.own === true) return []
  const places = [...before.places.keys()].filter((place) => needs.at !== 'client' || place.startsWith('client '))
  const held = places.flatMap((place) => heldAt(before, actor, place))
  return held.some(({ pattern }) => covers(pattern, patternText(needs)))
    ? []
    : [`${subject} needs ${patternText(needs)}, which the actor has not`]
}
