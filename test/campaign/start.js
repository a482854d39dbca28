import { join } from 'node:path'
import { bundle } from '../bundle.js'

// `npm run campaign`

const [main, worker] = await Promise.all(['main.ts', 'worker.ts'].map((name) => bundle(join(import.meta.dirname, name))))
const { campaign } = await import(main)
process.exitCode = await campaign(process.argv.slice(2), worker)
