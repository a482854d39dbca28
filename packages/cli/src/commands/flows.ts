import { moduleCosts } from '@freehold/frame'
import { commonErrors, costColumns, costRows, type FlowDescription } from '@freehold/frame/flow'
import { flowOf, moduleNamed, withoutFlows } from '../naming/named.ts'
import { servedDesign } from '../opening/catalogue.ts'
import { wrapText } from '../output/safe-text.ts'
import { renderTable } from '../output/table.ts'
import { type Exit, exit, type PrintOptions, printJson, type Shell } from '../shell.ts'

/** The inputs in words, with optional ones in brackets. */
function inputWords({ input }: FlowDescription): string {
  return input.map(({ name, required }) => (required ? name : `[${name}]`)).join(' ')
}

/** The needed permission in words: operators only, or a permission at this scope or above it. A user may need none for its own data. */
function needsWords({ needs }: FlowDescription): string {
  if (needs === 'operator') return needs
  if (needs === 'identity-provider') return 'identity provider'
  if (needs === 'person') return 'the token of the person, beside the key of an application'
  if (needs === 'own') return 'nothing, but only for one\u2019s own data'
  const { module, action, resource, at, own } = needs
  return `${module} ${action} ${resource}, at the ${at === 'scope' ? 'scope given' : at}${own === true ? '; nothing for one\u2019s own data' : ''}`
}

/** One flow, with the kind of each input. */
function flowSheet(flow: FlowDescription, columns: number | undefined): string {
  const rows = flow.input.map(({ name, kind, required, values, holds, otherwise }) => [
    name,
    values === undefined ? (holds ?? kind) : values.join(', '),
    required ? 'required' : (otherwise ?? ''),
  ])
  const errors = flow.errors.length === 0 ? '' : `${flow.errors.join(', ')}; `
  const head = [`${flow.name}: ${flow.summary}`, `Needs: ${needsWords(flow)}`, `Errors: ${errors}of any flow: ${commonErrors.join(', ')}`]
    .flatMap((sentence) => (columns === undefined ? [sentence] : wrapText(sentence, columns)))
    .map((line) => `${line}\n`)
    .join('')
  return rows.length === 0 ? `${head}It takes no input.\n` : `${head}\n${renderTable(['input', 'holds', 'if left out'], rows, columns)}`
}

/** What the flows cost that a name, if one is given, names. A flow that only reads has no sample. */
async function printCosts(shell: Shell, module: ReturnType<typeof moduleNamed>, name: string | undefined, json: boolean): Promise<Exit> {
  if (name !== undefined) flowOf(shell, module.design, module.flows?.describe(module.design) ?? [], name)
  const costs = (await moduleCosts(module)).filter(({ flow }) => name === undefined || flow === name)
  if (json) await printJson(shell, costs)
  else if (costs.length === 0) shell.err(`Nothing was counted: ${name ?? module.design.name} has no sample of a call.\n`)
  else await shell.out(renderTable([...costColumns], costRows(costs), shell.columns))
  return exit.yes
}

/** Lists the flows of a design, or describes one of them. */
export async function flows(
  shell: Shell,
  [design, name]: readonly string[],
  options: PrintOptions & { readonly cost?: boolean },
): Promise<Exit> {
  const { json = false, cost = false } = options
  const module = moduleNamed(shell, design)
  if (cost) return printCosts(shell, module, name, json)
  const served = await servedDesign(shell, module.design.name)
  // A service describes its flows as their module does.
  const all = (served?.flows as readonly FlowDescription[] | undefined) ?? module.flows?.describe(module.design) ?? []
  if (name !== undefined) {
    const flow = flowOf(shell, module.design, all, name)
    await (json ? printJson(shell, flow) : shell.out(flowSheet(flow, shell.columns)))
    return exit.yes
  }
  if (json) await printJson(shell, all)
  else if (all.length === 0) shell.err(`${withoutFlows(shell, module.design)}\n`)
  else {
    const rows = all.map((flow) => [flow.name, flow.summary, inputWords(flow), needsWords(flow)])
    await shell.out(renderTable(['flow', 'what it does', 'input', 'needs'], rows, shell.columns))
  }
  return exit.yes
}
