import type { FlowDescription } from '@freehold/designs'
import { offerNamed } from '../naming/named.ts'
import { renderTable } from '../output/table.ts'
import { type Exit, exit, type PrintOptions, printJson, type Shell } from '../shell.ts'

/** The inputs in words: those that may be left out in brackets. */
function inputWords({ input }: FlowDescription): string {
  return input.map(({ name, required }) => (required ? name : `[${name}]`)).join(' ')
}

/** Who may: operators only, or a user with this permission, at this place or above it. */
function needsWords({ needs }: FlowDescription): string {
  return needs === 'operator' ? needs : `${needs.module} ${needs.action} ${needs.resource}, at the ${needs.at}`
}

/** Lists the flows of a design. */
export async function flows(shell: Shell, [design]: readonly string[], { json = false }: PrintOptions): Promise<Exit> {
  const offer = offerNamed(shell, design)
  const all = offer.flows?.describe(offer.design) ?? []
  if (json) await printJson(shell, all)
  else if (all.length === 0) shell.err('There are none.\n')
  else {
    const rows = all.map((flow) => [flow.name, flow.summary, inputWords(flow), needsWords(flow)])
    await shell.out(renderTable(['flow', 'what it does', 'input', 'needs'], rows, shell.columns))
  }
  return exit.yes
}
