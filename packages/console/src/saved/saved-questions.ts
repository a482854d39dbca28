import type { SavedQuestion } from '@freehold/client'
import { queries } from '../app/service.ts'

const keyOf = (design: string) => ['saved', design]

/** Questions that are kept in this page, until it is closed. A file keeps them for good: no browser stores who was asked about. */
export const savedQuery = (design: string) => ({
  queryKey: keyOf(design),
  queryFn: (): readonly SavedQuestion[] => [],
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
})

export const keep = (design: string, all: readonly SavedQuestion[]) => queries.setQueryData(keyOf(design), all)

/** Adds one, in place of a former of its name. */
export const keepOne = (design: string, saved: SavedQuestion) =>
  queries.setQueryData(keyOf(design), (before: readonly SavedQuestion[] = []) => [
    ...before.filter(({ name }) => name !== saved.name),
    saved,
  ])
