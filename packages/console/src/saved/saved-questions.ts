import type { SavedQuestion, StoredQuestion } from '@freehold/client'
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { queries, service, sessionQuery } from '../app/service.ts'

/** One of the table, or of this page. */
export type ListedQuestion = SavedQuestion & Partial<StoredQuestion>

const keyOf = (design: string) => ['saved', design]

/** Questions that are kept in this page, until it is closed: those of a file, and of a caller that may not save. No browser stores who was asked about. */
const keptQuery = (design: string) =>
  queryOptions({
    queryKey: keyOf(design),
    queryFn: (): readonly SavedQuestion[] => [],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })

const storedQuery = (design: string) =>
  queryOptions({
    queryKey: ['saved in the table', design],
    queryFn: ({ signal }) => service.savedQuestions(design, { signal }),
  })

export const keep = (design: string, all: readonly SavedQuestion[]) => queries.setQueryData(keptQuery(design).queryKey, all)

/** Adds one, in place of a former of its name. */
const keepOne = (design: string, saved: SavedQuestion) =>
  keep(design, [...(queries.getQueryData(keptQuery(design).queryKey) ?? []).filter(({ name }) => name !== saved.name), saved])

/** The saved questions of a design: those of the table, as far as the caller may see them, and those of this page. */
export function useSaved(design: string) {
  const { data: session } = useQuery(sessionQuery)
  const { data: kept = [] } = useQuery(keptQuery(design))
  const stored = useQuery({ ...storedQuery(design), enabled: session?.may.includes('saved') === true })
  const all: readonly ListedQuestion[] = [...(stored.data ?? []), ...kept]
  return {
    all,
    kept,
    error: stored.error,
    isPending: stored.isLoading,
    again: stored.refetch,
    mayStore: session?.may.includes('save') === true,
  }
}

/** Saves a question: in the table if the caller may, and else in this page. It takes the place of a former of its name. */
export function useSaving(design: string) {
  const { data: session } = useQuery(sessionQuery)
  return useMutation({
    mutationFn: async (saved: SavedQuestion) => {
      if (session?.may.includes('save') !== true) return keepOne(design, saved)
      // Read anew: another operator may have saved one meanwhile.
      const former = (await service.savedQuestions(design)).find(({ name }) => name === saved.name)
      if (former === undefined) await service.saveQuestion(design, saved)
      else await service.replaceSavedQuestion(design, former, saved)
    },
    onSettled: () => queries.invalidateQueries({ queryKey: storedQuery(design).queryKey }),
  })
}

/** Removes a question from where it is kept. One of the table that was replaced since stays. */
export function useRemoving(design: string) {
  return useMutation({
    mutationFn: async ({ questionId, version, name }: ListedQuestion) => {
      if (questionId !== undefined && version !== undefined) return service.removeSavedQuestion(design, { questionId, version })
      keep(
        design,
        (queries.getQueryData(keptQuery(design).queryKey) ?? []).filter((each) => each.name !== name),
      )
    },
    onSettled: () => queries.invalidateQueries({ queryKey: storedQuery(design).queryKey }),
  })
}
