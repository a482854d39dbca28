import type { ListedDesign } from '@freehold/client'
import { unknownName } from '../naming/unknown-name.ts'
import type { Shell } from '../shell.ts'
import { serviceAt } from './service-at.ts'

/** The designs that a service serves to this caller. Undefined if no service is named: the command then tells what it knows itself. */
export async function catalogueOf(shell: Shell): Promise<readonly ListedDesign[] | undefined> {
  const service = serviceAt(shell)
  if (service === undefined) return undefined
  const [{ serviceOf }, { asked }] = await Promise.all([import('@freehold/client'), import('./problem-as-error.ts')])
  return asked(() => serviceOf(service).catalogue())
}

/** One design of it. Throws `UnknownName` for a design that the service does not serve. */
export async function servedDesign(shell: Shell, design: string): Promise<ListedDesign | undefined> {
  const catalogue = await catalogueOf(shell)
  if (catalogue === undefined) return undefined
  const served = catalogue.find(({ name }) => name === design)
  if (served !== undefined) return served
  const names = catalogue.map(({ name }) => name)
  throw unknownName('design that the service serves named', design, names, 'freehold designs')
}
