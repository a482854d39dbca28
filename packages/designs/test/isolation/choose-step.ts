import { accountManagement } from '../../src/account-management/design.ts'
import { accountFlows } from '../../src/account-management/flows/flows.ts'
import type { Values } from '../any-item.ts'
import type { Chance } from '../model/chance.ts'
import { requiredPermissions } from '../required-permissions.ts'
import { chooseFlow, type FlowName } from './choose-flow.ts'
import { chooseQuestion } from './choose-question.ts'
import { chooseList, chooseVerb } from './choose-table.ts'
import { chooseRace, chooseWait, waits } from './choose-time.ts'
import { type Choosing, hostileValue, itemsOf } from './choose-values.ts'
import type { Cursors } from './cursors.ts'
import { type Party, plantation } from './plant.ts'
import { questions, type Step, verbs } from './step.ts'
import { markOf } from './words.ts'

/** The subject of a step. */
export type Aim = Pick<Step, 'kind' | 'subject'>

/** Guards and mirrors are read like others. */
const isOfAll = (kind: (typeof verbs)[number]) => kind === 'get' || kind === 'getMany' || kind === 'check'

const writable = Object.values(accountManagement.entities)
  .filter(({ form: { part } }) => part.kind === 'entity' || part.kind === 'edge')
  .map(({ name }) => name)
const all = Object.keys(accountManagement.entities)

/** Everything that anybody can do. */
export const aims: readonly Aim[] = [
  ...verbs.flatMap((kind) => (isOfAll(kind) ? all : writable).map((subject) => ({ kind, subject }))),
  ...Object.keys(accountManagement.patterns).map((subject) => ({ kind: 'list', subject }) as const),
  ...questions.map((subject) => ({ kind: 'question', subject }) as const),
  ...Object.keys(accountFlows).map((subject) => ({ kind: 'flow', subject }) as const),
  ...waits.map((subject) => ({ kind: 'wait', subject }) as const),
  { kind: 'race', subject: 'moveBuilding' },
]

/** Flows that take a whole client away, or suspend it: late in a course only. */
function isFinal({ kind, subject }: Aim): boolean {
  return (kind === 'remove' && subject === 'Client') || subject === 'deleteClient' || subject === 'suspendClient'
}

/** How often what is done. */
const kinds = {
  create: 9,
  ensure: 2,
  createMany: 3,
  update: 5,
  move: 4,
  remove: 3,
  transact: 4,
  check: 3,
  get: 3,
  getMany: 3,
  list: 22,
  question: 20,
  flow: 30,
  wait: 2,
  race: 2,
}

/** Flows that grant something are tried by those who may grant little. */
const isGranting = ({ kind, subject }: Aim) => kind === 'flow' && /(Role|Assignment|RolePermissions|RoleForm)$/.test(subject)

/** Steps with a start or an end: enough of them have to come about that some are in time for something. */
const isTimed = ({ kind, subject }: Aim) => kind === 'flow' && (subject === 'assignRole' || subject === 'extendAssignment')

/** The next step: among these, which are missing so far, or among all. */
export function chooseAim(chance: Chance, missing: readonly Aim[], among: readonly Aim[]): Aim {
  const kind = chance.weighted(kinds)
  const some = among.filter((aim) => aim.kind === kind)
  const granting = some.filter(isGranting)
  return (
    chance.one(missing) ??
    (chance.percent(8) ? chance.one(among.filter(isTimed)) : undefined) ??
    (chance.percent(35) ? chance.one(granting) : undefined) ??
    chance.one(some) ??
    chance.one(among) ?? { kind: 'question', subject: 'can' }
  )
}

type Chosen = Pick<Step, 'input'> & Partial<Pick<Step, 'change' | 'how'>>

/** The choices of the party itself. The subject of a question is the question, and that of a flow the flow. */
function honest(choosing: Choosing, party: Party, { kind, subject }: Aim): Chosen {
  if (kind === 'list') return chooseList(choosing, party, subject)
  if (kind === 'question') return chooseQuestion(choosing, party, subject as (typeof questions)[number])
  if (kind === 'flow') return { input: chooseFlow(choosing, party, subject as FlowName) }
  if (kind === 'wait' || kind === 'race') throw new Error(`There is nothing to choose of a ${kind} here.`)
  return chooseVerb(choosing, party, kind, subject)
}

