import { platform } from '@freehold/designs/platform'
import { marker } from './actor.ts'
import { newProduct, product } from './items.ts'
import type { Scene, Situation } from './situation.ts'

// The engine is started again between two attempts, and has forgotten its tokens.

const { Product } = platform.entities

const others = ['one', 'other'].map((id) => ({ id }))

/** Something is acknowledged, by whose token it is seen later that the engine was started again. */
const acknowledge = ({ ours }: Scene) => ours.create(Product, { id: 'acknowledged', name: marker })

const elevenMinutes_ms = 11 * 60_000

/** Longer than a token is remembered passes before a creation is lost. */
function tokensGrowOld(): Situation {
  let passed_ms = 0
  return {
    name: 'a token is forgotten as it is old, and then a creation is lost',
    connecting: () => ({ monotonic_ms: () => performance.now() + passed_ms }),
    run: async (scene) => {
      const { ours, script, expectDone, ground } = scene
      await acknowledge(scene)
      passed_ms = elevenMinutes_ms
      await ground.engine.restart()
      script({ on: 'write', kind: 'lose-request' })
      expectDone(await ours.create(Product, newProduct))
    },
  }
}

export const restarts: readonly Situation[] = [
  tokensGrowOld(),
  {
    name: 'a creation is done, the engine is started again, and another removes the item',
    run: async (scene) => {
      const { ours, theirs, script } = scene
      await acknowledge(scene)
      script({ on: 'write', kind: 'restart', after: () => theirs.remove(Product, product) })
      await ours.create(Product, newProduct)
    },
  },
  {
    name: 'a creation is done, the engine is started again before anything was acknowledged, and another removes the item',
    run: async ({ ours, theirs, script }) => {
      script({ on: 'write', kind: 'restart-refused', after: () => theirs.remove(Product, product) })
      await ours.create(Product, newProduct)
    },
  },
  {
    name: 'a creation is done, the engine is started again, and then something is acknowledged',
    run: async (scene) => {
      const { ours, theirs, script } = scene
      await acknowledge(scene)
      const meanwhile = async () => {
        await ours.create(Product, { id: 'later', name: marker })
        await theirs.remove(Product, product)
      }
      script({ on: 'write', kind: 'restart', after: meanwhile })
      await ours.create(Product, newProduct)
    },
  },
  {
    name: 'a creation is done, and the engine is started again between the question for its token and its repeat',
    run: async (scene) => {
      const { ours, theirs, script, ground } = scene
      await acknowledge(scene)
      const meanwhile = async () => {
        await ground.engine.restart()
        await theirs.remove(Product, product)
      }
      // The second is the question.
      script({ on: 'write', kind: 'lose-answer' }, { on: 'write', after: meanwhile })
      await ours.create(Product, newProduct)
    },
  },
  {
    name: 'two creations are done, the engine is started again, and another removes both items',
    run: async (scene) => {
      const { ours, theirs, script } = scene
      await acknowledge(scene)
      let goOn = () => {}
      const areRemoved = new Promise<void>((resolve) => {
        goOn = resolve
      })
      const meanwhile = async () => {
        for (const id of others) await theirs.remove(Product, id)
        goOn()
      }
      script({ on: 'write', kind: 'lose-answer', after: () => areRemoved }, { on: 'write', kind: 'restart', after: meanwhile })
      await Promise.all(others.map((id) => ours.create(Product, { ...id, name: marker })))
    },
  },
  {
    name: 'a creation is done, the engine is started again, and nobody else writes',
    run: async (scene) => {
      const { ours, script, expectDone } = scene
      await acknowledge(scene)
      script({ on: 'write', kind: 'restart' })
      expectDone(await ours.create(Product, newProduct))
    },
  },
  {
    name: 'a creation is done, the engine is started again, and nothing can be read',
    bounds: { patience_ms: 1000, attempt_ms: 1500, wait_ms: 1000 },
    run: async (scene) => {
      const { ours, script } = scene
      await acknowledge(scene)
      script({ on: 'write', kind: 'restart' }, { on: 'read', kind: 'throttle', times: Number.POSITIVE_INFINITY })
      await ours.create(Product, newProduct)
    },
  },
]
