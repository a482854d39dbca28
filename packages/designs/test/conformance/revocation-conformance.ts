import { describe, expect, test } from 'vitest'

/** A way to take access away. `definition`: a bounded decision may be late to see it (spec rule 18). */
export interface Revoked<T> {
  readonly what: string
  readonly definition: boolean
  revoke(table: T): Promise<unknown>
}

/** A user who has access, and what each question of the design says of that. */
export interface RevocationScene<T> {
  readonly table: T
  answers(consistency: 'strong' | 'bounded'): Promise<readonly boolean[]>
}

/** Each way takes the access away, by the answers to all questions. `prepare` opens the scene at this clock. */
export function testRevocations<T extends { close(): void }>(
  revocations: readonly Revoked<T>[],
  prepare: (now: () => Date) => Promise<RevocationScene<T>>,
): void {
  describe.each(revocations)('after $what was taken away', ({ definition, revoke }) => {
    const prepared = async () => {
      const clock = { ms: Date.parse('2026-03-01T00:00:00.000Z') }
      const scene = await prepare(() => new Date(clock.ms))
      const all = async (consistency: 'strong' | 'bounded') => [...new Set(await scene.answers(consistency))]
      return { ...scene, clock, all }
    }

    test('the next strong decision denies, at the same instant and with everything in memory', async () => {
      const { table, all } = await prepared()
      expect(await all('bounded')).toEqual([true])
      await revoke(table)
      expect(await all('strong')).toEqual([false])
    })

    test(`a bounded decision denies ${definition ? 'once the bound is over' : 'at once'}`, async () => {
      const { clock, table, all } = await prepared()
      expect(await all('bounded')).toEqual([true])
      await revoke(table)
      if (definition) {
        clock.ms += 4_999
        expect(await all('bounded')).toEqual([true])
        clock.ms += 1
      }
      expect(await all('bounded')).toEqual([false])
    })
  })
}
