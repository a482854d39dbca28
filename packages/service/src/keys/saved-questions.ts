import type { Item, Table } from '@freehold/table'
import { invalidInput } from '@freehold/table/runtime'
import type { SavedQuestion, serviceDesign } from './design.ts'

/** A question with its expected answer: of `can` yes, no or the code of a reason; of a list its rows. */
export interface QuestionToSave extends Pick<Item<typeof SavedQuestion>, 'name' | 'ask' | 'question'> {
  readonly expect: Item<typeof SavedQuestion>['expected'][string]
}

/** One that lies in the table. */
export interface QuestionEntry extends QuestionToSave, Pick<Item<typeof SavedQuestion>, 'questionId' | 'savedBy' | 'savedAt'> {
  readonly version: number
}

/** The saved questions of designs, in the table of the keys. */
export interface SavedQuestions {
  /** Those of a design, the oldest first. */
  list(design: string): Promise<readonly QuestionEntry[]>
  /** @throws InvalidInput for one that is too long, and if the design has the most that are kept */
  save(design: string, saved: QuestionToSave, savedBy: string): Promise<QuestionEntry>
  /** @throws NotFound, VersionConflict, and InvalidInput for one that is too long */
  replace(design: string, questionId: string, saved: QuestionToSave, how: Replacing): Promise<QuestionEntry>
  /** @throws NotFound, VersionConflict */
  remove(design: string, questionId: string, version?: number): Promise<void>
}

export interface Replacing {
  readonly version?: number | undefined
  readonly savedBy: string
}

/** A list is one answer: all of a design, each as long as it may be, stay below the 6 MB that a function of AWS Lambda answers with. */
export const savedBounds = { most: 1_000, bytes_max: 4_096 } as const

const refused = (name: string, message: string) => invalidInput('The saved question', [{ path: [name], message }])

function stored({ name, ask, question, expect }: QuestionToSave, savedBy: string) {
  if (Buffer.byteLength(JSON.stringify([question, expect])) > savedBounds.bytes_max)
    throw refused('expect', `is, with the question, longer than ${savedBounds.bytes_max} bytes of JSON: keep it in a file *.cases.yaml`)
  return { name, ask, question, expected: { answer: expect }, savedBy }
}

function entryOf({ questionId, version, name, ask, question, expected, savedBy, savedAt }: Item<typeof SavedQuestion>): QuestionEntry {
  return { questionId, version, name, ask, question, expect: expected.answer ?? false, savedBy, savedAt }
}

export function savedQuestions(table: Table<typeof serviceDesign>): SavedQuestions {
  const list = async (design: string) => {
    const all: QuestionEntry[] = []
    for await (const each of table.savedQuestions.all({ design }, { consistent: true })) all.push(entryOf(each))
    return all
  }
  return {
    list,
    save: async (design, saved, savedBy) => {
      const item = stored(saved, savedBy)
      // Two that are saved at once may pass the bound by one, which harms nobody.
      if ((await list(design)).length >= savedBounds.most)
        throw refused(
          'name',
          `is one too many: a design has at most ${savedBounds.most} saved questions. Remove one, or keep them in a file`,
        )
      return entryOf(await table.SavedQuestion.create({ design, ...item }))
    },
    replace: async (design, questionId, saved, { version, savedBy }) =>
      entryOf(await table.SavedQuestion.update({ design, questionId }, stored(saved, savedBy), version === undefined ? {} : { version })),
    remove: async (design, questionId, version) => {
      await table.SavedQuestion.remove({ design, questionId }, version === undefined ? {} : { version })
    },
  }
}
