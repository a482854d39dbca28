import { startBenchEngine } from '../engine.js'
import { keepOn } from '../keep-on.js'
import { sceneOf } from '../serving/scenes.js'
import { overload, overloadLines } from './overload.js'
import { startLoaded } from './server.js'

const engine = await startBenchEngine()
for (const pid of [engine.pid(), process.pid]) keepOn(1, pid)
const question = await sceneOf('rebac').fill({ dynamo: { endpoint: engine.endpoint } })
const server = await startLoaded({ endpoint: engine.endpoint, design: 'rebac' }, question)
for (const cells of overloadLines(await overload(server))) console.log(cells.join('  |  '))
await server.stop()
await engine.stop()
process.exit(0)
