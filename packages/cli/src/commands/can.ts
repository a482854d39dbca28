import { invalid } from '../input/invalid.ts'
import { readJsonObject } from '../input/json-object.ts'
import { type AskOptions, withAnswering } from '../opening/with-answering.ts'
import { withDesign } from '../opening/with-design.ts'
import { answerWords, exitOf } from '../output/answer.ts'
import { tellIgnored } from '../output/tell-ignored.ts'
import { tellRefusal } from '../output/tell-refusal.ts'
import { type Exit, printJson, type Shell } from '../shell.ts'
import { answerBatch } from './batch.ts'

export interface CanOptions extends AskOptions {
  readonly batch?: string
  readonly location?: string
  readonly client?: string
  readonly emailDomain: string
}

function checkBatch({ batch, location, client }: CanOptions, question: string | undefined): void {
  if (batch === undefined && question === undefined)
    throw invalid('A question is missing: give it as JSON, or a CSV of questions with --batch.')
  if (batch !== undefined && question !== undefined) throw invalid('Give one question as JSON or many with --batch, not both.')
  for (const [name, value] of Object.entries({ location, client }))
    if (batch === undefined && value !== undefined) throw invalid(`--${name} goes with --batch; in a question it is a field.`)
}

/** Answers one question, also by the exit code, or a file of questions. */
export async function can(shell: Shell, [design, question]: readonly string[], options: CanOptions): Promise<Exit> {
  return withAnswering(shell, design, options, async (module) => {
    checkBatch(options, question)
    if (options.batch !== undefined) return answerBatch(shell, module, { ...options, file: options.batch })
    const asked = await readJsonObject(shell, question, 'The question')
    return withDesign(shell, { module, name: 'freehold can', isReading: true }, options, async (reached) => {
      const answer = await reached.questions().can(asked, { consistency: options.consistency })
      if (options.json === true) await printJson(shell, answer)
      else {
        await shell.out(answerWords(answer))
        tellIgnored(shell, answer)
        tellRefusal(shell, answer)
      }
      return exitOf(answer)
    })
  })
}
