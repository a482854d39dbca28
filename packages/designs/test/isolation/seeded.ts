import fc from 'fast-check'
import { type Chance, chanceOf } from '../model/chance.ts'

/** Chance itself, which does not shrink: the steps that were chosen by it do. */
class Seeded extends fc.Arbitrary<Chance> {
  override generate(random: fc.Random): fc.Value<Chance> {
    return new fc.Value<Chance>(chanceOf(random.clone()), undefined)
  }
  override canShrinkWithoutContext(_: unknown): _ is Chance {
    return false
  }
  override shrink(): fc.Stream<fc.Value<Chance>> {
    return fc.Stream.nil()
  }
}

/** The same choices for the same seed. */
export function seeded(seed: number): Chance {
  const [chance] = fc.sample(new Seeded(), { seed, numRuns: 1 })
  if (chance === undefined) throw new Error('nothing was drawn')
  return chance
}
