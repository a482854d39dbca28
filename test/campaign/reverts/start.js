import { dirname, join } from 'node:path'
import { bundle } from '../../bundle.js'

// `npm run campaign:reverts`

const { campaignReverts } = await import(await bundle(join(import.meta.dirname, 'main.ts')))
process.exitCode = await campaignReverts({ bundle, directory: dirname(import.meta.dirname) }, process.argv.slice(2))
