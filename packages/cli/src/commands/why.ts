import type { Evidence, Why } from '@freehold/frame/decision'
import { readJsonObject } from '../input/json-object.ts'
import { type AskOptions, withAnswering } from '../opening/with-answering.ts'
import { withDesign } from '../opening/with-design.ts'
import { answerWords, exitOf } from '../output/answer.ts'
import { safeText } from '../output/safe-text.ts'
import { renderTable } from '../output/table.ts'
import { tellIgnored } from '../output/tell-ignored.ts'
import { tellRefusal } from '../output/tell-refusal.ts'
import { type Exit, printJson, type Shell } from '../shell.ts'

function idWords(id: Evidence['id']): string {
  return Object.entries(id)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')
}

function evidenceTable(evidence: readonly Evidence[], columns: number | undefined): string {
  const rows = evidence.map(({ step, entity, id, state, message }) => [step, state, message, `${entity} ${idWords(id)}`])
  return renderTable(['step', 'state', 'in words', 'item'], rows, columns)
}

/** The answer, followed by its evidence: each chain that allows it, or the missing part of each step. */
export function renderWhy(why: Why, columns: number | undefined): string {
  const parts = [answerWords(why)]
  for (const [index, chain] of why.chains.entries()) {
    const title = why.chains.length === 1 ? 'It is allowed by' : `${index === 0 ? 'It is allowed by' : 'and by'} chain ${index + 1}`
    parts.push(`${safeText(title)}:\n${evidenceTable(chain, columns)}`)
  }
  if (why.missing.length > 0) parts.push(`Missing:\n${evidenceTable(why.missing, columns)}`)
  return parts.join('\n')
}

/** Explains an answer. */
export async function why(shell: Shell, [design, question]: readonly string[], options: AskOptions): Promise<Exit> {
  return withAnswering(shell, design, options, async (module) => {
    const asked = await readJsonObject(shell, question, 'The question')
    return withDesign(shell, { module, name: 'freehold why', isReading: true }, options, async (reached) => {
      const answer = await reached.questions().why(asked, { consistency: options.consistency })
      if (options.json === true) await printJson(shell, answer)
      else {
        await shell.out(renderWhy(answer, shell.columns))
        tellIgnored(shell, answer)
        tellRefusal(shell, answer)
      }
      return exitOf(answer)
    })
  })
}
