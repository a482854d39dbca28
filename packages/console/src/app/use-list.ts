import { useInfiniteQuery } from '@tanstack/react-query'
import { designClient } from './service.ts'
import type { ToldDesign, Values } from './told.ts'

export interface Page {
  readonly items: readonly Values[]
  readonly cursor?: string
}

interface Asked {
  readonly pattern: string
  readonly parameters: Values
}

/** The items of an access pattern, a page at a time. A get has one page, of one item or none. */
export const useList = ({ form }: ToldDesign, { pattern, parameters }: Asked, limit = 50, enabled = true) =>
  useInfiniteQuery({
    queryKey: ['pattern', form.design, pattern, parameters, limit],
    queryFn: async ({ signal, pageParam }): Promise<Page> => {
      const isQuery = form.patterns[pattern]?.operation === 'query'
      const how = isQuery ? { signal, limit, ...(pageParam === '' ? {} : { cursor: pageParam }) } : { signal }
      const answer = await designClient(form.design).pattern(pattern, parameters, how)
      if (answer === undefined) return { items: [] }
      // The client has checked that a query gives a page.
      return isQuery ? (answer as unknown as Page) : { items: [answer] }
    },
    initialPageParam: '',
    getNextPageParam: ({ cursor }) => cursor,
    enabled,
  })
