import { accountManagement } from '@freehold/designs/account-management'
import { authorization } from '@freehold/designs/authorization'
import { platform } from '@freehold/designs/platform'
import { rebac } from '@freehold/designs/rebac'
import type { DesignModule } from '@freehold/frame'
import { type ConnectedTable, type ConnectOptions, connect } from '@freehold/table'
import { accountQuestion } from './account.ts'
import { loadAccount } from './load-account.ts'
import { loadOrganisation } from './load-organisation.ts'
import { hasProperty, loadProperty } from './load-property.ts'
import { hasTickets, loadTickets, withStarterPolicies } from './load-tickets.ts'
import { sampleQuestion } from './organisation.ts'
import { propertyQuestions } from './property.ts'
import { ticketQuestions } from './tickets.ts'

/** A question about a sample, for people. */
export interface SampleQuestion {
  readonly title: string
  readonly design: string
  readonly asked: 'can' | 'why' | 'what' | 'who' | 'where'
  readonly body: Readonly<Record<string, unknown>>
}

const { user, account, workstream, menu, action } = accountQuestion
const { page, location } = sampleQuestion
const question = (design: string, asked: SampleQuestion['asked'], title: string, body: SampleQuestion['body']): SampleQuestion => ({
  ...{ design, asked, title, body },
})

/** What each sample is about, in one clause of one story. */
export const stories: Readonly<Record<string, string>> = {
  [accountManagement.name]: 'Grace keeps Pier 4 for the property company Acme',
  [platform.name]: 'Ada edits the dashboard of the licensing portal',
  [authorization.name]: 'an agent closes the tickets of a ticket API, by example policies',
  [rebac.name]: 'Ada trains at a sports club in New York and London',
}

/** The questions of the samples: of each design one that is allowed first. */
export const sampleQuestions: readonly SampleQuestion[] = [
  question(accountManagement.name, 'can', 'May Grace reboot the camera at Pier 4?', propertyQuestions.can),
  question(platform.name, 'can', 'May Ada edit the dashboard in the research of Acme?', accountQuestion),
  question(authorization.name, 'can', 'May the agent Ada close a ticket of Acme?', ticketQuestions.can),
  question(rebac.name, 'can', 'May Ada open the dashboard in New York?', sampleQuestion),
  question(accountManagement.name, 'why', 'Why may Tom not reboot it? His role has expired.', propertyQuestions.why),
  question(accountManagement.name, 'what', 'What may Grace do at Pier 4?', propertyQuestions.what),
  question(accountManagement.name, 'who', 'Who may reboot the camera at Pier 4?', propertyQuestions.who),
  question(accountManagement.name, 'where', 'Where may Grace reboot cameras?', propertyQuestions.where),
  question(platform.name, 'why', 'Why may Ada edit the dashboard?', accountQuestion),
  question(platform.name, 'what', 'In which menus may Ada do what?', { user, account, workstream }),
  question(platform.name, 'who', 'Who may edit the dashboard?', { account, workstream, menu, action }),
  question(platform.name, 'where', 'Where may Ada edit the dashboard?', { user, menu, action }),
  question(authorization.name, 'why', 'Why may the viewer Vera not close a ticket?', ticketQuestions.why),
  question(authorization.name, 'what', 'What may the agent Ada do to it?', ticketQuestions.what),
  question(authorization.name, 'who', 'Who may close it?', ticketQuestions.who),
  question(authorization.name, 'where', 'In which tenants may Ada open tickets?', ticketQuestions.where),
  question(rebac.name, 'why', 'Why may Ada open the dashboard?', sampleQuestion),
  question(rebac.name, 'what', 'Which pages may Ada open in New York?', { user: sampleQuestion.user, location }),
  question(rebac.name, 'who', 'Who may open the dashboard there?', { location, page }),
  question(rebac.name, 'where', 'Where may Ada open the dashboard?', { user: sampleQuestion.user, page }),
]

interface SampledTable {
  readonly module: DesignModule
  readonly table: ConnectedTable
}

export interface LoadedSamples {
  /** The served designs; authorization by example policies, if its sample is there and nothing else decides. */
  readonly tables: ReadonlyMap<string, SampledTable>
  /** The designs whose sample was loaded just now. */
  readonly loaded: ReadonlySet<string>
  /** The designs whose questions can be asked. */
  readonly asked: ReadonlySet<string>
}

/** Loads the samples into the empty ones of these tables, which are not at AWS. */
export async function loadSamples(tables: ReadonlyMap<string, SampledTable>, connecting: ConnectOptions): Promise<LoadedSamples> {
  const [loaded, asked] = [new Set<string>(), new Set<string>()]
  const served = new Map(tables)
  const note = (name: string, wasLoaded: boolean, isThere: boolean) => {
    if (wasLoaded) loaded.add(name)
    if (wasLoaded || isThere) asked.add(name)
  }
  /** How the table of a design is connected to: it may have another name. */
  const at = (served: SampledTable) => ({ ...connecting, table: served.table.runtime.table })
  const loading: Readonly<Record<string, (sampled: SampledTable) => Promise<void>>> = {
    [rebac.name]: async (each) => note(rebac.name, await loadOrganisation(connect(rebac, at(each))), true),
    [platform.name]: async (each) => note(platform.name, await loadAccount(connect(platform, at(each))), true),
    [accountManagement.name]: async (each) => {
      const table = connect(accountManagement, at(each))
      note(accountManagement.name, await loadProperty(table), await hasProperty(table))
    },
    [authorization.name]: async (each) => {
      // A folder that a person has named decides alone, and may know nothing of tickets.
      if (each.module.decider !== undefined) return
      const table = connect(authorization, at(each))
      const wasLoaded = await loadTickets(table)
      if (!wasLoaded && !(await hasTickets(table))) return
      served.set(authorization.name, { ...each, module: await withStarterPolicies(each.module) })
      note(authorization.name, wasLoaded, true)
    },
  }
  // One after the other: the first start of a busy machine has enough to do.
  for (const [name, each] of tables) await loading[name]?.(each)
  return { tables: served, loaded, asked }
}
