import { readFile } from 'node:fs/promises'
import { type Answered, changeOf, type SavedQuestion, type SavedQuestions, savedQuestionsOf } from '@freehold/client'
import { utf8Text } from '@freehold/frame/reading'
import { isFreeholdError } from '@freehold/table'
import { readablePath } from '../input/input-file.ts'
import { invalid } from '../input/invalid.ts'
import { parsedYaml } from '../input/parsed-yaml.ts'
import type { ReachedQuestions } from '../opening/reached-design.ts'
import { type AskOptions, withAnswering } from '../opening/with-answering.ts'
import { withDesign } from '../opening/with-design.ts'
import { withKeys } from '../opening/with-keys.ts'
import { counted } from '../output/counted.ts'
import { safeText } from '../output/safe-text.ts'
import { type Exit, exit, jsonLine, type Shell } from '../shell.ts'

/** The largest list that is compared whole: one page. */
const rows_max = 1000

async function readCases(shell: Shell, file: string): Promise<SavedQuestions> {
  const text = utf8Text(await readFile(await readablePath(shell, file)), `The file ${safeText(file)}`)
  const read = savedQuestionsOf(parsedYaml(file, text))
  if (!('problem' in read)) return read
  throw invalid(`The file ${safeText(file)} has no saved questions. ${read.problem}`)
}

/** What differs from the expected answer. A question that the design refuses has no answer, which is a difference, too. */
async function changeIn(
  questions: ReachedQuestions,
  saved: SavedQuestion,
  how: Pick<AskOptions, 'consistency'>,
): Promise<string | undefined> {
  const { ask, question } = saved
  try {
    const answer: Answered =
      ask === 'can' ? await questions.can(question, how) : await questions.list(ask, question, { ...how, limit: rows_max })
    return changeOf(saved, answer)
  } catch (error) {
    if (!isFreeholdError(error) || error.category !== 'invalid') throw error
    return `${error.message} (${error.code})`
  }
}

export interface CasesOptions extends AskOptions {
  /** The design whose saved questions in the table of the service are asked. */
  readonly saved?: string
}

/** Asks saved questions, and exits with 1 if an answer is not as expected: for CI. */
export async function cases(shell: Shell, [, ...files]: readonly string[], { saved: design, ...options }: CasesOptions): Promise<Exit> {
  const { consistency, json = false, table: _, ...ofKeys } = options
  if (files.length === 0 && design === undefined) throw invalid('Name files *.cases.yaml, or a design by --saved.')
  let [asked, changed] = [0, 0]
  const run = (saved: SavedQuestions, source: Readonly<Record<string, string>>) =>
    withAnswering(shell, saved.design, options, (module) =>
      withDesign(shell, { module, name: 'freehold cases', isReading: true }, options, async (reached) => {
        const questions = reached.questions()
        for (const each of saved.cases) {
          const change = await changeIn(questions, each, { consistency })
          asked += 1
          if (change !== undefined) changed += 1
          if (json)
            await shell.out(
              jsonLine({ ...source, name: each.name, passed: change === undefined, ...(change === undefined ? {} : { change }) }),
            )
          else if (change !== undefined) await shell.out(`${safeText(`${each.name}: ${change}`)}\n`)
        }
      }),
    )
  for (const file of files) await run(await readCases(shell, file), { file })
  if (design !== undefined) {
    // The table of the keys has its own name, whatever that of the design is.
    const kept = await withKeys(shell, ofKeys, (keys) => keys.savedQuestions(design), true)
    await run({ design, cases: kept }, { design })
  }
  if (!json) await shell.out(`${asked - changed} of ${counted(asked, 'question')} answered as expected.\n`)
  return changed === 0 ? exit.yes : exit.no
}
