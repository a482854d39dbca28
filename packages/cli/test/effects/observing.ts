import { expect } from 'vitest'
import { portToUse } from '../processes.ts'
import type { EffectsOf } from './effect.ts'
import { served } from './served.ts'

export const observing: EffectsOf<'Observing'> = {
  metricsPort: async () => {
    const metricsPort = await portToUse()
    await served({ metricsPort })
    expect(await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()).toContain('freehold_decisions_total')
  },
  metricsHost: async () => {
    const { lines } = await served({ metricsPort: 0, metricsHost: 'localhost' })
    const message = expect.stringMatching(/^Metrics are at http:\/\/localhost:\d+\/metrics\.$/)
    await expect.poll(lines).toContainEqual(expect.objectContaining({ message }))
  },
}