/** Some values of the other's instead, or of nobody's. */
function mixed(choosing: Choosing, other: Party, own: Values, theirs: Values): Values {
  const { chance } = choosing
  const names = Object.keys(own)
  const input: Record<string, unknown> = { ...own }
  for (let count = 1 + chance.below(3); count > 0; count--) {
    const name = chance.one(names)
    if (name === undefined) continue
    const value = own[name]
    if (name === 'items' && Array.isArray(value) && Array.isArray(theirs.items)) input.items = [value[0], theirs.items[0]]
    else input[name] = chance.percent(60) && theirs[name] !== undefined ? theirs[name] : hostileValue(choosing, other, name, value)
  }
  return input
}

function hostileTo(choosing: Choosing, party: Party, other: Party, aim: Aim): Chosen {
  const { chance } = choosing
  const theirs = honest(choosing, other, aim)
  if (chance.percent(50)) return theirs
  const own = honest(choosing, party, aim)
  const change =
    own.change === undefined ? {} : { change: chance.percent(50) ? mixed(choosing, other, own.change, theirs.change ?? {}) : own.change }
  return { ...own, input: mixed(choosing, other, own.input, theirs.input), ...change }
}

/** The user who acts: mostly one who may do much; now and then an internal one, who may at the first client. */
function actorOf(choosing: Choosing, party: Party, aim: Aim): string {
  const { chance } = choosing
  const [steward = ''] = plantation.internal
  if (party === plantation.parties[0] && chance.percent(15)) return steward
  const users = itemsOf(choosing, party, 'User')
  const deputy = users.find(({ email }) => String(email).startsWith('deputy.'))
  if (isTimed(aim) && deputy !== undefined && chance.percent(30)) return String(deputy.id)
  const admins = users.filter(({ user_type, status }) => user_type === 'client_admin' && status === 'active')
  return String(
    (chance.percent(isGranting(aim) && !isTimed(aim) ? 20 : 65) ? chance.one(admins) : undefined)?.id ??
      chance.one(users)?.id ??
      party.client_id,
  )
}

/** Mostly the user itself tries the flows that only it may run. */
function ownOf(choosing: Choosing, party: Party, { subject, input }: Step): string | undefined {
  if (requiredPermissions[subject as FlowName] !== 'own' || !choosing.chance.percent(60)) return undefined
  const owner = itemsOf(choosing, party, 'User').find(({ id }) => id === (input.user_id ?? input.id))
  return owner === undefined ? undefined : String(owner.id)
}

/** An operator's items may be for all to read. */
const sharedInput = ({ input }: Step): Values => JSON.parse(JSON.stringify(input).replace(/mark-a\d/g, markOf('sy')))

/** A step about this: as the party would do it itself, as the other party would, or something between the two. */
export function chooseStep(choosing: Choosing, aim: Aim, cursors: Cursors): Step {
  const { chance, number, now } = choosing
  const party = chance.one(plantation.parties) ?? { client_id: '', mark: '' }
  const other = chance.one(plantation.parties.filter((each) => each !== party)) ?? party
  if (aim.kind === 'wait') return { number, ...aim, ...chooseWait(choosing, aim.subject) }
  if (aim.kind === 'race')
    return {
      number,
      now: now.toISOString(),
      client: party.client_id,
      ...aim,
      ...chooseRace(choosing, party),
      actor: actorOf(choosing, party, aim),
    }
  const isHonest = chance.percent(isTimed(aim) ? 75 : choosing.honest_percent) && (choosing.isLate || !isFinal(aim))
  const chosen = isHonest ? honest(choosing, party, aim) : hostileTo(choosing, party, other, aim)
  const base: Step = { number, now: now.toISOString(), client: party.client_id, ...aim, ...chosen }
  if (aim.kind !== 'flow') return cursors.perhapsIn(base, chance)
  // Nobody but an operator does some things: an operator does them now and then, and to parties nothing from which they do not come back.
  const isOperators = requiredPermissions[aim.subject as FlowName] === 'operator'
  if (isOperators && isHonest && (choosing.isLate || !isFinal(aim)) && chance.percent(70))
    return { ...base, input: sharedInput(base), client: undefined }
  const tenantScope = chance.percent(15) ? other.client_id : chance.percent(30) ? party.client_id : undefined
  const actor = ownOf(choosing, party, base) ?? actorOf(choosing, party, aim)
  return cursors.perhapsIn({ ...base, actor, ...(tenantScope === undefined ? {} : { tenantScope }) }, chance)
}
