import type { AnswerPage } from '@freehold/frame/decision'
import { readJsonObject } from '../input/json-object.ts'
import { type AskOptions, withAnswering } from '../opening/with-answering.ts'
import { withDesign } from '../opening/with-design.ts'
import { exitOf, reasonWords } from '../output/answer.ts'
import { printPage } from '../output/print-page.ts'
import { tellIgnored } from '../output/tell-ignored.ts'
import { tellRefusal } from '../output/tell-refusal.ts'
import { exit, printJson, type Run } from '../shell.ts'

export interface ListOptions extends AskOptions {
  readonly limit?: number
  readonly cursor?: string
  readonly expand?: boolean
}

type Answer = Readonly<Record<string, unknown>>

/** A part of an answer as text: `groupId 01…, roleName teacher`. */
function words(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.entries(value)
    .map(([name, part]) => `${name} ${typeof part === 'string' ? part : JSON.stringify(part)}`)
    .join(', ')
}

function forPerson({ items, ...rest }: AnswerPage<Answer>): AnswerPage<Answer> {
  return { ...rest, items: items.map((item) => Object.fromEntries(Object.entries(item).map(([name, value]) => [name, words(value)]))) }
}

/**
 * The command of a question whose answer is a list. If something it asks about does not exist or denies, the answer is no, not an empty
 * list.
 */
export function listAnswers(name: 'what' | 'who' | 'where'): Run<ListOptions> {
  return async (shell, [design, question], options) => {
    const { consistency, limit, cursor, expand } = options
    const how = { consistency, limit, cursor, ...(name === 'where' && expand === true ? { expand } : {}) }
    return withAnswering(shell, design, options, async (module) => {
      const asked = await readJsonObject(shell, question, 'The question')
      return withDesign(shell, { module, name: `freehold ${name}`, hasCursors: true, isReading: true }, options, async (reached) => {
        const page = await reached.questions().list(name, asked, how)
        const { reason } = page
        if (page.cursor !== undefined) reached.keepCursor()
        if (options.json === true) await printJson(shell, page)
        else {
          await printPage(shell, forPerson(page), options, reason === undefined ? undefined : reasonWords(reason))
          tellIgnored(shell, page)
          tellRefusal(shell, page)
        }
        return reason === undefined ? exit.yes : exitOf({ allowed: false, reason })
      })
    })
  }
}
