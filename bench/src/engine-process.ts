import { openEngine } from '@freehold/engine'

// The engine that `engine.ts` starts. Contenders sign with the credentials that connections without a meaning have.

const engine = await openEngine({ memory: true })
const { endpoint } = await engine.listen({ credentials: { accessKeyId: 'local', secretAccessKey: 'local' } })
process.on('disconnect', () => process.exit())
process.send?.({ endpoint })
