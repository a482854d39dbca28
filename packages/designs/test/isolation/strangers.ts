import type { Outcome } from './perform.ts'
import type { Step } from './step.ts'
import { estranged, recalled } from './words.ts'

/** The same step about what never was: with other ids and marks for these. */
export function twinOf({ input, change, ...step }: Step, strangers: ReadonlySet<string>): Step {
  const twin: Pick<Step, 'input' | 'change'> = JSON.parse(estranged(JSON.stringify({ input, change }), strangers))
  return { ...step, ...twin }
}

/** A cursor holds a nonce. */
const shapeOf = ({ told }: Outcome, strangers: ReadonlySet<string>) => recalled(told.replace(/"cursor":"[\w:-]+"/g, '"cursor"'), strangers)

/** How the answers about something of another's and about what never was differ: then the one tells that the other is there. */
export function differences(about: Outcome, never: Outcome, strangers: ReadonlySet<string>): string[] {
  return shapeOf(about, strangers) === shapeOf(never, strangers)
    ? []
    : [`is told otherwise of what never was: ${never.told.slice(0, 1000)}`]
}

/**
 * Ids and e-mail addresses are unique across clients, since guards and look-ups are found by them alone (spec, additions): whoever takes one that
 * another has is told so, as anybody could be. Ids are random where nobody gives them, and tell nothing of whose they are.
 */
const unique = ['User', 'UserEmail', 'ProjectPlace', 'BuildingPlace', 'TokenById', 'SessionById'] as const

/** That an item of the entity is there, as an error tells it. */
const isTaken = (told: string, entity: string) =>
  /"message":"There is an? |" exists already\./.test(told) && told.includes(`"entity":"${entity}"`)

const link = /There is a RolePermissionLink with [^.]*?role_id \\*"([0-9a-f-]{36})/

/**
 * The ids of roles are unique at a client only, but the links of a role are found by its id alone: of a client that gives a role the id of another's,
 * the links are told from the other's by the client that they name, and cannot lie where the other's do.
 */
export function isNamedException({ told }: Outcome, hasRole: (id: string) => boolean): boolean {
  if (unique.some((entity) => isTaken(told, entity) || told.includes(`"guard":"${entity}"`))) return true
  return hasRole(link.exec(told)?.[1] ?? '')
}
