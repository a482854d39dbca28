import type { Values } from '../any-item.ts'
import { type Choosing, itemsOf } from './choose-values.ts'
import { catalogue, module_id, type Party } from './plant.ts'
import type { QuestionName, Step } from './step.ts'

/** A place, as far as it goes: of a building's client, project and id each may be left out. */
function placeOf(choosing: Choosing, party: Party): Values {
  const { chance } = choosing
  const building = chance.one(itemsOf(choosing, party, 'Building'))
  const project = chance.one(itemsOf(choosing, party, 'Project'))?.id
  const whole: Values = chance.percent(50)
    ? { client: party.client_id, project: building?.project_id, building: building?.id }
    : { client: party.client_id, project }
  const kept = Object.entries(whole).filter(([, value]) => value !== undefined && chance.percent(60))
  return kept.length === 0 ? { client: party.client_id } : Object.fromEntries(kept)
}

function questionOf(choosing: Choosing, party: Party, name: QuestionName): Values {
  const { chance } = choosing
  const user = chance.one(itemsOf(choosing, party, 'User'))
  const permission = chance.percent(70) ? chance.one(catalogue) : 'account-management:update:building'
  return {
    ...(name === 'who' ? {} : { user: chance.percent(30) ? user?.email : user?.id }),
    ...(name === 'where' ? {} : placeOf(choosing, party)),
    ...(name === 'what' ? {} : { permission }),
    ...(chance.percent(25) ? { module_id, include_trial: chance.percent(50) } : {}),
  }
}

/** A question about a party's users and places. */
export function chooseQuestion(choosing: Choosing, party: Party, name: QuestionName): Pick<Step, 'input' | 'how'> {
  const { chance } = choosing
  const consistency = chance.percent(50) ? 'strong' : 'bounded'
  if (name === 'canMany') return { input: { items: [1, 2, 3].map(() => questionOf(choosing, party, name)) }, how: { consistency } }
  const isList = name === 'what' || name === 'who' || name === 'where'
  const listing = isList ? { limit: 1 + chance.below(4), ...(name === 'where' ? { expand: chance.percent(50) } : {}) } : {}
  return { input: questionOf(choosing, party, name), how: { consistency, ...listing } }
}
