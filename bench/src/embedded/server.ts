import { openSync, writeSync } from 'node:fs'
import { rebac, rebacModule } from '@freehold/designs/rebac'
import { openEngine } from '@freehold/engine'
import { createService, openKeys, openLog, serveOnNode } from '@freehold/service'
import { connect } from '@freehold/table'
import { inputOf } from '../own-process.js'

// The service on a folder, in a process of its own. It tells its address and a key, and whenever it is asked the CPU that it has taken.

const { path } = inputOf() as { readonly path: string }
const engine = await openEngine({ path })
const keys = await openKeys({ engine })
const { text: key } = await keys.newKey()
// As standard error does that goes to a file.
const log = openSync('/dev/null', 'w')
const service = createService({
  tables: new Map([['rebac', { module: rebacModule, table: connect(rebac, { engine }) }]]),
  keys,
  log: openLog({ write: (lines) => void writeSync(log, lines) }).request,
})
const { address } = await serveOnNode(service, { port: 0 })
process.on('message', () => process.send?.(process.cpuUsage()))
process.on('disconnect', () => process.exit(0))
process.send?.({ address, key })
